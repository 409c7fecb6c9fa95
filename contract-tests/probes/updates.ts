import { dataOf, type JsonObject, wordsOf } from '../exchange.ts';
import type { OwnLead, Session } from '../session.ts';
import { inconclusive, type Known, needUsable, type Probe, told, verdictOf } from './probe.ts';

/** A lead of the run that has taken an update: what is refused of it now is refused for its own sake. */
const updatedLead = async (session: Session, known: Known): Promise<OwnLead> => {
  needUsable(session, known, 'updateLead');
  const lead = await session.ownLead();
  const exchange = await session.updateLead(lead, session.unique('note'));
  if (verdictOf(exchange) === 'refused')
    inconclusive(`an update of the note alone was refused: ${wordsOf(exchange)}`);
  return lead;
};

const otherField = (field: 'name' | 'source'): Probe => ({
  question: `lead.update-${field}`,
  needs: 'writes',
  asks: `PUT a new \`${field}\` and a new \`note\`: refused, shown in the reply, or left as it was`,
  probe: async (session, known) => {
    const lead = await updatedLead(session, known);
    const value = session.unique(`new ${field}`);
    const body: JsonObject = {
      ...(session.demands.updateInFull ? lead.expected : {}),
      [field]: value,
      note: session.unique('note'),
    };
    const exchange = await session.send('updateLead', { leadId: lead.id, body, intent: 'probe' });
    if (verdictOf(exchange) === 'refused') return { answer: 'rejected', exchange };
    const shown = dataOf(exchange)[field];
    if (shown === value) return { answer: 'accepted', exchange, saw: `the new ${field}` };
    if (shown === lead.expected[field]) return { answer: 'ignored', exchange, saw: `the old ${field}` };
    return inconclusive(`the reply shows neither the old nor the new ${field}`);
  },
});

/** §4.6: what an update may carry. */
export const updateProbes: readonly Probe[] = [
  otherField('name'),
  otherField('source'),
  {
    question: 'lead.update-empty',
    needs: 'writes',
    asks: 'PUT `{}` to a lead that has just taken an update',
    probe: async (session, known) => {
      const lead = await updatedLead(session, known);
      const exchange = await session.send('updateLead', { leadId: lead.id, body: {}, intent: 'probe' });
      return told(exchange, 'accepted', 'rejected');
    },
  },
];
