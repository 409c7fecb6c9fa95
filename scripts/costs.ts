// Measures what every scenario costs, on the mock and on conforming servers. Writes contract-tests/cost/costs.json.
//   npm run costs
import { writeCosts } from '../contract-tests/proof/costs.ts';

await writeCosts();
