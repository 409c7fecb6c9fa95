// Patterns of check ids, as `--only`, `--skip` and waivers have them.

import { describeUnknown } from '../../mock/contract/questions.ts';
import type { Check } from '../facts/check.ts';

/** Whether a pattern matches an id: it is the id, or a prefix up to a dot. A `*` in it stands for any characters of one segment. */
export const matchesId = (pattern: string, id: string): boolean => {
  const source = pattern
    .replace(/\.$/, '')
    .replaceAll(/\*+|\W/g, (sign) => (sign.startsWith('*') ? '[^.]*' : `\\${sign}`));
  return new RegExp(`^${source}(?:\\.|$)`).test(id);
};

/** The ids and their groups, such as `leads.update`: everything that a pattern may match. */
export const withGroups = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => id.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.')))),
];

/** The error for a pattern that matches no check, with similar names. */
export const noSuchCheck = (pattern: string, checks: readonly Check[]): string => {
  const known = withGroups(checks.map(({ id }) => id));
  const otherwise = 'email-leads contract --list lists them all';
  return describeUnknown('check or group of checks', pattern, known, otherwise);
};
