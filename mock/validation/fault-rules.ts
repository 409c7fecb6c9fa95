import type { Operation } from '../contract/document.ts';
import { knownOperations } from '../contract/in-force.ts';
import { canMatchPath } from '../contract/path-template.ts';
import { nearest } from '../contract/questions.ts';
import type { FaultRule } from '../workspace/faults.ts';
import { checkSchema, StateError, unknownNameError } from './schema-errors.ts';
import { validators } from './state-schema.ts';

/**
 * Validates fault rules.
 * @throws StateError as `checkState`, with a pointer that begins with `/rules`
 */
export const checkRules = (
  value: unknown,
  names: readonly string[] = ['rules'],
): (FaultRule & RuleCounts)[] => {
  const unknownName = names.find((name) => name !== 'rules');
  if (unknownName !== undefined) throw unknownNameError('', unknownName, ['rules']);
  if (value === undefined) throw new StateError('/rules', 'is missing');
  checkSchema(validators.faultRules, value, '/rules');
  const list = value as (FaultRule & RuleCounts)[];
  for (const [index, rule] of list.entries()) checkRule(`/rules/${index}`, rule);
  return list;
};

type RuleCounts = { readonly seen?: number; readonly matched?: number };

// Deeper than any real request, and shallow enough to be serialized.
const maxDepth = 100;
// A request cannot contain more values.
const maxVisited = 1_000_000;

/** @throws StateError for a rule that no request can match, or with contradictory fields */
export const checkRule = (at: string, rule: FaultRule): void => {
  const { status, fault, delay_ms, body, retry_after } = rule;
  const unreachable = findUnreachable(rule);
  if (unreachable)
    throw new StateError(unreachable.name === '' ? at : `${at}/${unreachable.name}`, unreachable.problem);
  if (status === undefined && fault === undefined && delay_ms === undefined)
    throw new StateError(at, 'does nothing; give it a status, a fault or a delay_ms');
  if (rule.take_effect && status === undefined && fault === undefined)
    throw new StateError(
      at,
      'has a take_effect, which needs a status or a fault; what only waits takes effect anyway',
    );
  if (status !== undefined && fault !== undefined)
    throw new StateError(at, 'has both a status and a fault; a broken connection has no status');
  if (status === undefined && (body !== undefined || retry_after !== undefined))
    throw new StateError(at, `has a ${body === undefined ? 'retry_after' : 'body'}, which needs a status`);
  if (status !== undefined && status < 400 && body === undefined)
    throw new StateError(`${at}/status`, 'is a success, which needs a body');
  if ((status === 204 || status === 304) && body !== undefined)
    throw new StateError(`${at}/status`, 'is one of a reply without a body');
  if (typeof delay_ms === 'object' && delay_ms.min > delay_ms.max)
    throw new StateError(`${at}/delay_ms`, 'has a min above its max');
  if (isDeep(rule.when)) throw new StateError(`${at}/when`, `is nested more than ${maxDepth} deep`);
  if (isDeep(body)) throw new StateError(`${at}/body`, `is nested more than ${maxDepth} deep`);
};

const isDeep = (value: unknown): boolean => {
  let level = [value];
  let visited = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    const children = level.flatMap((item) =>
      typeof item === 'object' && item !== null ? Object.values(item) : [],
    );
    visited += children.length;
    // Values that occur several times are visited once, or their number would multiply from level to level.
    level = visited > maxVisited ? [...new Set(children)] : children;
  }
  return false;
};

type Conditions = {
  readonly operation?: string | undefined;
  readonly method?: string | undefined;
  readonly path?: string | undefined;
  readonly to?: string | undefined;
  readonly when?: object | undefined;
};

/** A condition that no request can meet. `name` is empty if only the combination cannot be met. */
type UnreachableCondition = { readonly name: keyof Conditions | ''; readonly problem: string };

/** Why a rule can never match, with any answers; `undefined` if it can. */
const findUnreachable = ({
  operation,
  method,
  path,
  to,
  when,
}: Conditions): UnreachableCondition | undefined => {
  const operations = knownOperations();
  const withOperation = operations.filter(({ id }) => operation === undefined || id === operation);
  if (withOperation.length === 0) {
    const ids = operations.map(({ id }) => id);
    return { name: 'operation', problem: `is not an operation; ${suggest(operation ?? '', ids)}` };
  }
  const upperMethod = method?.toUpperCase();
  const methods = operations.flatMap(methodsOf);
  if (upperMethod !== undefined && !methods.includes(upperMethod))
    return { name: 'method', problem: `is not a method of the service; ${suggest(upperMethod, methods)}` };
  if (path?.includes('?'))
    return { name: 'path', problem: 'has a query; leave it out, a rule is about the path' };
  const atPath = operations.filter((operation) => path === undefined || canMatchPath(operation.path, path));
  if (atPath.length === 0) {
    const paths = operations.map((operation) => operation.path);
    return { name: 'path', problem: `is not a path of the service; ${suggest(path ?? '', paths)}` };
  }
  const candidates = withOperation.filter((operation) => atPath.includes(operation));
  const reachable = candidates.filter(
    (operation) => upperMethod === undefined || methodsOf(operation).includes(upperMethod),
  );
  if (reachable.length === 0)
    return {
      name: '',
      problem: `can never match: there is ${describeOperations(candidates.length > 0 ? candidates : withOperation)}`,
    };
  if ((to !== undefined || when !== undefined) && !reachable.some(({ body }) => body))
    return {
      name: to === undefined ? 'when' : 'to',
      problem: `can never match: ${describeOperations(reachable)} takes no body`,
    };
  return undefined;
};

const methodsOf = ({ method }: Operation): string[] =>
  method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()];

const suggest = (value: string, known: readonly string[]): string =>
  `did you mean ${nearest(value.slice(0, 200), [...new Set(known)])}?`;

const describeOperations = (operations: readonly Operation[]): string =>
  operations.map(({ id, method, path }) => `${id}, ${method.toUpperCase()} ${path}`).join(' and ');
