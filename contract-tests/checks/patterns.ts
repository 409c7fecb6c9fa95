// Patterns of check ids, as `--only`, `--skip` and waivers have them.

import { describeUnknown } from '../../mock/contract/questions.ts';
import type { Check } from '../facts/check.ts';

/** Whether a segment of a pattern matches one of an id; `*` stands for any characters. */
const matchesSegment = (pattern: string, segment: string): boolean => {
  const parts = pattern.split(/\*+/).map((text) => text.replace(/\W/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(segment);
};

/**
 * Whether a pattern matches an id: it is the id, a former one, or a prefix up to a dot. A `*` in it stands for any characters of one
 * segment.
 */
export const matchesId = (pattern: string, id: string): boolean => {
  if (Object.hasOwn(formerIds, pattern)) return formerIds[pattern]?.includes(id) === true;
  const [wanted, segments] = [pattern.replace(/\.$/, '').split('.'), id.split('.')];
  return wanted.every((one, at) => segments[at] !== undefined && matchesSegment(one, segments[at]));
};

/** The ids and their groups, such as `leads.update`: everything that a pattern may match. */
export const withGroups = (ids: readonly string[]): string[] => [
  ...new Set(ids.flatMap((id) => id.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.')))),
];

/** The error for a pattern that matches no check, with similar names. */
export const noSuchCheck = (pattern: string, checks: readonly Check[]): string => {
  const known = withGroups(checks.map(({ id }) => id));
  return describeUnknown(
    'check or group of checks',
    pattern,
    known,
    'email-leads contract --list lists them all',
  );
};

/** Whether a pattern matches a check, as `matchesId` does. */
export const matches = (pattern: string, { id }: Check): boolean => matchesId(pattern, id);

const renamed = (
  area: string,
  present: readonly string[],
  former: readonly string[],
): readonly (readonly [string, readonly string[]])[] =>
  former.map((name) => [`${area}.${name}`, present.map((one) => `${area}.${one}`)]);

const kindsOfTexts = [
  'keeps-quotes',
  'keeps-markup',
  'keeps-newlines',
  'keeps-carriage-returns',
  'keeps-blanks',
  'keeps-outer-blanks',
  'keeps-invisible-characters',
  'keeps-control-characters',
  'keeps-signs',
  'keeps-escapes',
  'keeps-links',
  'keeps-commands',
  'keeps-capitals',
];

const kindsOfLetters = ['keeps-astral', 'keeps-accents'];

/** Ids that checks had in earlier versions, with the ids of the checks that replace them: command lines and waivers name them. */
export const formerIds: Readonly<Record<string, readonly string[]>> = Object.fromEntries([
  ...['leads.add', 'leads.update'].flatMap((area) => [
    ...renamed(area, ['keeps-texts'], kindsOfTexts),
    ...renamed(area, ['keeps-letters', 'keeps-texts'], kindsOfLetters),
    ...renamed(area, ['keeps-long-texts'], ['keeps-usual-length', 'keeps-long-note']),
  ]),
  ...renamed('leads.add', ['keeps-long-texts'], ['keeps-long-name']),
  ...renamed('leads.add', ['echoes-fields'], ['own-reply', 'near-duplicates']),
  ['leads.add.lasts', ['leads.update.nothing-else-changes']],
  ...renamed('leads.update', ['keeps-long-texts'], ['keeps-very-long-note']),
  ...renamed('leads.update', ['field-by-field'], ['keeps-name-and-source']),
  ['templates.list.lasting', ['templates.list.agrees']],
  ['leads.add.keeps-templates', ['templates.list.agrees']],
  ...renamed('leads.delete', ['removes'], ['removes-at-once', 'all-gone']),
]);
