import type { OperationId } from '../mock/spec.ts';
import type { Problem } from './check.ts';
import { isAbsent } from './controls.ts';
import { type Exchange, isObject, speaks, wordsOf } from './exchange.ts';
import { paths, type Session } from './session.ts';

/** What asking each operation once, with everything documented, brought to light. */
export type Finding = {
  readonly problem?: Problem;
  /** The problem is that there is no such operation. */
  readonly absent?: true;
  readonly inconclusive?: string;
  readonly skipped?: string;
};

export const unable = (session: Session, operation: OperationId, finding: Finding): Finding => {
  const reason = finding.problem
    ? `it failed: ${finding.problem.actual}`
    : (finding.inconclusive ?? finding.skipped ?? '');
  session.abilities.set(operation, { usable: false, reason });
  return finding;
};

/** Asks again, twice at most, where the server failed: once may be chance, three times is an answer. */
export const persistently = async (ask: () => Promise<Exchange>): Promise<Exchange> => {
  let exchange = await ask();
  for (
    let again = 0;
    again < 2 && exchange.status >= 500 && exchange.outcome !== 'gateway' && !isAbsent(exchange);
    again += 1
  ) {
    exchange = await ask();
  }
  return exchange;
};

/** §6 of the design: which answers to a complete request break a documented fact, and which leave it open. */
const judge = (replies: readonly Exchange[], hint: string): Finding => {
  if (replies.some(({ outcome }) => outcome === 'success')) return {};
  const broken = replies.find(({ outcome }) => outcome === 'broken');
  if (broken)
    return {
      problem: { expected: '200 and success: true', actual: describeBroken(broken), exchange: broken },
    };
  const gateway = replies.find(({ outcome }) => outcome === 'gateway');
  if (gateway) return { inconclusive: `a gateway answered: ${wordsOf(gateway)}` };
  const [first] = replies;
  if (replies.every(isAbsent)) {
    const forms = replies.map(({ method, path }) => `${method} ${path}`).join(' and ');
    return {
      absent: true,
      problem: {
        expected: '200 and success: true',
        actual: `${forms} answered ${first ? absence(first) : 'nothing'}`,
        exchange: first,
      },
    };
  }
  const failing = replies.find((reply) => reply.status >= 500 && !isAbsent(reply));
  if (failing) {
    return {
      problem: {
        expected: '200 and success: true',
        actual: `${failing.status} three times in a row`,
        exchange: failing,
      },
    };
  }
  const refusal = replies.find((reply) => !isAbsent(reply)) ?? first;
  return {
    inconclusive: `the deployment refused a complete request: ${refusal ? wordsOf(refusal) : ''}${hint === '' ? '' : ` (${hint})`}`,
  };
};

/** A refusal in the service's own words may be about what was asked for; another says that nothing is there. */
const absence = (reply: Exchange): string =>
  speaks(reply.json) ? wordsOf(reply) : `${reply.status}: no such operation`;

export const describeBroken = ({ status, json }: Exchange): string => {
  if (status !== 200) return `status ${status}`;
  if (json === undefined) return '200 with a body that is not JSON';
  if (!isObject(json)) return '200 with a JSON body that is not an object';
  return Object.hasOwn(json, 'success') ? `success: ${JSON.stringify(json.success)}` : 'no field success';
};

export const conclude = (
  session: Session,
  operation: OperationId,
  replies: readonly Exchange[],
  hint = '',
): Finding => {
  const finding = judge(replies, hint);
  const working = replies.filter(
    ({ outcome, json }) =>
      outcome === 'success' || (outcome === 'broken' && (isObject(json) || paths[operation].length === 1)),
  );
  const forms = working.map(({ path }) => path);
  if (forms.length > 0) session.abilities.set(operation, { usable: true, forms });
  else unable(session, operation, finding);
  return finding;
};

export const succeeded = ({ outcome }: Exchange): boolean => outcome === 'success';

export const isPlainRefusal = (reply: Exchange): boolean =>
  reply.outcome === 'refusal' && !isAbsent(reply) && reply.status < 500;
