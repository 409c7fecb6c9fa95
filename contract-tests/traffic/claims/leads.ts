import type { OperationId } from '../../../mock/contract/operation-id.ts';
import { dataOf, isObject } from '../../client/exchange.ts';
import { operationOf } from '../../session/operations.ts';
import { describeDifference, describeValue, type Failure, show } from '../../session/outcome.ts';
import { carriesEmail, leadFields } from '../../session/own-lead.ts';
import { type Context, isCut, isStoredForm } from '../exchanges/history.ts';

/** The result of a claim for one exchange. */
export type ClaimResult = Failure | 'fine' | 'not applicable';

/** A claim about an exchange together with earlier exchanges of the session, with the id of the check that makes the claim. */
export type HistoryClaim = {
  readonly check: string;
  /** The operation whose exchanges it concerns. */
  readonly operation: OperationId;
  readonly inspect: (context: Context) => ClaimResult;
};

const hasSucceeded = ({ exchange }: Context): boolean => exchange.outcome === 'success';

const sentFields = ({ request }: Context): Readonly<Record<string, unknown>> =>
  isObject(request) ? request : {};

/** The kinds of unusual texts, as in check ids. A plain text has no kind. */
const kindsOfText: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['omitted-fields', /^$/],
  ['keeps-long-note', /^.{61,}$/s],
  ['keeps-markup', /[<>&]|\{\{/],
  ['keeps-carriage-returns', /\r/],
  ['keeps-newlines', /[\n\t]/],
  ['keeps-outer-blanks', /^\s|\s$/],
  ['keeps-blanks', / {2}/],
  ['keeps-control-characters', /\p{Cc}/u],
  ['keeps-invisible-characters', /[\u00a0\u00ad\u202f\u2028\u2029]|\p{Cf}/u],
  ['keeps-astral', /[\u{10000}-\u{10ffff}]/u],
  ['keeps-accents', /[^\0-\x7f]/],
  ['keeps-quotes', /["'`\\]/],
  ['keeps-links', /@|:\/\//],
  ['keeps-escapes', /[$%=]/],
  ['keeps-signs', /[^\w\s.,:;()/-]/],
];

const kindOf = (text: string): string =>
  kindsOfText.find(([, pattern]) => pattern.test(text))?.[0] ?? 'echoes-fields';

type SentText = { readonly name: string; readonly text: string; readonly kind: string };

const sentTexts = new WeakMap<object, readonly SentText[]>();

/** The texts of a request with their kinds, computed once for all claims about them. */
const textsOf = (sent: Readonly<Record<string, unknown>>): readonly SentText[] => {
  const known = sentTexts.get(sent);
  if (known) return known;
  const texts = Object.entries(sent).flatMap(([name, text]) =>
    typeof text === 'string' ? [{ name, text, kind: kindOf(text) }] : [],
  );
  sentTexts.set(sent, texts);
  return texts;
};

/** §4.5: a new lead has the texts of the request. With undocumented fields, the response may describe another lead. */
const additionEcho = (check: string): HistoryClaim => ({
  check: `leads.add.${check}`,
  operation: 'addLead',
  inspect: (context) => {
    if (!hasSucceeded(context)) return 'not applicable';
    const sent = sentFields(context);
    if (Object.keys(sent).some((name) => !(leadFields as readonly string[]).includes(name)))
      return 'not applicable';
    const shown = dataOf(context.exchange);
    const texts = textsOf(sent).filter(({ kind }) => kind === check);
    for (const { name, text } of texts) {
      // Another check reports a field that is missing or has another type.
      if (typeof shown[name] !== 'string' || isStoredForm(text, shown[name]) || isCut(text, shown[name]))
        continue;
      const [expected, actual] = describeDifference(text, shown[name]);
      return {
        expected: `data.${name} as sent: ${expected}`,
        actual,
        exchange: context.exchange,
        pointer: `/data/${name}`,
      };
    }
    return texts.length > 0 ? 'fine' : 'not applicable';
  },
});

/** §4.5: one claim per kind of text in a new lead. */
const additionEchoes: readonly HistoryClaim[] = ['echoes-fields', ...kindsOfText.map(([kind]) => kind)].map(
  additionEcho,
);

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

/** §4.6: an update without a note shows the current note, or clears it (open). */
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

/** §4.7: a lead whose deletion succeeded is gone, once the deletion must be visible everywhere. */
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

/** §2.3: a new lead has its own id, unless the deployment may have returned an existing lead. */
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

/** §2.3: the `email` of some requests is in no response. */
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

/** All claims about leads in the traffic of a session, in the order in which they are checked. */
export const leadClaims = (propagationMs: number): readonly HistoryClaim[] => [
  ...additionEchoes,
  fieldByField,
  noteLasts,
  deletedStaysGone('leads.delete.removes', propagationMs, showsItself, 'the lead to be gone'),
  deletedStaysGone('leads.delete.refuses-update', propagationMs, () => true, 'an error response'),
  distinctIds,
  withoutEmail('addLead'),
  withoutEmail('updateLead'),
];
