import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { FactCheck, Level } from './check.ts';
import { claimOf } from './check.ts';

type Row = readonly [id: string, level: Level, section: string, title: string, more?: Partial<FactCheck>];

/** The checks of an operation, a row for each. */
export const rowsOf = (operation: OperationId, rows: readonly Row[]): readonly FactCheck[] =>
  rows.map(([id, level, section, title, more]) => ({
    ...claimOf(operation),
    id,
    level,
    section,
    title,
    isFact: true,
    ...more,
  }));

/** The claim that a request succeeds, and not only the first time. */
export const success = { about: 'success' } as const;

/** Titles of checks that several operations have. */
export const titles = {
  anyJsonForm: 'a body is accepted with line breaks, escapes, and its members in another order',
  documentedHeaders: 'a request with only the documented headers, spelled as documented, succeeds',
  survives: 'invalid input does not cause a server error',
} as const;
