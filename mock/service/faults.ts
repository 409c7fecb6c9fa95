import type { ConnectionFault, MatchedFault } from '../faults/faults.ts';
import { plainTextOf, responseOf } from '../faults/response.ts';
import type { Why } from '../nouns/journal.ts';
import { ApiError, type Reply } from './errors.ts';
import { authenticationError } from './headers.ts';

/** A response or a broken connection in place of that of the operation. */
export type Fault = Reply | { readonly connectionFault: ConnectionFault };

/** What a fault rule asks for; without a `fault` it only delays. */
type FaultEffect = { readonly fault?: Fault; readonly why: Why };

/** @throws ApiError for a rule with a status and without a body of its own */
export const effectOf = ({ rule, position }: MatchedFault): FaultEffect => {
  const { fault } = rule;
  const ruleName = `fault rule ${position} of this workspace`;
  const after = rule.take_effect ? ', after the operation took effect' : '';
  const because = (effect: string): Why => ({ code: 'fault', what: `${ruleName}: ${effect}${after}` });
  if (fault !== undefined) return { fault: { connectionFault: fault }, why: because(fault) };
  if (rule.status === undefined) return { why: because('delayed') };
  const { status, headers, body } = responseOf(rule);
  if (body === undefined) throw faultError(`${ruleName} answers ${status}${after}`, status, headers);
  return { fault: { status, headers, body }, why: because(`${status} with a body of its own`) };
};

const faultError = (reason: string, status: number, own: Readonly<Record<string, string>>): ApiError => {
  // As the deployment refuses a key that has expired.
  const expired = authenticationError({ key: '' }, 'Use a key that is valid.');
  const [error, message] = status === 401 ? [expired.message, expired.hint] : plainTextOf(status);
  const headers = { ...(status === 401 ? expired.extra.headers : {}), ...own };
  return new ApiError('fault', error, message, { status, headers, reason });
};
