import { dataOf, type Exchange, isObject } from '../client/exchange.ts';
import type { Verdict } from '../runner/verdict.ts';
import { type Check, isReplyCheck } from '../session/check.ts';
import { leadFields } from '../session/own-lead.ts';

/**
 * How deep in a response a claim looks: whoever cannot read it as text need not look for a field, and where a field is not
 * what was sent, nothing that is looked for by it can be right. That a wrong key has the good one refused says why it is
 * refused elsewhere.
 */
export const depthOf = ({ id }: Pick<Check, 'id'>): number => {
  if (/^replies\.(encoding|distinct-names)|\.auth\.then-key$/.test(id)) return 0;
  if (/\.(success|every-time)$/.test(id)) return 1;
  if (/^(failures|replies)\./.test(id)) return 2;
  if (/\.(echoes-[\w-]+|keeps-other-fields)$/.test(id)) return 4;
  return /\.(data|error|message|items|id|lead-id|name|source|note|body|variables|created-at|updated-at)$/.test(
    id,
  )
    ? 3
    : 5;
};

/** A finding with the response that shows it. */
type Found = Verdict & { readonly failure: NonNullable<Verdict['failure']> };

const isFound = (verdict: Verdict): verdict is Found => verdict.failure !== undefined;

/** For each finding that follows from another one: the id of that one. */
export const rootsOf = (verdicts: readonly Verdict[]): Map<string, string> => {
  const findings = verdicts.filter(isFound);
  const inDepth = [...findings].sort((left, right) => depthOf(left.check) - depthOf(right.check));
  const roots = new Map<string, string>();
  for (const finding of inDepth) {
    const earlier = inDepth.slice(0, inDepth.indexOf(finding)).filter(({ check }) => !roots.has(check.id));
    const root = earlier.find((candidate) => explains(candidate, finding));
    if (root) roots.set(finding.check.id, root.check.id);
  }
  return roots;
};

/** Whether the response that shows a finding is itself wrong in the way of a finding that looks less deep. */
const explains = (root: Found, { check, status, waived, failure }: Found): boolean => {
  const { exchange, actual } = failure;
  // What fails the run never hides behind what does not.
  if (!exchange || root.waived !== waived || (status === 'fail' && root.status !== 'fail')) return false;
  if (root.failure.exchange === exchange && root.failure.actual === actual) return true;
  if (depthOf(root.check) >= depthOf(check)) return false;
  return (
    isSameRefusal(root.failure.exchange, exchange) ||
    violates(root.check, exchange) ||
    isEchoedWrong(root.check, exchange) ||
    isAboutUnsentField(root.check, failure)
  );
};

const violates = (check: Check, exchange: Exchange): boolean =>
  isReplyCheck(check) &&
  (check.scope === 'every' || check.operation === exchange.operation) &&
  typeof check.inspect(exchange) === 'object';

/** The same error response to the same operation: it has one cause, whatever was asked. */
const isSameRefusal = (left: Exchange | undefined, right: Exchange): boolean =>
  left !== undefined &&
  left.outcome !== 'success' &&
  left.operation === right.operation &&
  left.status === right.status &&
  (left.status >= 500 || left.text === right.text);

/** A field that was sent comes back as something else, where that is found wrong of plain texts already. */
const isEchoedWrong = (check: Check, exchange: Exchange): boolean => {
  if (!/\.echoes-/.test(check.id) || check.operation !== exchange.operation) return false;
  if (exchange.outcome !== 'success' || exchange.body === undefined) return false;
  const sent = parse(exchange.body);
  const data = dataOf(exchange);
  return leadFields.some(
    (name) => typeof sent[name] === 'string' && data[name] !== undefined && data[name] !== sent[name],
  );
};

/** A name or a source that an update did not send, where updates are found to change such fields. */
const isAboutUnsentField = (check: Check, { expected, exchange }: Found['failure']): boolean => {
  if (!check.id.endsWith('.keeps-other-fields') || exchange?.operation !== check.operation) return false;
  const [, field] = /^data\.(name|source)\b/.exec(expected) ?? [];
  return field !== undefined && parse(exchange.body ?? '')[field] === undefined;
};

const parse = (body: string): Readonly<Record<string, unknown>> => {
  try {
    const json: unknown = JSON.parse(body);
    return isObject(json) ? json : {};
  } catch {
    return {};
  }
};
