import type { CheckReport } from './report.ts';

/** Findings that say the same of several operations: one headline instead of a wall. */
export type Group = {
  readonly headline: string;
  readonly status: CheckReport['status'];
  readonly section: string;
  readonly checks: readonly string[];
  readonly operations: readonly string[];
};

const areas = /^(templates\.list|email\.send|email\.template|leads\.add|leads\.update|leads\.delete)\./;

/** What a check claims apart from the operation it claims it of: `auth.missing-key`, `message`. */
const familyOf = ({ id }: CheckReport): string => id.replace(areas, '');

/** What came, without what differs from request to request. */
const kindOf = ({ finding }: CheckReport): string =>
  (finding?.actual ?? '')
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\/data\/\d+/g, '/data/…')
    .replace(/\d+/g, '…');

/** The findings in the order of the checks, those with one cause together. */
export const groupFindings = (checks: readonly CheckReport[]): Group[] => {
  const groups = new Map<string, CheckReport[]>();
  for (const check of checks) {
    if (!check.finding) continue;
    const key = `${check.status} ${check.waived ?? ''} ${familyOf(check)} ${kindOf(check)}`;
    groups.set(key, [...(groups.get(key) ?? []), check]);
  }
  return [...groups.values()].map(describe);
};

const describe = (members: readonly CheckReport[]): Group => {
  const [first] = members as [CheckReport, ...CheckReport[]];
  const operations = [...new Set(members.map(({ operation }) => operation))];
  return {
    headline:
      members.length === 1
        ? `${first.title}: ${first.finding?.actual}`
        : `${first.finding?.expected}: ${first.finding?.actual} (${operations.join(', ')})`,
    status: first.status,
    section: first.section,
    checks: members.map(({ id }) => id),
    operations,
  };
};
