import { NotPermitted, RequestFailed } from '../client/errors.ts';
import { causesMail } from '../client/permissions.ts';
import { type Call, describeRefusal, type Exchange, isRefusal, isSuccess } from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import type { Shared } from './shared.ts';

/** Whether a refusal may have a reason that has nothing to do with the mail. A mail that is refused again costs nothing. */
const isUnfounded = (call: Call, exchange: Exchange): boolean =>
  causesMail(call) && call.credentials === 'key' && call.intent !== 'probe' && isRefusal(exchange);

/** Whether two exchanges were pending at the same time. */
const overlap = (left: Exchange, right: Exchange): boolean =>
  left !== right && left.sentAt < right.receivedAt && right.sentAt < left.receivedAt;

/**
 * Sends a mail again that was refused. If the same request is accepted now, nothing in it was a reason to refuse it.
 * @returns the success, or else the refusal
 */
export const judgeRefusedMail = async (
  { client, history }: Pick<Shared, 'client' | 'history'>,
  call: Call,
  refused: Exchange,
): Promise<Exchange> => {
  if (!isUnfounded(call, refused)) return refused;
  await client.idle(); // another mail that is pending may be the reason
  const again = await client.send(call).catch((error: unknown) => {
    if (error instanceof NotPermitted || error instanceof RequestFailed) return refused;
    throw error;
  });
  if (!isSuccess(again)) return refused;
  const isBesideMail = client.exchanges.some(
    (other) => other.operation === call.operation && overlap(other, refused),
  );
  const isTogether = call.operation === 'sendEmail' && isBesideMail;
  const check = isTogether ? 'email.send.together' : `${operationOf(call.operation).area}.every-time`;
  const expected = isTogether
    ? 'two mails at the same time to be accepted'
    : 'a mail that is accepted when it is sent again to be accepted the first time';
  const actual = `refused: ${describeRefusal(refused)}`;
  history.add({ exchange: refused, results: [{ check, broken: { expected, actual, exchange: refused } }] });
  return again;
};
