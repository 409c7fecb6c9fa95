import { dataOf, type Exchange, type JsonObject, textOf } from '../exchange/exchange.ts';
import { type Fields, idOf, leadFields } from '../exchange/leads.ts';
import { type ReadForm, readForms } from '../session/requests.ts';
import { noteAlone } from '../session/requirements.ts';
import type { OwnLead, SendOptions, Session } from '../session/session.ts';

/** A lead that a scenario added. */
export type Lead = OwnLead;

/** The requests of a scenario, in the form that this deployment accepts. */
export type Tools = ReturnType<typeof createTools>;

/** Milliseconds after which an effect must show. */
const effectMs = 600;

/** What all scenarios of a run know about the requests that a deployment accepts. */
export type Reading = {
  /** The bodies of updates that read a lead; none if updates of the note have to. */
  forms?: readonly ReadForm[];
  /** The fields that two leads may have in common, as far as it is known. */
  alike?: readonly (readonly (keyof Fields)[])[];
};

export const createTools = (session: Session, reading: Reading) => {
  const leads = new Set<Lead>();

  const sendAddition = async (texts: JsonObject): Promise<{ exchange: Exchange; lead: Lead | undefined }> => {
    const added = await session.addLead(texts, 'text');
    if (added.lead) leads.add(added.lead);
    noteChange();
    return added;
  };

  /** When the last change was confirmed. */
  let changedAt = Number.NEGATIVE_INFINITY;
  const noteChange = (): void => {
    changedAt = session.client.clock.now();
  };

  /** When a lead was last read. A deployment that accepts changes late may take that for one. */
  let readAt = changedAt;

  const settle = (): Promise<void> => session.settle(changedAt);

  const updateWith = (lead: Lead, changes: JsonObject, intent: Exchange['intent']): Promise<Exchange> =>
    sendUpdate(lead, session.updateBody(changes, lead), intent);

  /** A lead that is not visible yet would refuse any text. */
  const sendUpdate = async (lead: Lead, body: JsonObject, intent: Exchange['intent']): Promise<Exchange> => {
    await session.settle(lead.addedAt);
    const exchange = await session.send('updateLead', { leadId: lead.id, body, intent });
    noteChange();
    if (exchange.outcome === 'success')
      for (const name of leadFields)
        if (typeof body[name] === 'string') lead.expected = { ...lead.expected, [name]: body[name] };
    return exchange;
  };

  const update = (lead: Lead, note = session.newNote()): Promise<Exchange> =>
    updateWith(lead, { note }, 'complete');

  /** The bodies of updates that show a lead and keep its note, as far as the deployment accepts some (§4.8). */
  const chooseForms = async (lead: Lead): Promise<readonly ReadForm[]> => {
    await update(lead);
    await settle();
    for (const group of readForms) {
      const accepted: ReadForm[] = [];
      for (const form of group) {
        const request = { leadId: lead.id, body: form(lead), intent: 'probe' } as const;
        const exchange = await session.send('updateLead', request);
        if (exchange.outcome !== 'success') continue;
        // Another note than this one is a finding, and shows that the update was not taken for one with an empty note.
        if (textOf(dataOf(exchange).note) === '') return [];
        accepted.push(form);
      }
      if (accepted.length > 0) return accepted;
    }
    return [];
  };

  let reads = 0;
  const readOne = async (lead: Lead): Promise<void> => {
    if (!session.can('updateLead')) return; // no other operation shows a lead
    reading.forms ??= await chooseForms(lead);
    const form = reading.forms[reads % reading.forms.length];
    reads += 1;
    // The deployment accepts requests of this form; a deleted lead may be refused.
    const intent = leads.has(lead) ? 'complete' : 'probe';
    if (form) await session.send('updateLead', { leadId: lead.id, body: form(lead), intent });
    else await update(lead);
    readAt = session.client.clock.now();
  };

  const removeOne = async (leadId: string): Promise<void> => {
    await session.send('deleteLead', { leadId });
    noteChange();
  };

  const add = async (texts: Partial<Fields> = {}): Promise<Lead> => {
    const lead = await session.ownLead(texts);
    leads.add(lead);
    noteChange();
    return lead;
  };

  return {
    session,
    /** Whether cost does not matter. */
    isThorough: session.isThorough,
    /** Adds a lead. @throws CheckInconclusive if an ordinary one is refused */
    add,
    /** Sends an addition with texts that a deployment may refuse; `lead` is the one that it adds. */
    sendAddition,
    /** The same; `undefined` if it is refused. */
    tryToAdd: async (texts: JsonObject): Promise<Lead | undefined> => (await sendAddition(texts)).lead,
    /** Adds a lead with the texts of another one, as many as the deployment accepts a second time. */
    addAlike: async ({ expected }: Pick<Lead, 'expected'>): Promise<Lead> => {
      reading.alike ??= [['name', 'source', 'note'], ['source', 'note'], ['source']];
      const known = new Set([...leads].map(({ id }) => id));
      for (const names of reading.alike) {
        const { lead } = await sendAddition(Object.fromEntries(names.map((name) => [name, expected[name]])));
        // A deployment may take it for the same lead.
        if (lead && !known.has(lead.id)) return lead;
        reading.alike = reading.alike.slice(1);
      }
      return add();
    },
    /** Sends an addition, and deletes its lead if there is one. */
    tryAddition: async (options: SendOptions): Promise<Exchange> => {
      const exchange = await session.send('addLead', { intent: 'probe', ...options });
      const id = idOf(exchange);
      // The id in a refusal may be the one of a lead that it takes for a duplicate.
      const isAdded = exchange.outcome === 'success' || !session.history.model.leads.has(id);
      if (id === '' || !isAdded) return exchange;
      noteChange();
      await settle();
      await removeOne(id);
      return exchange;
    },
    /** Updates the note. */
    update,
    /** Sends an update that a deployment may refuse. */
    tryToUpdate: async (lead: Lead, body: JsonObject): Promise<Exchange> => {
      const exchange = await sendUpdate(lead, body, 'text');
      const isIncomplete = session.requirements.updateForm !== noteAlone && exchange.outcome === 'refusal';
      return isIncomplete ? updateWith(lead, body, 'text') : exchange;
    },
    /** Shows leads, without a change of their notes if the deployment accepts such an update. */
    read: async (...chosen: readonly (Lead | undefined)[]): Promise<void> => {
      await settle();
      for (const lead of chosen) if (lead) await readOne(lead);
    },
    remove: async (...chosen: readonly (Lead | undefined)[]): Promise<void> => {
      if (chosen.some((lead) => lead && leads.has(lead))) await session.settle(Math.max(changedAt, readAt));
      for (const lead of chosen) {
        if (!lead) continue;
        leads.delete(lead);
        await removeOne(lead.id);
      }
    },
    /** Waits until a response shows the latest changes, if this deployment shows them late. */
    settle,
    /** Waits until an effect must show that comes later than the response of its request. */
    waitForEffects: (): Promise<void> => session.client.clock.wait(effectMs),
    /** Leads that were added and not deleted. */
    living: (): readonly Lead[] => [...leads],
  };
};
