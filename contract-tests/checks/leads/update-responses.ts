import { dataOf, type Exchange, type JsonObject } from '../../client/exchange.ts';
import type { ReplyCheck } from '../../session/check.ts';
import { claimOf } from '../../session/operations.ts';
import { describeValue, show } from '../../session/outcome.ts';
import { type OwnLead, snapshot } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { severalLeads, undocumentedFields } from '../support/lead-assertions.ts';
import { isTimestamp, timeOf } from '../support/timestamp.ts';

const update = claimOf('updateLead');

/** Inspects successful responses to updates of leads of this run, with the known state of the lead. */
const updates =
  (
    judge: (exchange: Exchange, lead: NonNullable<Exchange['lead']>) => ReturnType<ReplyCheck['inspect']>,
  ): ReplyCheck['inspect'] =>
  (exchange) =>
    exchange.outcome === 'success' && exchange.lead ? judge(exchange, exchange.lead) : 'not applicable';

const field = (
  exchange: Exchange,
  name: 'name' | 'source' | 'note',
  value: string,
): ReturnType<ReplyCheck['inspect']> => {
  const received = dataOf(exchange)[name];
  // Another check reports a field that is missing or has another type.
  if (typeof received !== 'string' || received === value) return 'fine';
  return {
    expected: `data.${name}: ${show(value)}`,
    actual: describeValue(received, value),
    exchange,
    pointer: `/data/${name}`,
  };
};

const updateThreeLeads = async (session: Session): Promise<void> => {
  const leads = await severalLeads(session, 3);
  for (const lead of [...leads, ...leads]) await session.updateLead(lead, session.newNote());
};

/** Sends an update that a deployment may refuse. If it succeeds, the note is as sent and the rest unchanged. */
const updateWith = async (
  session: Session,
  lead: OwnLead,
  note: string,
  beside: JsonObject = {},
): Promise<Exchange> => {
  const body = session.updateBody({ note, ...beside }, lead);
  const after = lead.predictable ? { ...snapshot(lead), note } : undefined;
  const exchange = await session.send('updateLead', {
    leadId: lead.id,
    body,
    intent: 'probe',
    lead: after,
  });
  if (exchange.outcome === 'success') lead.expected = { ...lead.expected, note };
  return exchange;
};

/** Sends an empty note, and a note with undocumented fields; the later updates show their effect. */
const sendUnusualUpdates = async (session: Session): Promise<void> => {
  const leads = await severalLeads(session, 3);
  for (const lead of leads) await session.updateLead(lead, session.newNote());
  const [first, second] = leads;
  if (first) await updateWith(session, first, '');
  for (const beside of second ? undocumentedFields(session) : []) {
    const { outcome } = await updateWith(session, second as OwnLead, session.newNote(), beside);
    if (outcome === 'success') break;
  }
  for (const lead of leads) await session.updateLead(lead, session.newNote());
};

/** Checks of every response to an update, whichever check sent it: they find intermittent faults. */
export const updateReplyChecks: readonly ReplyCheck[] = [
  {
    id: 'leads.update.echoes-note',
    title: 'the response to an update has the note that was sent',
    level: 'documented',
    ...update,
    generateTraffic: sendUnusualUpdates,
    inspect: updates((exchange, { note }) => field(exchange, 'note', note)),
  },
  {
    id: 'leads.update.same-id',
    title: 'the response to an update has the lead_id of the request',
    level: 'documented',
    ...update,
    inspect: updates((exchange, { id }) => {
      const { lead_id: received } = dataOf(exchange);
      if (typeof received !== 'string' || received === id) return 'fine';
      return {
        expected: `data.lead_id ${show(id)}`,
        actual: show(received),
        exchange,
        pointer: '/data/lead_id',
      };
    }),
  },
  {
    id: 'leads.update.keeps-other-fields',
    title: 'an update does not change fields that it does not send',
    level: 'documented',
    ...update,
    generateTraffic: updateThreeLeads,
    inspect: updates((exchange, { name, source }) => {
      const ofName = field(exchange, 'name', name);
      const result = ofName === 'fine' ? field(exchange, 'source', source) : ofName;
      if (typeof result !== 'object') return result;
      return { ...result, actual: `${result.actual} (changed by this update or since the previous one)` };
    }),
  },
  {
    id: 'leads.update.time-order',
    title: 'updated_at is not before created_at',
    level: 'derived',
    ...update,
    section: '2.3',
    inspect: updates((exchange, { createdAt }) => {
      const { updated_at: updated } = dataOf(exchange);
      if (typeof createdAt !== 'string' || typeof updated !== 'string') return 'not applicable';
      if (!isTimestamp(createdAt) || !isTimestamp(updated)) return 'not applicable';
      // Clocks of two machines may differ by two seconds, and a time without seconds by one more minute.
      const tolerance = hasSeconds(updated) ? 2000 : 62_000;
      if (timeOf(updated) >= timeOf(createdAt) - tolerance) return 'fine';
      return {
        expected: `updated_at not before ${createdAt}`,
        actual: updated,
        exchange,
        pointer: '/data/updated_at',
      };
    }),
  },
];

const hasSeconds = (time: string): boolean => /T\d{2}:?\d{2}:?\d{2}/.test(time);
