// A request without a usable response, sent again at once: what comes then shows whether the first response was the service's fault.

import { lostExchange } from '../client/client.ts';
import { RequestFailed } from '../client/errors.ts';
import {
  type Call,
  cleanUp,
  control,
  describeRefusal,
  type Exchange,
  isRefusal,
  isSuccess,
} from '../exchange/exchange.ts';
import { causesMail, operationOf } from '../exchange/operations.ts';
import { conflict } from '../exchange/responses.ts';
import { classifyError, falseIfUndecided } from './outcome.ts';
import type { Shared } from './shared.ts';

type Used = Pick<Shared, 'client' | 'history' | 'pathForms'>;

/** Whether a request without a response may show a defect: an ordinary one would not, nor one that may cause a mail each time. */
const mayShowDefect = (call: Call, error: unknown): error is RequestFailed =>
  error instanceof RequestFailed &&
  (error.kind === 'closed' || error.kind === 'timeout') &&
  call.intent !== 'complete' &&
  call.credentials === 'key' &&
  call.operation !== 'listTemplates' &&
  !causesMail(call) &&
  ![cleanUp, control].includes(call.scenario);

/** Whether the deployment lists its templates, as it does when it is available. */
const isAvailable = async ({ client, pathForms }: Used): Promise<boolean> => {
  const operation = 'listTemplates';
  const [path = operationOf(operation).paths[0]] = pathForms(operation);
  const common = { credentials: 'key', intent: 'complete', scenario: control } as const;
  const list = await client.send({ ...common, operation, method: 'GET', path }).catch(falseIfUndecided);
  return list && isSuccess(list);
};

/** How often a request is sent again. Twice in a row: no fault of every n-th request does that. */
const repetitions = 2;

const isLostAgain = async ({ client }: Used, call: Call): Promise<boolean> => {
  for (let count = 0; count < repetitions; count += 1) {
    const ended = await client.send(call).catch((error: unknown) => {
      if (classifyError(error) === undefined) throw error;
      return error;
    });
    if (!mayShowDefect(call, ended)) return false;
  }
  return true;
};

/**
 * Decides whether a request makes the service fail (§7) that got no response: it gets none again, each time that it is repeated,
 * while the deployment is available before and after that.
 * @returns the exchange without a response, so that the scenario can go on
 * @throws the error if the reason may have passed
 */
export const judgeLoss = async (used: Used, call: Call, error: unknown): Promise<Exchange> => {
  if (!mayShowDefect(call, error)) throw error;
  const isDefect = (await isAvailable(used)) && (await isLostAgain(used, call)) && (await isAvailable(used));
  if (!isDefect) throw error;
  const now = used.client.clock.now();
  const exchange = lostExchange(call, now, now);
  const check = `${operationOf(call.operation).area}.survives-bad-input`;
  const expected = 'success, or an error response that describes what is wrong with the request';
  const actual = `no response: ${error.message}`;
  used.history.add({
    exchange,
    results: [{ check, broken: { expected, actual, exchange, isProven: true } }],
  });
  return exchange;
};

/** Whether two exchanges were pending at the same time. */
const overlap = (left: Exchange, right: Exchange): boolean =>
  left !== right && left.sentAt < right.receivedAt && right.sentAt < left.receivedAt;

/**
 * Sends a mail again that got an error response, which costs nothing if it is refused again. If the same request is accepted now,
 * nothing in it was a reason for the error. A deployment may refuse duplicates for some time (409), which may have passed: then it
 * refuses the next one.
 * @returns the success, or else the refusal
 */
export const judgeRefusedMail = async (
  { client, history }: Used,
  call: Call,
  refused: Exchange,
): Promise<Exchange> => {
  const { operation, credentials, intent } = call;
  const isOrdinary = causesMail(call) && credentials === 'key' && intent !== 'probe';
  // One that failed may have been sent: it is sent again only if nothing in it is unusual, and such a mail was accepted before.
  const isFailure = refused.outcome === 'refusal' && intent === 'complete' && history.model.accepts(refused);
  const isDue = isRefusal(refused) || isFailure;
  if (!isOrdinary || !isDue) return refused;
  const isDuplicate = refused.status === conflict && history.model.wasSent(refused);
  const sendAgain = (): Promise<Exchange | false> => client.send(call).catch(falseIfUndecided);
  await client.idle(); // another mail that is pending may be the reason
  const again = await sendAgain();
  if (!again || !isSuccess(again)) return refused;
  if (isDuplicate) {
    const next = await sendAgain();
    if (!next || !isSuccess(next)) return refused;
  }
  const isBesideMail = client.exchanges.some(
    (other) => other.operation === operation && overlap(other, refused),
  );
  const isTogether = operation === 'sendEmail' && isBesideMail;
  const check = isTogether ? 'email.send.together' : `${operationOf(operation).area}.every-time`;
  const expected = isTogether
    ? 'two mails at the same time to be accepted'
    : 'a mail that is accepted when it is sent again to be accepted the first time';
  const actual = `refused: ${describeRefusal(refused)}`;
  history.add({
    exchange: refused,
    results: [{ check, broken: { expected, actual, exchange: refused, isRefused: true } }],
  });
  return again;
};
