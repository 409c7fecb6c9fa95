import { checks } from '../checks/index.ts';
import named from './finders.json' with { type: 'json' };
import type { Outcome } from './suite-result.ts';

/** For each check the broken servers that show it best: on which it finds something beside few other checks. */
export type Finders = ReadonlyMap<string, readonly string[]>;

export const finders: Finders = new Map(Object.entries(named));

/** Several, because some faults depend on chance. */
const serversPerCheck = 3;

/** Chooses the servers for each check, from the result of the whole suite on every broken server. */
export const chooseFinders = (outcomes: readonly Outcome[]): Record<string, string[]> => {
  const bySize = outcomes.toSorted((left, right) => left.row.findings.length - right.row.findings.length);
  const chosen = checks.map(({ id }): [string, string[]] => {
    const servers = bySize.filter(({ row }) => row.findings.some(({ check }) => check === id));
    return [id, servers.slice(0, serversPerCheck).map(({ deployment }) => deployment.id)];
  });
  return Object.fromEntries(chosen);
};

/**
 * Broken servers whose fault depends on which requests happen at the same time, or on how late they are: one run may miss them,
 * and a script that sends the same requests need not show them.
 */
export const dependOnChance: ReadonlySet<string> = new Set([
  'concurrent-updates-mixed',
  'late-update-lost',
  'refused-update-stored-late',
  'second-list-at-once-empty',
  'second-mail-at-once',
  // Mails of other scenarios change the templates too.
  'sent-templates-renamed',
  'sent-templates-unlisted',
  'update-at-once-lost',
]);

/** Broken servers that even a thorough run does not find. */
export const unfound: ReadonlySet<string> = new Set([
  'add-takes-id',
  'delete-like-number',
  'delete-of-empty-notes',
  'deleted-lead-revived',
  'every-eighth-send-400',
  'every-seventh-send-401',
  'id-is-of-name-and-source',
  'id-is-of-the-name',
  'id-is-of-the-name-in-any-case',
  'lead-forgotten',
  'percent-in-lead-500',
  'same-note-merged',
  'template-refused-after-unknown',
  'template-sent-once',
  'update-reaches-namesakes',
]);
