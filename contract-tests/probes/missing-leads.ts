import { likeness } from '../controls.ts';
import { type Exchange, wordsOf } from '../exchange.ts';
import type { Session } from '../session.ts';
import { inconclusive, type Known, needUsable, type Observation, type Probe, statusTold } from './probe.ts';

const update = (session: Session, leadId: string, raw: string): Promise<Exchange> =>
  session.send('updateLead', { leadId, raw, intent: 'probe' });

const noteFor = (session: Session): string =>
  JSON.stringify({
    ...(session.demands.updateInFull ? session.newFields() : {}),
    note: session.unique('note'),
  });

/** §8: nothing is changed by it, because there is no lead to change. */
const padded = (session: Session, known: Known, bytes: number): Promise<Exchange> =>
  known.afterDeletion((id) => update(session, id, '{}'.padEnd(bytes)));

const sizes = [
  ['64KiB', 65_536],
  ['100KiB', 102_400],
  ['1MiB', 1_048_576],
] as const;
const largest = 1_048_576;

/** The first size whose next byte is refused otherwise than a small body is. */
const bodySize = async (session: Session, known: Known): Promise<Observation> => {
  const small = await padded(session, known, 2);
  const sameAsSmall = (reply: Exchange): boolean => likeness(reply) === likeness(small);
  let last = small;
  for (const [answer, bytes] of sizes) {
    last = await padded(session, known, bytes + 1);
    if (sameAsSmall(last)) continue;
    const within = await padded(session, known, bytes);
    if (sameAsSmall(within)) return { answer, exchange: last, saw: `${bytes} bytes are not refused so` };
    inconclusive(`the limit is below ${bytes} bytes and not among the answers`);
  }
  // The same words for everything would look the same: a lead that exists must take it.
  const lead = await session.ownLead();
  const raw = JSON.stringify({
    ...(session.demands.updateInFull ? lead.expected : {}),
    note: lead.expected.note,
  });
  const taken = await update(session, lead.id, raw.padEnd(largest + 1));
  if (taken.outcome === 'success') return { answer: 'unlimited', exchange: last, saw: 'as a small body' };
  return inconclusive(`a large body is refused in the same words as a small one: ${wordsOf(taken)}`);
};

const needDeletion = (session: Session, known: Known): void => {
  needUsable(session, known, 'updateLead');
  needUsable(session, known, 'deleteLead');
};

/** §7.4 and §8: asked of a lead that the run deleted. */
export const missingLeadProbes: readonly Probe[] = [
  {
    question: 'failure.delete-again-status',
    needs: 'writes',
    asks: 'DELETE a lead that the run deleted before',
    probe: async (session, known) => {
      needUsable(session, known, 'deleteLead');
      const again = (leadId: string): Promise<Exchange> =>
        session.send('deleteLead', { leadId, intent: 'probe' });
      return statusTold('failure.delete-again-status', await known.afterDeletion(again));
    },
  },
  {
    question: 'failure.unknown-lead-status',
    needs: 'writes',
    asks: 'PUT a note to a lead that the run deleted',
    probe: async (session, known) => {
      needDeletion(session, known);
      const exchange = await known.afterDeletion((id) => update(session, id, noteFor(session)));
      // Taken, it may have come into being.
      if (exchange.outcome === 'success')
        await session.send('deleteLead', { leadId: await known.deletedLead(), intent: 'probe' });
      return statusTold('failure.unknown-lead-status', exchange);
    },
  },
  {
    question: 'limits.body-size',
    needs: 'writes',
    asks: 'PUT `{}` and white space of 64 KiB, 100 KiB and 1 MiB and one byte more to a lead that the run deleted',
    probe: async (session, known) => {
      needDeletion(session, known);
      return bodySize(session, known);
    },
  },
];
