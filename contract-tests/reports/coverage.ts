import type { OperationId } from '../../mock/contract/operation-id.ts';
import { type Exchange, excerpt } from '../exchange/exchange.ts';
import { concernsOneLead, operations, routes } from '../exchange/operations.ts';
import { compareFields, fieldPointers } from '../facts/replies/response-schema.ts';
import type { Report } from './report.ts';

/** What responses have shown, whatever the checks say of them. */
export type Shown = Pick<Report['coverage'], 'statuses' | 'never_seen' | 'undocumented'>;

/** Maximum number of fields per operation to remember, and maximum length of each pointer: an app may send traffic for days. */
const [maxFields, maxPointerLength] = [500, 68];

/** Counts the statuses of all responses and the fields of success responses, by operation. */
export const createCoverage = () => {
  const statuses: Record<string, Record<string, number>> = {};
  const fields = new Map<OperationId, Set<string>>();

  const countStatus = (operation: string, status: number): void => {
    const row = statuses[operation] ?? {};
    statuses[operation] = row;
    row[status] = (row[status] ?? 0) + 1;
  };

  return {
    countStatus,
    note: ({ operation, path, status, outcome, json }: Exchange): void => {
      countStatus(operation, status);
      // Excludes responses at paths that the document does not have, such as a list of leads.
      const isDocumented = concernsOneLead(operation) || routes[operation].paths.includes(path);
      if (outcome !== 'success' || !isDocumented) return;
      const pointers = fields.get(operation) ?? new Set();
      fields.set(operation, pointers);
      for (const pointer of fieldPointers(json))
        if (pointers.size < maxFields) pointers.add(excerpt(pointer, maxPointerLength));
    },
    shown: (): Shown => {
      const rows = operations.flatMap(({ id }) => {
        const pointers = fields.get(id);
        return pointers ? [compareFields(id, pointers)] : [];
      });
      return {
        // Which operation responded first differs from run to run.
        statuses: Object.fromEntries(
          Object.entries(statuses).sort(([left], [right]) => (left < right ? -1 : 1)),
        ),
        never_seen: rows.flatMap(({ never }) => never),
        undocumented: rows.flatMap(({ extra }) => extra),
      };
    },
  };
};

/** What the responses of a run have shown. */
export const shownBy = (exchanges: readonly Exchange[]): Shown => {
  const coverage = createCoverage();
  for (const exchange of exchanges) coverage.note(exchange);
  return coverage.shown();
};
