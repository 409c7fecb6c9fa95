import { type ActiveCheck, CheckSkipped } from '../check.ts';
import { dataOf, type Exchange } from '../exchange.ts';
import { expectFields, type Fields, succeeded, unchanging } from '../lead-facts.ts';
import type { OwnLead, Session } from '../session.ts';

// Everything that is easily changed on the way, for the deployments that take it; and what hardly anybody refuses.
const texts = [`<i>Zoë</i> "Li" 'O\\H' 🎨 &amp; & 50% %41 a+b  c`, `Zoë "Li" O'H & 50% a+b`];

/** The first of the updates with such texts, in name and source or in one of them, that the deployment takes. */
const update = async (
  session: Session,
  lead: OwnLead,
): Promise<{ exchange: Exchange; sent: Partial<Fields> }> => {
  for (const fields of [['name', 'source'], ['source'], ['name']]) {
    for (const text of texts) {
      const sent: Partial<Fields> = Object.fromEntries(fields.map((field) => [field, text]));
      const body = {
        ...(session.demands.updateInFull ? lead.expected : {}),
        note: session.newNote(),
        ...sent,
      };
      const exchange = await session.send('updateLead', { leadId: lead.id, body, intent: 'text' });
      if (exchange.outcome === 'success') return { exchange, sent };
    }
  }
  throw new CheckSkipped('the deployment takes no such text as a name or a source in an update');
};

/** Whether an update may carry a name and a source is not shown: where it changes them, it changes them to what was sent. */
export const updateTextChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.update.keeps-name-and-source',
    title: 'an update that takes a name or a source keeps markup, quotes and letters in it as sent',
    section: '4.6',
    level: 'derived',
    operation: 'updateLead',
    needs: 'writes',
    run: async (session) => {
      const lead = await session.ownLead();
      succeeded(await session.updateLead(lead, session.newNote(), 'text'));
      const { exchange, sent } = await update(session, lead);
      for (const field of ['name', 'source'] as const) {
        const ignored = dataOf(exchange)[field] === lead.expected[field];
        if (!ignored) lead.expected = { ...lead.expected, [field]: sent[field] ?? lead.expected[field] };
      }
      expectFields(exchange, unchanging(lead));
      const later = await session.updateLead(lead, session.newNote(), 'text');
      expectFields(succeeded(later), unchanging(lead), 'as the update before showed it');
    },
  },
];
