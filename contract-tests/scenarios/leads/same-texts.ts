// Leads that have a text in common, or nearly so.

import type { Fields } from '../../exchange/leads.ts';
import type { Scenario } from '../scenario.ts';
import type { Tools } from '../tools.ts';

/** A letter with an accent in place of a plain one. */
const withAccent = (text: string): string => text.replace('e', 'é');

/** Leads that share texts, whole or but for letter case or an accent, or that were there before: none is taken for another. */
const sameTexts = async ({ add, tryToAdd, tryToUpdate, read, remove, isThorough }: Tools): Promise<void> => {
  const first = await add();
  const { name, source, note } = first.expected;
  const leads = [
    first,
    await tryToAdd({ name, note }),
    await tryToAdd({ source, note }),
    ...(isThorough ? [await tryToAdd({ name, source })] : []),
    await tryToAdd({ name: name.toUpperCase(), source: source.toUpperCase(), note: note.toUpperCase() }),
    await tryToAdd({ name: withAccent(name), source: withAccent(source), note: withAccent(note) }),
  ];
  const shown = isThorough ? leads : [first, leads.at(-1)];
  for (let round = 0; round < (isThorough ? 12 : 1); round += 1) await read(...shown);
  // An update that makes a lead equal to the first one is an update of this lead only.
  const [, , other] = leads;
  if (other) await tryToUpdate(other, { name });
  await read(first);
  await remove(...leads);
  const again = await tryToAdd({ name, source });
  await read(again);
  await remove(again);
};

/** Leads that share empty texts: a request that selects leads by one of them would affect the others. */
const emptyTexts = async ({ tryToAdd, update, read, remove, isThorough }: Tools): Promise<void> => {
  const [name, source, note] = [{ name: '' }, { source: '' }, { note: '' }];
  const both = { ...source, ...note };
  // Never all three: a deployment may take the second lead for a duplicate.
  const kinds: Partial<Fields>[] = isThorough ? [name, source, note] : [name, both];
  for (const texts of kinds) {
    const changed = await tryToAdd(texts);
    if (!changed && texts === both) kinds.push(note);
    if (!changed) continue;
    const [deleted, other] = [await tryToAdd(texts), await tryToAdd(texts)];
    await update(changed);
    await read(deleted);
    await remove(deleted);
    await read(other, changed);
    await remove(other, changed);
  }
};

export const sameTextScenarios: readonly Scenario[] = [
  {
    id: 'leads.same-texts',
    needs: 'writes',
    leads: 6,
    decides: [
      'leads.add.echoes-fields',
      'leads.add.stores-note',
      'leads.add.distinct-ids',
      'leads.update.lasts',
      'leads.update.keeps-other-fields',
    ],
    run: sameTexts,
  },
  {
    id: 'leads.empty-texts',
    needs: 'writes',
    leads: 3,
    decides: ['leads.update.lasts', 'leads.delete.nothing-else'],
    run: emptyTexts,
  },
];
