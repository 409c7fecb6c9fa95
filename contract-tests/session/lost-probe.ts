import { lostExchange } from '../client/client.ts';
import { RequestFailed } from '../client/errors.ts';
import { causesMail } from '../client/permissions.ts';
import { type Call, cleanUp, controlCheck, type Exchange, isSuccess } from '../exchange/exchange.ts';
import { operationOf, routes } from '../exchange/operations.ts';
import type { Shared } from './shared.ts';

/** Whether a request without a response may show a defect: a valid one would not, nor one that may cause a mail each time. */
const mayShowDefect = (call: Call, error: unknown): error is RequestFailed =>
  error instanceof RequestFailed &&
  (error.kind === 'closed' || error.kind === 'timeout') &&
  call.intent === 'probe' &&
  call.credentials === 'key' &&
  call.operation !== 'listTemplates' &&
  !causesMail(call) &&
  ![cleanUp, controlCheck].includes(call.check);

type Used = Pick<Shared, 'client' | 'history' | 'pathForms'>;

/** Sends a request. @returns why it got no response, if it got none */
const tryToSend = ({ client }: Used, call: Call): Promise<Exchange | RequestFailed> =>
  client.send(call).catch((error: unknown) => {
    if (error instanceof RequestFailed && error.kind !== 'interrupted') return error;
    throw error;
  });

/** Whether the deployment lists its templates, as it does when it is available. */
const isAvailable = async (used: Used): Promise<boolean> => {
  const operation = 'listTemplates';
  const [path = routes[operation].paths[0]] = used.pathForms(operation);
  const common = { credentials: 'key', intent: 'complete', check: controlCheck } as const;
  const list = await tryToSend(used, { ...common, operation, method: 'GET', path });
  return !(list instanceof RequestFailed) && isSuccess(list);
};

/** How often a request is sent again. Twice in a row: no fault of every n-th request does that. */
const repetitions = 2;

const isLostAgain = async (used: Used, call: Call): Promise<boolean> => {
  for (let count = 0; count < repetitions; count += 1)
    if (!mayShowDefect(call, await tryToSend(used, call))) return false;
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
