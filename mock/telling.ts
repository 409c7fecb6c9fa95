import type { Clock } from './clock.ts';
import type { Events } from './events.ts';
import type { Faults } from './faults.ts';
import type { Journal } from './journal.ts';
import type { Outbox } from './outbox.ts';
import type { OwnAnswers } from './own-answers.ts';

type Parts = {
  readonly outbox: Outbox;
  readonly journal: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly ownAnswers: OwnAnswers;
};

/**
 * The same parts of a workspace, which tell whoever watches when somebody changes them, by whatever way. A reset or another
 * state changes them silently and then says so itself.
 */
export const telling = (
  { publish }: Events,
  { outbox, journal, faults, clock, ownAnswers }: Parts,
): Parts => ({
  outbox: {
    ...outbox,
    remove: (id) => {
      const gone = outbox.remove(id);
      if (gone) publish('outbox', () => ({ change: 'deleted', id }));
      return gone;
    },
    clear: after(outbox.clear, () => publish('outbox', () => ({ change: 'cleared' }))),
  },
  journal: {
    ...journal,
    clear: after(journal.clear, () => publish('requests', () => ({ change: 'cleared' }))),
  },
  faults: {
    ...faults,
    replace: after(faults.replace, () => publish('faults', () => ({ rules: faults.list().length }))),
  },
  clock: {
    ...clock,
    change: after(clock.change, () => publish('clock', clock.reading)),
    restore: after(clock.restore, () => publish('clock', clock.reading)),
  },
  ownAnswers: {
    ...ownAnswers,
    change: after(ownAnswers.change, () => publish('answers', ownAnswers.given)),
    replace: after(ownAnswers.replace, () => publish('answers', ownAnswers.given)),
  },
});

/** Tells only of what was done: a change that is refused throws. */
const after =
  <Given extends unknown[]>(change: (...given: Given) => void, tell: () => void) =>
  (...given: Given): void => {
    change(...given);
    tell();
  };
