import { type ActiveCheck, CheckSkipped, fail, show, showOwn } from '../check.ts';
import { dataOf, type Exchange } from '../exchange.ts';
import { expectFields, type Fields, succeeded, unchanging } from '../lead-facts.ts';
import type { OwnLead, Session } from '../session.ts';

const update = { operation: 'updateLead', needs: 'writes', section: '4.6' } as const;

// Whether an update may carry a name and a source is not shown: each may be taken, ignored or refused.
const others = ['name', 'source'] as const;

const change = (session: Session, { id }: OwnLead, body: Partial<Fields>): Promise<Exchange> =>
  session.send('updateLead', { leadId: id, body, intent: 'probe' });

/** A lead that was there at its last update, which may have taken a moment. */
const knownLead = async (session: Session): Promise<OwnLead> => {
  const lead = await session.ownLead();
  succeeded(await session.updateLead(lead, session.newNote(), 'text'));
  return lead;
};

/** Of a name and a source sent, those that the reply shows. */
const takenOf = (exchange: Exchange, sent: Partial<Fields>): Partial<Fields> =>
  Object.fromEntries(
    others
      .filter((name) => name in sent && dataOf(exchange)[name] === sent[name])
      .map((name) => [name, sent[name]]),
  );

/** Changes a lead and looks at the reply: what was sent is taken or left alone, the rest is left alone. */
const expectTakenOrLeft = async (
  session: Session,
  lead: OwnLead,
  sent: Partial<Fields>,
): Promise<boolean> => {
  const exchange = await change(session, lead, sent);
  if (exchange.outcome !== 'success') return false;
  const taken = takenOf(exchange, sent);
  const { note, ...rest } = {
    ...lead.expected,
    ...taken,
    ...(sent.note === undefined ? {} : { note: sent.note }),
  };
  lead.expected = { ...rest, note };
  // What an update in which nothing is taken makes of a note it does not carry is not shown.
  const known = 'note' in sent || Object.keys(taken).length > 0;
  expectFields(exchange, known ? lead.expected : rest, 'as sent or as it was');
  return true;
};

/** What the next update shows of a name and a source is what the last one did. */
const expectLeft = async (session: Session, lead: OwnLead): Promise<void> => {
  const later = await session.updateLead(lead, session.newNote(), 'text');
  expectFields(succeeded(later), unchanging(lead), 'as the update before showed it');
};

/** Three updates of one lead at the same time, and of what their replies show, what is there afterwards. */
const expectAllKept = async (session: Session, lead: OwnLead): Promise<Partial<Fields>> => {
  const before = lead.expected;
  const sent = session.newFields();
  const parts = [{ name: sent.name }, { source: sent.source }, { note: sent.note }];
  const replies = await Promise.all(parts.map((part) => change(session, lead, part)));
  const successes = replies.map((reply, index) => (reply.outcome === 'success' ? (parts[index] ?? {}) : {}));
  const taken = Object.assign({}, ...replies.map((reply, index) => takenOf(reply, successes[index] ?? {})));
  if (Object.keys(taken).length === 0)
    throw new CheckSkipped('the deployment takes neither a name nor a source alone');
  const kept: Partial<Fields> = { ...taken, ...successes[2] };
  lead.expected = { ...before, ...kept };
  const shown = (await session.readBack(lead)) ?? (await session.updateLead(lead, session.newNote(), 'text'));
  for (const [field, value] of Object.entries(kept)) {
    const came = dataOf(shown)[field];
    // Only what was there before is proof: three at once may come in any order.
    if (came === before[field as keyof Fields])
      fail(`the ${field} of an update at the same time as others: ${show(value)}`, showOwn(came), shown);
  }
  return taken;
};

export const updateFieldChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.update.field-by-field',
    title: 'a name or a source in an update is taken or left alone, and nothing else is changed',
    level: 'documented',
    ...update,
    run: async (session) => {
      const lead = await knownLead(session);
      const { name, source } = session.newFields();
      const alone = [
        await expectTakenOrLeft(session, lead, { name }),
        await expectTakenOrLeft(session, lead, { source }),
      ];
      if (alone.includes(true)) await expectLeft(session, lead);
      if (await expectTakenOrLeft(session, lead, session.newFields())) await expectLeft(session, lead);
      else if (!alone.includes(true))
        throw new CheckSkipped('the deployment refuses a name and a source in an update');
    },
  },
  {
    id: 'leads.update.fields-together',
    title: 'what an update takes alone it takes beside others too, in one request or at once',
    level: 'derived',
    ...update,
    run: async (session) => {
      const lead = await knownLead(session);
      const taken = await expectAllKept(session, lead);
      const sent = session.newFields();
      const exchange = await change(session, lead, sent);
      if (exchange.outcome !== 'success') return;
      for (const [field, value] of Object.entries(taken)) {
        const came = dataOf(exchange)[field];
        if (came === value)
          fail(
            `the ${field} taken, as it is alone: ${show(sent[field as keyof Fields])}`,
            `left as it was: ${showOwn(came)}`,
            exchange,
          );
      }
    },
  },
];
