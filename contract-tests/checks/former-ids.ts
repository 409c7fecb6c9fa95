const to = (
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
    ...to(area, ['keeps-texts'], kindsOfTexts),
    ...to(area, ['keeps-letters', 'keeps-texts'], kindsOfLetters),
    ...to(area, ['keeps-long-texts'], ['keeps-usual-length', 'keeps-long-note']),
  ]),
  ...to('leads.add', ['keeps-long-texts'], ['keeps-long-name']),
  ...to('leads.add', ['echoes-fields'], ['own-reply', 'near-duplicates']),
  ['leads.add.lasts', ['leads.update.nothing-else-changes']],
  ...to('leads.update', ['keeps-long-texts'], ['keeps-very-long-note']),
  ...to('leads.update', ['field-by-field'], ['keeps-name-and-source']),
  ['templates.list.lasting', ['templates.list.agrees']],
  ['leads.add.keeps-templates', ['templates.list.agrees']],
  ...to('leads.delete', ['removes'], ['removes-at-once', 'all-gone']),
]);
