import type { Scenario } from '../scenario.ts';
import type { Tools } from '../tools.ts';
import { type Act, acts, type Cast } from './events.ts';

/**
 * Leads in every relation to a request: the oldest, the newest, one that shares a text with them, a deleted one. After each
 * request all of them are read; then it comes again directly before an addition, an update and a deletion.
 */
const beside = async (tools: Tools, chosen: readonly Act[]): Promise<void> => {
  const { add, tryToAdd, update, read, remove, session, isThorough } = tools;
  const oldest = await add();
  let other = await add();
  const { name, source, note } = other.expected;
  const alike = [await tryToAdd({ name, note }), await tryToAdd({ source, note })];
  const deleted = await add();
  // It shares a text with each of the others, if the deployment accepts that.
  const newest =
    (await tryToAdd({ name, source, note })) ?? (await tryToAdd({ source, note })) ?? (await add({ source }));
  const cast = (): Cast => ({ oldest, other, newest });
  const replaceOther = async (): Promise<void> => {
    if (tools.living().includes(other)) return;
    other = (await tryToAdd({ source, note })) ?? (await add());
  };
  await read(...alike, newest);
  // Another lead gets an update with the same body.
  await tools.tryToUpdate(newest, { note: newest.expected.note });
  await update(deleted);
  await remove(deleted);
  for (const act of chosen) {
    if (act.needs && !session.can(act.needs)) continue;
    await update(oldest);
    await act.run(tools, cast());
    // The last one of them may be the newest.
    await read(oldest, ...alike, newest, ...(tools.living().includes(other) ? [other] : []), deleted);
    await replaceOther();
  }
  for (const { run, needs, isCostly, isUsual, variants = 1 } of chosen) {
    if (isCostly || (isUsual && !isThorough) || (needs && !session.can(needs))) continue;
    for (let variant = 0; variant < (isThorough ? variants : 1); variant += 1) {
      await replaceOther();
      await run(tools, { ...cast(), variant });
      const late = await add();
      await replaceOther();
      await run(tools, { ...cast(), variant });
      await update(newest);
      await run(tools, { ...cast(), variant });
      await remove(late);
      if (isThorough) await read(late);
    }
  }
};

const scenario = (id: string, chosen: readonly Act[], rest: Partial<Scenario>): Scenario => ({
  id,
  needs: 'writes',
  leads: 8,
  decides: [
    'leads.update.nothing-else-changes',
    'leads.delete.nothing-else',
    ...chosen.flatMap(({ decides }) => decides),
  ],
  run: (tools) => beside(tools, chosen),
  ...rest,
});

export const besideScenarios: readonly Scenario[] = [
  scenario(
    'leads.beside',
    acts.filter(({ triesKeys, isCostly }) => !triesKeys && !isCostly),
    {},
  ),
  scenario(
    'leads.beside-mails',
    acts.filter(({ isCostly }) => isCostly),
    { needs: 'mail', mails: { usual: 2, thorough: 2 } },
  ),
  scenario(
    'leads.beside-wrong-keys',
    acts.filter(({ triesKeys }) => triesKeys),
    { triesKeys: true },
  ),
];
