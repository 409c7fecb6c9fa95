import type { OperationId } from '../../mock/spec.ts';
import { isObject } from '../exchange.ts';
import { documentedFields } from '../reply-schema.ts';
import type { Run } from '../run.ts';
import { paths } from '../session.ts';

export type Coverage = {
  /** Documented facts with a verdict, of all there are. */
  readonly documented: { readonly checked: number; readonly total: number };
  /** Documented facts that cannot be seen from outside. */
  readonly unobservable: readonly string[];
  /** How often each status was seen, by operation. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Documented reply fields that no success carried, as `operation /pointer`. */
  readonly never_seen: readonly string[];
  /** Reply fields of successes that the document does not name; allowed, and good to know. */
  readonly undocumented: readonly string[];
};

const unobservable: readonly string[] = [
  '§4.1 the email is sent to the specified recipient',
  '§4.3 the email is built from the template with the variables supplied',
];

const decided = new Set(['pass', 'fail', 'unstable']);

export const coverageOf = ({ verdicts, exchanges }: Run): Coverage => {
  const documented = verdicts.filter(({ check }) => check.level === 'documented');
  const fields = (Object.keys(paths) as OperationId[]).map((operation) => fieldsOf(operation, exchanges));
  return {
    documented: {
      checked: documented.filter(({ status }) => decided.has(status)).length,
      total: documented.length + unobservable.length,
    },
    unobservable,
    statuses: statusesOf(exchanges),
    never_seen: fields.flatMap(({ never }) => never),
    undocumented: fields.flatMap(({ extra }) => extra),
  };
};

const statusesOf = (exchanges: Run['exchanges']): Coverage['statuses'] => {
  const seen: Record<string, Record<string, number>> = {};
  for (const { operation, status } of exchanges) {
    const row = seen[operation] ?? {};
    seen[operation] = { ...row, [status]: (row[status] ?? 0) + 1 };
  }
  return seen;
};

const fieldsOf = (
  operation: OperationId,
  exchanges: Run['exchanges'],
): { never: string[]; extra: string[] } => {
  const successes = exchanges.filter(
    (exchange) => exchange.operation === operation && exchange.outcome === 'success',
  );
  if (successes.length === 0) return { never: [], extra: [] };
  const seen = new Set(successes.flatMap(({ json }) => pointersIn(json, '')));
  const documented = new Set(documentedFields(operation));
  return {
    never: [...documented]
      .filter((pointer) => !seen.has(pointer))
      .map((pointer) => `${operation} ${pointer}`),
    extra: [...seen]
      .filter((pointer) => !documented.has(pointer))
      .map((pointer) => `${operation} ${pointer}`),
  };
};

/** Names of fields down to those of `data` and of the items of `data`; not further: what is in them is nobody's business. */
const pointersIn = (json: unknown, at: string): string[] => {
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    const pointer = `${at}/${name}`;
    if (pointer !== '/data') return [pointer];
    const items = Array.isArray(value)
      ? value.slice(0, 50).flatMap((item) => pointersIn(item, '/data/*'))
      : pointersIn(value, '/data');
    return [pointer, ...items];
  });
};
