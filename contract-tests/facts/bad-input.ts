import { concernsOneLead, operationOf, routes } from '../exchange/operations.ts';
import { isServerError } from '../exchange/origin.ts';
import { broken, type Fact, holds } from './fact.ts';

/** §7: the service refuses a request that it cannot carry out, and does not fail. */
export const badInputSurvived: Fact = (exchange) => {
  const { operation, intent, credentials, path, status, outcome } = exchange;
  if (operation === 'listTemplates' || intent === 'complete' || credentials !== 'key') return [];
  if (!concernsOneLead(operation) && !routes[operation].paths.includes(path)) return [];
  const check = `${operationOf(operation).area}.survives-bad-input`;
  if (isServerError(exchange))
    return [
      broken(
        check,
        exchange,
        'success, or an error response that describes what is wrong with the request',
        `status ${status}`,
      ),
    ];
  return outcome === 'success' || outcome === 'refusal' ? [holds(check)] : [];
};
