import type { Clock } from '../client/throttle.ts';
import { control, dataOf, type Exchange, isSuccess } from '../exchange/exchange.ts';
import { idOf } from '../exchange/leads.ts';
import { isServerError, isTrouble } from '../exchange/origin.ts';
import { hasGoneStatus } from '../exchange/responses.ts';
import type { Judgement } from '../judge/judge.ts';
import { maxLagMs } from '../model/register.ts';
import { leadIdOf } from '../model/requests.ts';
import { falseIfUndecided } from '../session/outcome.ts';
import { readForms } from '../session/requests.ts';
import { type SendOptions, sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { retryIfDisconnected, retryOnServerError } from './demands.ts';

/** Pauses in milliseconds between two series of reads. */
const pausesMs = [0, 60, 120, 150, 200, 250, 250, 250, 500, 500, 500, 500, 500, 500, 1000];

/** Number of reads in a series: they reach every one of several replicas. */
const readsInSeries = 6;
/** The same where an old state was seen: a fault of every nth response is no delay. */
const readsAfterOld = 12;

/**
 * The milliseconds until reads show a change, at most: from its request to the first series of reads that shows the new state only,
 * if others before it show the old one. Reads that never show the new state only are no lag. A server error shows neither.
 * @param wasOld whether a read has shown the old state before
 */
const lagOf = async (
  { wait }: Clock,
  change: Exchange,
  read: () => Promise<Exchange>,
  isNew: (exchange: Exchange) => boolean,
  wasOld = false,
): Promise<number> => {
  let isOldSeen = wasOld;
  for (const pauseMs of pausesMs) {
    await wait(pauseMs);
    const first = await read();
    const most = isOldSeen ? readsAfterOld : readsInSeries;
    let [count, last] = [1, first];
    while (showsService(last) && isNew(last) && count < most) [count, last] = [count + 1, await read()];
    if (showsService(last)) {
      if (isNew(last)) return isOldSeen ? first.receivedAt - change.sentAt : 0;
      isOldSeen = true;
    }
  }
  return 0;
};

/** An error response of the service shows that a lead is not there, with whatever status. */
const showsService = (exchange: Exchange): boolean =>
  exchange.outcome !== 'gateway' && !isServerError(exchange);

/** Number of updates in a measurement: the first read may come after the change is visible, or from a replica that has it. */
const updatesMeasured = 4;

const measure = async (shared: Shared): Promise<number> => {
  const session = sessionFor(shared, control);
  const again = <Result>(work: () => Promise<Result>): Promise<Result> =>
    retryIfDisconnected(shared, { needs: 'writes' }, work);
  const { exchange: addition, lead } = await again(() => session.addLead());
  if (!lead) return 0;
  const leadId = lead.id;
  const { clock } = shared.client;
  const send = (operation: 'updateLead' | 'deleteLead', options: SendOptions = {}): Promise<Exchange> =>
    again(() => retryOnServerError(session, () => session.send(operation, { ...options, leadId })));
  const update = (note: string, intent: Exchange['intent']): Promise<Exchange> =>
    send('updateLead', { body: session.updateBody({ note }, lead), intent });
  const updateAgain = (): Promise<Exchange> => update(session.newNote(), 'probe');
  const ofAddition = await lagOf(clock, addition, updateAgain, isSuccess);
  let forms = readForms.flat();
  const read = async (change: Exchange): Promise<Exchange> => {
    let exchange = change;
    for (const form of forms) {
      exchange = await send('updateLead', { body: form(lead), intent: 'probe' });
      if (!isSuccess(exchange)) continue;
      forms = [form];
      break;
    }
    return exchange;
  };
  let ofUpdate = 0;
  for (let count = 0; count < updatesMeasured && ofUpdate === 0; count += 1) {
    const note = session.newNote();
    const change = await update(note, 'complete');
    const isNew = (exchange: Exchange): boolean => !isSuccess(exchange) || dataOf(exchange).note === note;
    // A response that does not show its own change is a finding, whenever others show it.
    if (!isNew(change)) break;
    if (!isNew(await read(change))) ofUpdate = await lagOf(clock, change, () => read(change), isNew, true);
  }
  const deletion = await send('deleteLead');
  const ofDeletion = await lagOf(clock, deletion, updateAgain, (exchange) => !isSuccess(exchange));
  return Math.max(ofAddition, ofUpdate, ofDeletion);
};

/** What shows no delay is measured again. */
const mostMeasurements = 3;

/**
 * Notes the milliseconds after which a change became visible that was not visible before.
 * @returns whether they are more than was known: what was judged until now may be due to that
 */
export const noteLag = ({ lag, history }: Shared, seenMs: number): boolean => {
  const { dialect } = history.model;
  if (seenMs <= dialect.lagMs || dialect.lagMs === maxLagMs) return false;
  lag.knownFrom = history.judged.length;
  lag.isLate = Promise.resolve(true);
  dialect.lagMs = Math.min(maxLagMs, seenMs * 1.2 + 100);
  dialect.textLagMs = dialect.lagMs;
  return true;
};

/** Waits more than twice as long from now on: where changes are late, some may be later than those that were measured. */
export const extendLag = (shared: Shared): void => {
  const { lag, history } = shared;
  const { lagMs } = history.model.dialect;
  if (lagMs === 0 || lag.isFinal) return;
  lag.measuredMs ??= lagMs;
  noteLag(shared, 2 * lagMs);
};

/** Waits no longer than was measured, where the longest delay is not the reason for a finding either. */
export const endExtension = ({ lag, history }: Shared): void => {
  const { dialect } = history.model;
  if (lag.measuredMs === undefined || dialect.lagMs < maxLagMs) return;
  lag.isFinal = true;
  dialect.lagMs = lag.measuredMs;
  dialect.textLagMs = lag.measuredMs;
};

/**
 * Measures how late this deployment shows changes, again if it seemed to show them at once.
 * @returns whether it shows them late
 */
export const measureLag = async (shared: Shared): Promise<boolean> => {
  const { lag } = shared;
  lag.isLate ??= measure(shared)
    .catch(falseIfUndecided)
    .then((measured) => {
      lag.measurements += 1;
      const isLate = noteLag(shared, Number(measured));
      if (!isLate && lag.measurements < mostMeasurements) delete lag.isLate;
      return isLate;
    });
  return lag.isLate;
};

/** Whether a request may have come too early: it was refused, and not as in an outage. */
export const mayBeTooEarly = (exchange: Exchange): boolean =>
  exchange.outcome === 'refusal' && !isTrouble(exchange);

/** Sends a request for a new lead, and again while it is refused: a deployment may not accept it at once. */
export const untilAccepted = async (
  { wait }: Clock,
  ask: () => Promise<Exchange>,
): Promise<{ readonly exchange: Exchange; readonly isLate: boolean }> => {
  let exchange = await ask();
  let isLate = false;
  for (const pauseMs of pausesMs) {
    if (!mayBeTooEarly(exchange)) break;
    await wait(pauseMs);
    isLate = pauseMs > 0;
    exchange = await ask();
  }
  return { exchange, isLate: isLate && isSuccess(exchange) };
};

/** Looks for a lead that no request has found, until it must be visible. A deployment that lost one loses others: it is done once. */
const lookFor = async (shared: Shared, leadId: string, addedAt: number): Promise<Exchange | undefined> => {
  const session = sessionFor(shared, control);
  const { lag, client } = session;
  if (lag.hasInvisibleLead || !session.can('updateLead')) return undefined;
  const look = { leadId, body: session.updateBody({ note: session.newNote() }), intent: 'probe' } as const;
  for (const pauseMs of pausesMs) {
    const exchange = await session.send('updateLead', look);
    if (isSuccess(exchange)) return exchange;
    if (client.clock.now() > addedAt + maxLagMs) break;
    await client.clock.wait(pauseMs);
  }
  lag.hasInvisibleLead = true;
  return undefined;
};

/**
 * The milliseconds after which the leads of a scenario became visible, at most; 0 if none was refused for longer than is known.
 * @param judged the exchanges of the scenario
 */
export const visibleAfter = async (shared: Shared, judged: readonly Judgement[]): Promise<number> => {
  const { lagMs } = shared.history.model.dialect;
  let latest = 0;
  for (const { exchange: addition } of judged) {
    if (addition.operation !== 'addLead' || !isSuccess(addition)) continue;
    const leadId = idOf(addition);
    const own = shared.client.exchanges.filter(
      (exchange) => exchange.credentials === 'key' && leadIdOf(exchange) === leadId,
    );
    const [first] = own;
    if (!first || !mayBeTooEarly(first) || !(first.intent === 'complete' || hasGoneStatus(first))) continue;
    const at = own.findIndex(isSuccess);
    const refused = own[(at < 0 ? own.length : at) - 1] ?? first;
    if (refused.sentAt - addition.sentAt <= lagMs) continue;
    const found = own[at] ?? (await lookFor(shared, leadId, addition.sentAt));
    if (found) latest = Math.max(latest, found.receivedAt - addition.sentAt);
  }
  return latest;
};
