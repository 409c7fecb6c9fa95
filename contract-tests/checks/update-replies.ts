import { type ReplyCheck, show, showOwn } from '../check.ts';
import { dataOf, type Exchange, type JsonObject } from '../exchange.ts';
import { besides, severalLeads } from '../lead-facts.ts';
import { type OwnLead, type Session, snapshot } from '../session.ts';
import { isTimestamp, timeOf } from '../timestamp.ts';

const update = { operation: 'updateLead', needs: 'writes', section: '4.6' } as const;

/** Replies to updates of leads of this run, with what is known of the lead. */
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
  const came = dataOf(exchange)[name];
  // A field of another type or none is another check's finding.
  if (typeof came !== 'string' || came === value) return 'fine';
  return {
    expected: `data.${name}: ${show(value)}`,
    actual: showOwn(came, value),
    exchange,
    pointer: `/data/${name}`,
  };
};

const updateThree = async (session: Session): Promise<void> => {
  const leads = await severalLeads(session, 3);
  for (const lead of [...leads, ...leads]) await session.updateLead(lead, session.newNote());
};

/** An update that a deployment may refuse. Where it takes it, the note is as sent and the rest is left alone. */
const updateWith = async (
  session: Session,
  lead: OwnLead,
  note: string,
  beside: JsonObject = {},
): Promise<Exchange> => {
  const body = { ...(session.demands.updateInFull ? lead.expected : {}), note, ...beside };
  const after = lead.plain ? { ...snapshot(lead), note } : undefined;
  const exchange = await session.send('updateLead', {
    leadId: lead.id,
    body,
    intent: 'probe',
    lead: after,
  });
  if (exchange.outcome === 'success') lead.expected = { ...lead.expected, note };
  return exchange;
};

/** An empty note, and a note beside fields the document does not list; what is kept of it, the updates after it show. */
const updateOddly = async (session: Session): Promise<void> => {
  const leads = await severalLeads(session, 3);
  for (const lead of leads) await session.updateLead(lead, session.newNote());
  const [first, second] = leads;
  if (first) await updateWith(session, first, '');
  for (const beside of second ? besides(session) : []) {
    const { outcome } = await updateWith(session, second as OwnLead, session.newNote(), beside);
    if (outcome === 'success') break;
  }
  for (const lead of leads) await session.updateLead(lead, session.newNote());
};

/** What every reply to an update shows, whichever check asked: faults that come and go are seen here. */
export const updateReplyChecks: readonly ReplyCheck[] = [
  {
    id: 'leads.update.echoes-note',
    title: 'an update is answered with the note sent',
    level: 'documented',
    ...update,
    provoke: updateOddly,
    inspect: updates((exchange, { note }) => field(exchange, 'note', note)),
  },
  {
    id: 'leads.update.same-id',
    title: 'an update is answered with the lead_id it names',
    level: 'documented',
    ...update,
    inspect: updates((exchange, { id }) => {
      const { lead_id: came } = dataOf(exchange);
      if (typeof came !== 'string' || came === id) return 'fine';
      return { expected: `data.lead_id ${show(id)}`, actual: show(came), exchange, pointer: '/data/lead_id' };
    }),
  },
  {
    id: 'leads.update.keeps-other-fields',
    title: 'an update leaves alone what it does not send',
    level: 'documented',
    ...update,
    provoke: updateThree,
    inspect: updates((exchange, { name, source }) => {
      const result = field(exchange, 'name', name);
      return result === 'fine' ? field(exchange, 'source', source) : result;
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
      // Two clocks behind one address may differ by two seconds, and a time without seconds by a minute.
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
