import type { Exchange } from '../client/exchange.ts';
import { isAbsent } from '../session/availability.ts';
import type { ReplyCheck } from '../session/check.ts';
import { isFirewallPage } from '../session/gateway-page.ts';
import { isInScope } from '../session/operations.ts';
import type { Discovery } from '../session/outcome.ts';
import { concernsOneLead } from '../session/routes.ts';
import type { Shared } from '../session/shared.ts';
import { failed, type Verdict, verdictFor } from './verdict.ts';

/** The verdict of each check on all responses of the run. What the responses do not decide, the check says itself. */
export const inspectReplies = (
  shared: Shared,
  checks: readonly ReplyCheck[],
  discovery: Discovery,
): readonly Verdict[] => {
  const answers = shared.client.exchanges.filter((exchange) => isAnswer(shared, exchange));
  return checks.map((check) => {
    try {
      return inspect(shared, answers, check, discovery);
    } catch (error) {
      return verdictFor(check, error);
    }
  });
};

const inspect = (
  session: Shared,
  answers: readonly Exchange[],
  check: ReplyCheck,
  discovery: Discovery,
): Verdict => {
  const finding = discovery.get(check.operation);
  const isSuccessCheck = check.id.endsWith('.success') && check.scope !== 'every';
  if (isSuccessCheck && finding?.failure) return failed(check, finding.failure);
  let inspected = 0;
  const exchanges = answers.filter((exchange) => isRelevant(session, check, exchange));
  for (const exchange of exchanges) {
    const result = check.inspect(exchange);
    if (typeof result === 'object') return failed(check, result);
    if (result === 'fine') inspected += 1;
  }
  const failure = check.inspectAll?.(exchanges);
  if (failure) return failed(check, failure);
  if (inspected > 0) return { check, status: 'pass' };
  // Tried and not seen: nothing of this kind was answered by the service itself.
  if (finding?.inconclusive && (isSuccessCheck || session.circuit.hasStopped()))
    return { check, status: 'inconclusive', reason: finding.inconclusive };
  const [trouble] = session.circuit.troubles();
  if (trouble !== undefined && finding?.skipped === undefined)
    return { check, status: 'inconclusive', reason: trouble };
  const capability = session.capabilities.get(check.operation);
  const reason =
    finding?.skipped ??
    (capability?.available === false ? capability.reason : 'no reply of this kind was seen');
  return { check, status: 'skipped', reason };
};

/** What to inspect: not what came in place of an answer, but for a page that a check of pages is to name. */
const isAnswer = ({ circuit, client }: Shared, exchange: Exchange): boolean =>
  !circuit.isSuspect(exchange) || isFirewallPage(exchange, client.exchanges);

/** Replies under a path form that does not exist, or of an operation that is absent, are not replies of the operation. */
const isRelevant = (session: Shared, check: ReplyCheck, exchange: Exchange): boolean => {
  if (!isInScope(check, exchange.operation)) return false;
  const capability = session.capabilities.get(exchange.operation);
  if (capability?.available !== true) return !isAbsent(exchange);
  return concernsOneLead(exchange.operation) || capability.pathForms.includes(exchange.path);
};
