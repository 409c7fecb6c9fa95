import { setTimeout as wait } from 'node:timers/promises';
import { dataOf } from '../client/exchange.ts';
import type { OwnLead } from '../session/own-lead.ts';
import { type Session, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { decidesNothing, type Verdict } from './verdict.ts';

/** How long a deployment may show the state from before an update; the checks wait so long between two updates of a lead then. */
export const lateMs = 1000;

export const lateReason = `updates of a lead were shown only some time later, within ${lateMs} ms`;

/** Where responses are slower than this, an update may show before anything is asked: then it is tried again. */
const fastMs = 100;
const rounds = 3;

/**
 * Two responses at once show the note from before an update, and a moment later all show the new one: they come from a copy
 * that lags behind. What shows the old note once, or comes back to it, is no such copy.
 */
const lagsBehind = async (session: Session, lead: OwnLead, round = 1): Promise<boolean> => {
  const shownNote = async (): Promise<unknown> => {
    const shown = await session.readBack(lead);
    return shown && dataOf(shown).note;
  };
  const { outcome } = await session.updateLead(lead, session.newNote());
  if (outcome !== 'success') return false;
  const { expected, noteBefore } = lead;
  const started = Date.now();
  const early = await Promise.all([shownNote(), shownNote()]);
  const isSlow = Date.now() - started > fastMs;
  await wait(early.every((note) => note === noteBefore) || isSlow ? lateMs : 0);
  if (early.every((note) => note === expected.note))
    return isSlow && round < rounds && lagsBehind(session, lead, round + 1);
  if (early.some((note) => note !== noteBefore)) return false;
  const late = [await shownNote(), await shownNote(), await shownNote()];
  return late.every((note) => note === expected.note);
};

const tryOnNewLead = async (shared: Shared): Promise<boolean> => {
  const session = sessionFor(shared, 'control');
  const lead = await session.ownLead();
  const isLate = await lagsBehind(session, lead);
  await session.deleteLead(lead);
  return isLate;
};

const showsUpdatesLate = (shared: Shared): Promise<boolean> => {
  shared.requirements.showsUpdatesLate ??= tryOnNewLead(shared).catch((error: unknown) => {
    if (!decidesNothing(error)) throw error;
    return false;
  });
  return shared.requirements.showsUpdatesLate;
};

/** Whether a verdict may be due to a copy that lags behind, which is asked once in a run, at the first failure. */
export const mayBeLate = async (shared: Shared, { status, failure }: Verdict): Promise<boolean> => {
  if (failure !== undefined) return showsUpdatesLate(shared);
  return status === 'inconclusive' && (await shared.requirements.showsUpdatesLate) === true;
};
