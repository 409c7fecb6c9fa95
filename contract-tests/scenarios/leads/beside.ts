import type { Scenario } from '../scenario.ts';
import type { Tools } from '../tools.ts';
import { type Act, acts } from './events.ts';

/** Acts one by one; a usual run sends the requests of neighbours at the same places. */
const inGroups = (chosen: readonly Act[], isThorough: boolean): readonly (readonly Act[])[] => {
  const isApart = ({ isOnce }: Act): boolean => isThorough || isOnce === true;
  const groups: Act[][] = [];
  for (const act of chosen) {
    const last = groups.at(-1);
    if (last && ![act, ...last].some(isApart)) last.push(act);
    else groups.push([act]);
  }
  return groups;
};

/**
 * Leads in every relation to a request: the newest shares its note with the oldest, its name and source with another one, and all
 * of them with one that was just deleted. Requests of each kind come directly before an addition, an update, a deletion and a read;
 * then all these leads are read.
 */
const beside = async (tools: Tools, chosen: readonly Act[]): Promise<void> => {
  const { add, addAlike, update, read, remove, session, isThorough, waitForEffects } = tools;
  const [oldest, other] = [await add(), await add()];
  const newest = await addAlike({ expected: { ...other.expected, note: oldest.expected.note } });
  const due = chosen.filter(({ needs }) => needs === undefined || session.can(needs));
  for (const group of inGroups(due, isThorough)) {
    const all = group.map(({ requests }) => requests(tools, { other, newest }));
    if (group.some(({ isOnce }) => isOnce)) {
      const late = await addAlike(newest);
      await remove(late);
      for (const request of all.flat()) await request();
      await read(newest, oldest, other, late);
      continue;
    }
    const send = async (at: number): Promise<void> => {
      for (const requests of all) await requests[at % requests.length]?.();
    };
    const rounds = isThorough ? Math.max(...all.map(({ length }) => length)) : 1;
    for (let round = 0; round < rounds; round += 1) {
      await send(round);
      const { source, note } = newest.expected;
      const late = await addAlike({ expected: { ...session.newFields(), source, note } });
      await send(round + 1);
      await update(other);
      await send(round + 2);
      await remove(late);
      await send(round);
      await read(newest, oldest, other, late);
    }
  }
  // Other scenarios wait for the effects of other requests.
  if (!chosen.some(({ causesMail }) => causesMail)) return;
  await waitForEffects();
  await read(newest, oldest);
};

const scenario = (id: string, chosen: readonly Act[], rest: Partial<Scenario>): Scenario => ({
  id,
  needs: 'writes',
  leads: 5,
  decides: [
    'leads.update.lasts',
    'leads.update.keeps-other-fields',
    'leads.delete.nothing-else',
    ...chosen.flatMap(({ decides }) => decides),
  ],
  run: (tools) => beside(tools, chosen),
  ...rest,
});

export const besideScenarios: readonly Scenario[] = [
  scenario(
    'leads.beside',
    acts.filter(({ causesMail }) => !causesMail),
    {},
  ),
  scenario(
    'leads.beside-mails',
    acts.filter(({ causesMail }) => causesMail),
    { needs: 'mail', mails: { usual: 2, thorough: 2 } },
  ),
];
