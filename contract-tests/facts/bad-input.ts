import { concernsOneLead, operationOf, routes } from '../exchange/operations.ts';
import { isServerError } from '../exchange/origin.ts';
import { broken, type Fact, holds } from './fact.ts';

/**
 * §7: the service refuses a request that it cannot carry out, and does not fail. Where it refuses leads with other statuses, a
 * status of 500 is a failure, whatever its text.
 */
export const badInputSurvived: Fact = (exchange, model) => {
  const { operation, intent, credentials, path, status, outcome } = exchange;
  if (operation === 'listTemplates' || intent === 'complete' || credentials !== 'key') return [];
  if (!concernsOneLead(operation) && !routes[operation].paths.includes(path)) return [];
  const { area, needs } = operationOf(operation);
  const check = `${area}.survives-bad-input`;
  const isFailure =
    outcome === 'refusal' &&
    status >= 500 &&
    model.refusedBelow500.has(needs === 'mail' ? 'sendEmail' : 'addLead');
  if (isServerError(exchange) || isFailure)
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
