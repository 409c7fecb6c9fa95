import { describeRefusal, type Exchange, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { concernsOneLead, operationOf } from '../exchange/operations.ts';
import { isForeignPage, isServerError } from '../exchange/origin.ts';
import { conflict, hasGoneStatus, isAbsent } from '../exchange/responses.ts';
import { broken, type Fact, holds, type Result, refused } from './fact.ts';

/**
 * §4: a complete request like one that was accepted before succeeds. A limit on the number of leads is open (§8), and so is the
 * refusal of a mail that was sent before.
 */
export const accepted: Fact = (exchange, model) => {
  const { operation, intent, credentials, outcome } = exchange;
  if (intent !== 'complete' || credentials !== 'key' || concernsOneLead(operation)) return [];
  const { area } = operationOf(operation);
  const check = `${area}.every-time`;
  if (outcome === 'success') return [holds(check)];
  if (!isRefusal(exchange) || isForeignPage(exchange)) return [];
  if (isAbsent(exchange) && operationOf(operation).paths.length === 1)
    return [
      broken(
        `${area}.success`,
        exchange,
        '200 and success: true',
        `no such operation: ${describeRefusal(exchange)}`,
      ),
    ];
  // Somebody may have deleted the template.
  if (operation === 'sendTemplateEmail' && hasGoneStatus(exchange)) return [];
  if (!model.accepts(exchange) || (exchange.status === conflict && model.wasSent(exchange))) return [];
  if (operation === 'addLead' && model.mayBeFull()) return [];
  return [
    refused(
      check,
      exchange,
      'a complete request like one that was accepted before to succeed',
      `refused: ${describeRefusal(exchange)}`,
    ),
  ];
};

/**
 * §7: the service refuses a request that it cannot carry out, and does not fail. Where it refuses leads, or mails, with other
 * statuses, a status of 500 is a failure, whatever its text.
 */
export const badInputSurvived: Fact = (exchange, model) => {
  const { operation, intent, credentials, path, status, outcome } = exchange;
  const isKey = credentials === 'key';
  if (isKey && intent === 'complete') return [];
  if (!concernsOneLead(operation) && !operationOf(operation).paths.includes(path)) return [];
  const { area, needs } = operationOf(operation);
  const check = `${area}.survives-bad-input`;
  const like = needs === 'mail' ? 'sendEmail' : 'addLead';
  const isFailure =
    isKey && outcome === 'refusal' && status >= 500 && !isAbsent(exchange) && model.refusedBelow500.has(like);
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

/** What the response to a request for something that does not exist shows: an error response is right, and a success is not. */
export const refusesUnknown = (check: string, exchange: Exchange, subject: string): readonly Result[] => {
  if (isSuccess(exchange))
    return [broken(check, exchange, 'an error response', `success for ${subject}`, '/success')];
  return isRefusal(exchange) ? [holds(check)] : [];
};
