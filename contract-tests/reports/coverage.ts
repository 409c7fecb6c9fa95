// How much of the document a run has checked, and which fields responses have shown.

import type { OperationId } from '../../mock/contract/operation-id.ts';
import { clip } from '../../mock/contract/shown-text.ts';
import { type Exchange, excerpt, isObject } from '../exchange/exchange.ts';
import { concernsOneLead, operationOf, operations } from '../exchange/operations.ts';
import { documentedFields } from '../facts/replies/response-schema.ts';
import type { Run } from '../runner/run.ts';
import type { CheckReport, Report } from './report.ts';

const unobservableFacts: readonly (readonly [operation: OperationId, fact: string])[] = [
  ['sendEmail', '§4.1 the email is sent to the specified recipient'],
  ['sendTemplateEmail', '§4.3 the email is built from the template with the variables supplied'],
];

/** The statuses of checks that were decided. */
const decidedStatuses: ReadonlySet<string> = new Set(['pass', 'fail', 'unstable']);

/** How many of the documented facts of these checks, and of those that nothing can show, were checked; and what else the run saw. */
export const coverageOf = (
  checks: readonly Pick<CheckReport, 'level' | 'status' | 'operation'>[],
  adaptations: Run['adaptations'],
  shown: Shown,
): Report['coverage'] => {
  const unobservable = unobservableFacts
    .filter(([unseen]) => checks.some(({ operation }) => operation === unseen))
    .map(([, fact]) => fact);
  const documented = checks.filter(({ level }) => level === 'documented');
  const checked = documented.filter(({ status }) => decidedStatuses.has(status)).length;
  const total = documented.length + unobservable.length;
  return { documented: { checked, total }, unobservable, ...shown, adaptations };
};

/** The fields that responses have shown, whatever the checks say of them. */
export type Shown = Pick<Report['coverage'], 'never_seen' | 'undocumented'>;

/** The largest number of fields that a report names for an operation. */
const maxNamed = 100;

/** The fields of one set that another one lacks, each as `operation /pointer`. */
const missingFrom = (
  operation: OperationId,
  known: ReadonlySet<string>,
  fields: Iterable<string>,
): string[] => {
  const pointers = [...fields].filter((pointer) => !known.has(pointer));
  const named = pointers.slice(0, maxNamed).map((pointer) => `${operation} ${clip(pointer, 100)}`);
  const left = pointers.length - named.length;
  return left > 0 ? [...named, `${operation} and ${left} more`] : named;
};

/** JSON Pointers of the fields down to those of `data` and its items; no deeper, because their content may be customer data. */
const fieldPointers = (json: unknown, at = ''): string[] => {
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => {
    const pointer = `${at}/${name}`;
    if (pointer !== '/data') return [pointer];
    const items = Array.isArray(value)
      ? value.slice(0, 50).flatMap((item) => fieldPointers(item, '/data/*'))
      : fieldPointers(value, '/data');
    return [pointer, ...items];
  });
};

/** Maximum number of fields per operation to remember, and maximum length of each pointer: an app may send traffic for days. */
const [maxFields, maxPointerLength] = [500, 68];

/** Collects the fields of success responses by operation: of these exchanges, and of each one that `note` gets later. */
export const createCoverage = (exchanges: readonly Exchange[] = []) => {
  const fields = new Map<OperationId, Set<string>>();
  const note = ({ operation, path, outcome, json }: Exchange): void => {
    // Excludes responses at paths that the document does not have, such as a list of leads.
    const isDocumented = concernsOneLead(operation) || operationOf(operation).paths.includes(path);
    if (outcome !== 'success' || !isDocumented) return;
    const pointers = fields.get(operation) ?? new Set();
    fields.set(operation, pointers);
    for (const pointer of fieldPointers(json))
      if (pointers.size < maxFields) pointers.add(excerpt(pointer, maxPointerLength));
  };
  exchanges.forEach(note);
  return {
    note,
    shown: (): Shown => {
      const seen = operations.flatMap(({ id }) => {
        const pointers = fields.get(id);
        return pointers ? [{ id, pointers, documented: new Set(documentedFields(id)) }] : [];
      });
      return {
        never_seen: seen.flatMap(({ id, pointers, documented }) => missingFrom(id, pointers, documented)),
        undocumented: seen.flatMap(({ id, pointers, documented }) => missingFrom(id, documented, pointers)),
      };
    },
  };
};
