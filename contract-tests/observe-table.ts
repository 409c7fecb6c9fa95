import type { Found, Observed } from './observe.ts';
import type { Change } from './profile.ts';

const widths = [33, 5, 13, 11] as const;

const row = (...cells: readonly string[]): string =>
  cells
    .map((cell, column) => cell.padEnd(widths[column] ?? 0))
    .join(' ')
    .trimEnd();

export const tableHead: string = row('question', '§', 'answer', 'assumed', 'evidence');

/** A question as soon as it is decided. The assumed answer is `=` where the deployment gives the same. */
export const tableRow = (found: Found): string => {
  const { id, section, assumed } = found.question;
  if (found.status !== 'answered') return row(id, section, found.status, String(assumed), found.reason);
  return row(
    id,
    section,
    String(found.answer),
    found.answer === assumed ? '=' : String(assumed),
    found.evidence,
  );
};

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** What was asked and what could not be told, reasons together. */
export const summaryLines = ({ found, interrupted }: Observed, asked: number): string[] => {
  const count = (status: Found['status']): number => found.filter((one) => one.status === status).length;
  const parts = (['unstable', 'inconclusive', 'skipped'] as const)
    .filter((status) => count(status) > 0)
    .map((status) => `${count(status)} ${status}`);
  return [
    '',
    `${plural(asked, 'question')} asked: ${[`${count('answered')} answered`, ...parts].join(', ')}`,
    ...(interrupted ? ['interrupted: the rest was not asked'] : []),
    ...reasons(found),
  ];
};

const reasons = (found: readonly Found[]): string[] => {
  const groups = new Map<string, string[]>();
  for (const one of found) {
    if (one.status === 'answered') continue;
    const line = `${one.status}, because ${one.reason}`;
    groups.set(line, [...(groups.get(line) ?? []), one.question.id]);
  }
  return [...groups].map(([reason, ids]) => `  ${reason}: ${ids.join(', ')}`);
};

/** What the file gains: new and changed answers one by one, drift aloud. */
export const changeLines = (changes: readonly Change[]): string[] => {
  const of = (kind: Change['kind']): readonly Change[] => changes.filter((change) => change.kind === kind);
  return [
    ...of('changed').map(({ id, before, after }) => `  changed: ${id}, ${before} → ${after}`),
    ...of('drift').map(
      ({ id, before, after }) => `  drift: ${id} is pinned as ${before} and now ${after}; left alone`,
    ),
    `  ${of('new').length} new, ${of('changed').length} changed, ${of('same').length} as before, ${
      of('pinned').length + of('drift').length
    } pinned and left alone`,
  ];
};
