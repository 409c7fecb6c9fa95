// The state that a deployment shows of a lead before and after other requests.

import { dataOf, describeRefusal, type Exchange, isRefusal } from '../../client/exchange.ts';
import { readUntil, retrieveLead, type ShownLead } from '../../session/availability.ts';
import { isUnknownLead } from '../../session/lead-requests.ts';
import { CheckInconclusive, describeValue, fail, show } from '../../session/outcome.ts';
import { leadFields, type OwnLead, textsIn } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { type Fields, requireNotRefused } from './lead-assertions.ts';

/**
 * The comparable fields of a lead; `gone` if no update finds it any more, `refused` if the
 * deployment refuses every update of it.
 */
type State = Partial<Fields> | 'gone' | 'refused';

/** A lead, with the fields that two responses in a row showed. */
export type WatchedLead = {
  readonly lead: OwnLead;
  readonly before: Partial<Fields>;
  /** Whether only a GET shows its note, without a delay. */
  readonly isRetrievable: boolean;
};

/** Requests that must not change a lead, and that can be repeated for another lead. */
export type Action = { readonly label: string; readonly run: (lead: OwnLead) => Promise<unknown> };

/** Returns a new lead after a successful update of it. */
export const knownLead = async (session: Session, intent?: Exchange['intent']): Promise<OwnLead> => {
  const lead = await session.ownLead();
  requireNotRefused(await session.updateLead(lead, session.newNote(), intent));
  return lead;
};

type Look = { readonly exchange: Exchange; readonly state: State };

/** Reads a lead by an update without a note, or by one with a new note, which does not show the old one. */
const lookAt = async (session: Session, lead: OwnLead): Promise<Look> => {
  const shown = await session.readBack(lead);
  if (shown) return { exchange: shown, state: textsIn(dataOf(shown)) };
  const exchange = await session.updateLead(lead, session.newNote());
  if (await isUnknownLead(session, exchange)) return { exchange, state: 'gone' };
  if (isRefusal(exchange)) return { exchange, state: 'refused' };
  const { name, source } = textsIn(dataOf(requireNotRefused(exchange)));
  return {
    exchange,
    state: { ...(name === undefined ? {} : { name }), ...(source === undefined ? {} : { source }) },
  };
};

/**
 * Reads a lead twice. The effect of an update without a note on the note is not documented, so only fields that two reads
 * show alike can be compared with a third one.
 */
export const watchLead = async (session: Session, lead: OwnLead): Promise<WatchedLead> => {
  const { state: first } = await lookAt(session, lead);
  const { state: second, exchange } = await lookAt(session, lead);
  // A change that occurs anyway is not an effect of the next action.
  if (typeof second === 'string')
    throw new CheckInconclusive(`the lead could not be updated again: ${describeRefusal(exchange)}`);
  if (typeof first === 'string') return { lead, before: {}, isRetrievable: false };
  const before = Object.fromEntries(
    leadFields.flatMap((name) =>
      second[name] !== undefined && first[name] === second[name] ? [[name, second[name]]] : [],
    ),
  );
  const isRetrievable =
    second.note === undefined && (await retrieveLead(session, lead))?.data.note === lead.expected.note;
  return { lead, before, isRetrievable };
};

type Change = { readonly expected: string; readonly actual: string };

const changeBetween = (before: Partial<Fields>, now: State, exchange: Exchange): Change | undefined => {
  if (now === 'gone') return { expected: 'the lead to exist', actual: `gone: ${describeRefusal(exchange)}` };
  if (now === 'refused')
    return { expected: 'an update of the lead to succeed', actual: `refused: ${describeRefusal(exchange)}` };
  const name = leadFields.find(
    (name) => before[name] !== undefined && now[name] !== undefined && before[name] !== now[name],
  );
  return (
    name && {
      expected: `the ${name} of the lead unchanged: ${show(before[name])}`,
      actual: describeValue(now[name], before[name]),
    }
  );
};

/** Whether the lead had this note before, which a cache may still show. */
const wasNote = ({ client }: Session, { id, expected }: OwnLead, note: unknown): boolean =>
  note !== expected.note &&
  client.exchanges.some(({ intent, json }) => {
    const { lead_id, note: shown } = dataOf({ json });
    return intent === 'complete' && String(lead_id) === id && shown === note;
  });

/** Finds a change that a GET shows permanently: a GET may read from a replica with a delay. */
const retrieveChanged = async (
  session: Session,
  { lead, before, isRetrievable }: WatchedLead,
): Promise<(Look & { readonly change: Change }) | undefined> => {
  if (!isRetrievable) return undefined;
  const stored = { ...before, note: lead.expected.note };
  const changeIn = ({ data, exchange }: ShownLead): Change | undefined =>
    wasNote(session, lead, data.note) ? undefined : changeBetween(stored, textsIn(data), exchange);
  const shown = await readUntil(
    () => retrieveLead(session, lead),
    (shown) => !shown || !changeIn(shown),
  );
  const change = shown && changeIn(shown);
  return change && { exchange: shown.exchange, state: textsIn(shown.data), change };
};

const findChange = async (
  session: Session,
  watched: WatchedLead,
): Promise<Look & { readonly change: Change | undefined }> => {
  const retrieved = await retrieveChanged(session, watched);
  if (retrieved) return retrieved;
  const { exchange, state } = await lookAt(session, watched.lead);
  return { exchange, state, change: changeBetween(watched.before, state, exchange) };
};

/**
 * Whether the action also changes a new lead, or makes the deployment refuse updates of it. If
 * not, the cause is time or another request.
 */
const happensAgain = async (session: Session, { run }: Action, isRefused: boolean): Promise<boolean> => {
  const watched = await watchLead(session, await knownLead(session));
  const { lead } = watched;
  await run(lead);
  const { state, change } = await findChange(session, watched);
  const isChanged = change !== undefined && (state === 'refused') === isRefused;
  if (state !== 'gone') await session.deleteLead(lead);
  return isChanged;
};

/**
 * Expects everything shown of a lead to be the same as before. The action is reported as the cause only if
 * it changes a second lead in the same way.
 * @param onOtherCause called in place of a finding if the cause is something else
 * @returns the response that shows the lead
 */
export const expectUnchanged = async (
  session: Session,
  watched: WatchedLead,
  action: Action,
  onOtherCause?: (change: string, shown: Exchange) => never,
): Promise<Exchange> => {
  const { exchange, state, change } = await findChange(session, watched);
  if (!change) return exchange;
  const isRefused = state === 'refused';
  const isCause = await happensAgain(session, action, isRefused);
  // A quota or an outage also causes refusals, but is unlikely to start after this action only.
  if (isRefused && !isCause) requireNotRefused(exchange);
  if (!isCause) onOtherCause?.(`${change.expected}, got ${change.actual}`, exchange);
  const cause = isCause ? action.label : 'time or an unrelated request';
  return fail(`${change.expected}, after ${cause}`, change.actual, exchange);
};
