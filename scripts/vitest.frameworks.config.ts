// `npm run frameworks [-- -t express4]`: the suite on servers made with usual frameworks, which it installs in their own folder,
// to keep the `npm ci` of this project small.
import tests from './vitest.config.ts';

tests.test = { ...tests.test, include: ['contract-tests/proof/tests/frameworks.spec.ts'] };

export default tests;
