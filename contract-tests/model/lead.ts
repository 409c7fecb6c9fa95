import { dataOf, type Exchange, textOf } from '../exchange/exchange.ts';
import { type LeadField, leadFields } from '../exchange/leads.ts';
import { initially, possibleWrites, type Register, type Window, write } from './register.ts';
import { windowOf } from './requests.ts';
import { digest, isStored } from './text.ts';

/** A text as a request sent it and as the response showed it. */
export type Text = { readonly sent?: string | undefined; readonly shown?: string | undefined };

/** A change as a response showed it: its time, the beginning of it if it is long, the digest of its note, and when it arrived. */
type Change = { readonly time: string; readonly note: string; readonly at: number };

/** What may be true of one lead. */
export type LeadState = {
  readonly id: string;
  /** The window of the exchange that added it, if that is in this history: then its texts may be shown. */
  readonly addition: Window | undefined;
  readonly exists: Register<boolean>;
  readonly texts: Readonly<Record<LeadField, Register<Text>>>;
  /** The window of another addition that got the id while this lead existed, as far as requests are known. */
  sharedWith: Window | undefined;
  /** When the last exchange that found the lead ended. */
  foundAt: number;
  /** Successful updates so far. */
  updates: number;
  lastChange: Change | undefined;
  /** The characters that are kept of it, when they were last counted. */
  size: number;
};

/** A lead of which nothing is known, because it was added before the history began. */
export const unknownLead = (id: string, foundAt: number): LeadState => ({
  id,
  addition: undefined,
  exists: [initially('anything')],
  texts: { name: [initially('anything')], source: [initially('anything')], note: [initially('anything')] },
  sharedWith: undefined,
  foundAt,
  updates: 0,
  lastChange: undefined,
  size: 0,
});

/** The state of a lead that an exchange added. */
export const addedLead = (id: string, exchange: Exchange): LeadState => {
  const addition = windowOf(exchange);
  const lead: LeadState = {
    ...unknownLead(id, addition.to),
    addition,
    exists: [initially(false)],
    texts: { name: [], source: [], note: [] },
  };
  write(lead.exists, true, addition);
  return lead;
};

/** No timestamp is longer. */
const longestTime = 200;

/** Notes the change that the response to an addition or an update shows. One that changes nothing may keep the time. */
export const noteChange = (lead: LeadState, exchange: Exchange): void => {
  const { note: shown, created_at: createdAt, updated_at: updatedAt } = dataOf(exchange);
  const time = textOf(exchange.operation === 'addLead' ? createdAt : updatedAt).slice(0, longestTime);
  const note = digest(shown);
  const { lastChange: before } = lead;
  if (before?.time !== time || before.note !== note)
    lead.lastChange = { time, note, at: exchange.receivedAt };
};

/**
 * Forgets everything about a lead: it may have changed without a request.
 * @param by the window of another request that may have changed it, if there was one
 */
export const forgetLead = ({ exists, texts }: LeadState, by?: Window): void => {
  const unknown = <Value>(register: Register<Value>): void => {
    register.splice(0, register.length, { ...initially('anything'), ...(by && { by }) });
  };
  unknown(exists);
  for (const name of leadFields) unknown(texts[name]);
};

/** Whether the lead may have changed without a request. */
export const isForgotten = ({ exists }: LeadState): boolean =>
  exists.some(({ value }) => value === 'anything');

/** The characters that are kept of a lead. */
export const charactersOf = ({ id, texts }: LeadState): number =>
  leadFields
    .flatMap((name) => texts[name])
    .reduce(
      (sum, { value }) =>
        value === 'anything' ? sum : sum + (value.sent?.length ?? 0) + (value.shown?.length ?? 0),
      id.length,
    );

/** Whether the lead exists at some moment of a window: `yes` and `no` if every possible state agrees. */
export const existence = (lead: LeadState, read: Window, lagMs = 0): 'yes' | 'no' | 'unknown' => {
  const values = new Set(possibleWrites(lead.exists, read, lagMs).map(({ value }) => value));
  if (values.size !== 1 || values.has('anything')) return 'unknown';
  return values.has(true) ? 'yes' : 'no';
};

/** The texts that a read of a field may show; `undefined` if it may show any. */
export const possibleTexts = (
  lead: LeadState,
  name: LeadField,
  read: Window,
  lagMs = 0,
): readonly Text[] | undefined => {
  const texts: Text[] = [];
  for (const { value } of possibleWrites(lead.texts[name], read, lagMs)) {
    if (value === 'anything') return undefined;
    texts.push(value);
  }
  return texts.length === 0 ? undefined : texts;
};

/** Whether a shown text is one of the possible ones. What a response showed must come again; a text that no response showed may be stored in any permitted form. */
export const isPossible = (texts: readonly Text[], shown: string): boolean =>
  texts.some(({ sent, shown: before }) =>
    before === undefined ? sent !== undefined && isStored(sent, shown) : before === shown,
  );

/** Whether a successful request for one of these leads sent a text. */
export const isAcceptedText = (
  text: string,
  { leads }: { readonly leads: ReadonlyMap<string, LeadState> },
): boolean =>
  [...leads.values()].some(({ texts }) =>
    leadFields.some((name) => texts[name].some(({ value }) => value !== 'anything' && value.sent === text)),
  );
