import { dataOf } from '../../client/exchange.ts';
import { operationOf } from '../../session/operations.ts';
import { describeValue, show } from '../../session/outcome.ts';
import { carriesEmail } from '../../session/own-lead.ts';
import { type Context, isCut, isStoredForm } from '../exchanges/history.ts';
import { type HistoryClaim, hasSucceeded, sentFields } from './claim.ts';

/** §4.6: a name or a source in an update is applied or ignored. */
const fieldByField: HistoryClaim = {
  check: 'leads.update.field-by-field',
  operation: 'updateLead',
  inspect: (context) => {
    const { exchange, lead, observed } = context;
    if (!hasSucceeded(context) || !lead || observed.overlaps) return 'not applicable';
    const sent = sentFields(context);
    let isSeen = false;
    for (const name of ['name', 'source'] as const) {
      const [text, before, shown] = [sent[name], lead.shown[name], dataOf(exchange)[name]];
      if (typeof text !== 'string' || before === undefined || typeof shown !== 'string') continue;
      isSeen = true;
      if (shown === before || isStoredForm(text, shown) || isCut(text, shown)) continue;
      return {
        expected: `data.${name} ${show(text)}, or still ${show(before)}`,
        actual: describeValue(shown, text),
        exchange,
        pointer: `/data/${name}`,
      };
    }
    return isSeen ? 'fine' : 'not applicable';
  },
};

/** §4.6: an update without a note shows the note that is there, or clears it (open). */
const noteLasts: HistoryClaim = {
  check: 'leads.update.lasts',
  operation: 'updateLead',
  inspect: (context) => {
    const { exchange, lead, observed } = context;
    const isReading = hasSucceeded(context) && !Object.hasOwn(sentFields(context), 'note');
    const [before, shown] = [lead?.shown.note, dataOf(exchange).note];
    if (
      !isReading ||
      observed.overlaps ||
      !lead ||
      lead.deletedAtMs !== undefined ||
      before === undefined ||
      typeof shown !== 'string'
    )
      return 'not applicable';
    if (shown === before || shown === '') return 'fine';
    return {
      expected: `data.note still ${show(before)}`,
      actual: describeValue(shown, before),
      exchange,
      pointer: '/data/note',
    };
  },
};

/** §4.7: a lead whose deletion succeeded is gone, once that can be known everywhere. */
const deletedStaysGone = (
  check: string,
  propagationMs: number,
  isThere: (context: Context) => boolean,
  expected: string,
): HistoryClaim => ({
  check,
  operation: 'updateLead',
  inspect: (context) => {
    const { exchange, lead, observed } = context;
    if (lead?.deletedAtMs === undefined || observed.overlaps) return 'not applicable';
    const isSettled = observed.startedAt - lead.deletedAtMs >= propagationMs;
    if (exchange.outcome === 'refusal') return 'fine';
    if (!isSettled || !hasSucceeded(context) || !isThere(context)) return 'not applicable';
    const seconds = ((observed.startedAt - lead.deletedAtMs) / 1000).toFixed(1);
    return { expected, actual: `success, ${seconds} s after it was deleted`, exchange };
  },
});

const showsItself = (context: Context): boolean => {
  const { lead, exchange } = context;
  const [sent, shown] = [sentFields(context), dataOf(exchange)];
  const fields = ['name', 'source'] as const;
  return fields.every(
    (name) =>
      !Object.hasOwn(sent, name) && lead?.shown[name] !== undefined && shown[name] === lead.shown[name],
  );
};

/** §2.3: a new lead has an id of its own, unless it may be the lead that was there before. */
const distinctIds: HistoryClaim = {
  check: 'leads.add.distinct-ids',
  operation: 'addLead',
  inspect: ({ exchange, observed, lead }) => {
    if (exchange.outcome !== 'success' || exchange.intent !== 'complete') return 'not applicable';
    const id = dataOf(exchange).lead_id;
    if (typeof id !== 'string' || id === '') return 'not applicable';
    if (lead === undefined || !lead.own || observed.endedAt < lead.addedAtMs) return 'fine';
    return {
      expected: 'a unique lead_id',
      actual: `${show(id)} for two leads`,
      exchange,
      pointer: '/data/lead_id',
    };
  },
};

/** §2.3: the email that some requests carry is in no response. */
const withoutEmail = (operation: 'addLead' | 'updateLead'): HistoryClaim => ({
  check: `${operationOf(operation).area}.no-email`,
  operation,
  inspect: (context) => {
    const { exchange } = context;
    if (!hasSucceeded(context) || !Object.hasOwn(sentFields(context), 'email')) return 'not applicable';
    return carriesEmail(exchange)
      ? { expected: 'no field email in the response', actual: 'the response has a field email', exchange }
      : 'fine';
  },
});

/** What the traffic of a session shows of one lead, in the order in which it is judged. */
export const leadClaims = (propagationMs: number): readonly HistoryClaim[] => [
  fieldByField,
  noteLasts,
  deletedStaysGone('leads.delete.removes', propagationMs, showsItself, 'the lead to be gone'),
  deletedStaysGone('leads.delete.refuses-update', propagationMs, () => true, 'an error response'),
  distinctIds,
  withoutEmail('addLead'),
  withoutEmail('updateLead'),
];
