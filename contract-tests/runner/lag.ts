import { setTimeout as wait } from 'node:timers/promises';
import { controlCheck, dataOf, type Exchange } from '../client/exchange.ts';
import { createTools } from '../scenarios/tools.ts';
import { sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { falseIfUndecided } from './verdict.ts';

/** Longest time in milliseconds for which a response may show the state from before a change; the document states none. */
const maxLagMs = 5000;

/** Pauses in milliseconds between two reads. */
const pausesMs = [0, 60, 120, 250, 250, 500, 500, 1000, 1000, 1500];

/**
 * The milliseconds until reads show a change: from its response to the first read that shows the new state, if others before
 * it show the old one. Reads that show the old state again after the new one, or never the new one, are no lag.
 */
const lagOf = async (
  read: () => Promise<Exchange>,
  isNew: (exchange: Exchange) => boolean,
): Promise<number> => {
  const started = performance.now();
  let wasOld = false;
  for (const pauseMs of pausesMs) {
    await wait(pauseMs);
    if (!isNew(await read())) {
      wasOld = true;
      continue;
    }
    const lag = wasOld ? performance.now() - started : 0;
    for (let count = 0; count < 3; count += 1) if (!isNew(await read())) return 0;
    return lag;
  }
  return 0;
};

const measure = async (shared: Shared): Promise<number> => {
  const tools = createTools(sessionFor(shared, controlCheck), shared.history.model, {});
  const { session } = tools;
  const lead = await tools.add();
  const send = (): Promise<Exchange> =>
    session.send('updateLead', {
      leadId: lead.id,
      body: session.updateBody({ note: session.newNote() }, lead),
      intent: 'probe',
    });
  const ofAddition = await lagOf(send, ({ outcome }) => outcome === 'success');
  const note = session.newNote();
  await tools.update(lead, note);
  const show = (): Promise<Exchange> =>
    session.send('updateLead', { leadId: lead.id, body: {}, intent: 'probe' });
  const ofUpdate = await lagOf(
    show,
    (exchange) => exchange.outcome !== 'success' || dataOf(exchange).note === note,
  );
  await tools.remove(lead);
  const ofDeletion = await lagOf(send, ({ outcome }) => outcome !== 'success');
  return Math.max(ofAddition, ofUpdate, ofDeletion);
};

/** On a busy machine the first read may come after the change is visible. */
const mostMeasurements = 3;

/** Measures how late this deployment shows changes, again if it seemed to show them at once. @returns whether it shows them late */
export const measureLag = async (shared: Shared): Promise<boolean> => {
  const { requirements } = shared;
  const { dialect } = shared.history.model;
  requirements.lag ??= measure(shared)
    .catch(falseIfUndecided)
    .then((lag) => {
      requirements.lagMeasurements += 1;
      if (lag === false || lag === 0) {
        if (requirements.lagMeasurements < mostMeasurements) delete requirements.lag;
        return false;
      }
      requirements.lagFrom = shared.history.judged.length;
      dialect.lagMs = Math.min(maxLagMs, lag * 1.2 + 100);
      dialect.textLagMs = dialect.lagMs;
      return true;
    });
  return requirements.lag;
};
