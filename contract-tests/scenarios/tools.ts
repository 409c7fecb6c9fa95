import { dataOf, type Exchange, type JsonObject, textOf } from '../exchange/exchange.ts';
import { type Fields, idOf, leadFields } from '../exchange/leads.ts';
import { type ReadForm, readForms } from '../session/requests.ts';
import { noteAlone } from '../session/requirements.ts';
import type { OwnLead, SendOptions, Session } from '../session/session.ts';

/** A lead that a scenario added. */
export type Lead = OwnLead;

/** The requests of a scenario, in the form that this deployment accepts. */
export type Tools = {
  readonly session: Session;
  /** Whether cost does not matter. */
  readonly isThorough: boolean;
  /** Adds a lead. @throws CheckInconclusive if an ordinary one is refused */
  readonly add: (texts?: Partial<Fields>) => Promise<Lead>;
  /** Sends an addition with texts that a deployment may refuse; `lead` is the one that it adds. */
  readonly sendAddition: (texts: JsonObject) => Promise<{ exchange: Exchange; lead: Lead | undefined }>;
  /** The same; `undefined` if it is refused. */
  readonly tryToAdd: (texts: JsonObject) => Promise<Lead | undefined>;
  /** Adds a lead with the texts of another one, as many as the deployment accepts a second time. */
  readonly addAlike: (lead: Pick<Lead, 'expected'>) => Promise<Lead>;
  /** Sends an addition, and deletes its lead if there is one. */
  readonly tryAddition: (options: SendOptions) => Promise<Exchange>;
  /** Updates the note. */
  readonly update: (lead: Lead, note?: string) => Promise<Exchange>;
  /** Sends an update that a deployment may refuse. */
  readonly tryToUpdate: (lead: Lead, body: JsonObject) => Promise<Exchange>;
  /** Shows leads, without a change of their notes if the deployment accepts such an update. */
  readonly read: (...leads: readonly (Lead | undefined)[]) => Promise<void>;
  readonly remove: (...leads: readonly (Lead | undefined)[]) => Promise<void>;
  /** Waits until a response shows the latest changes, if this deployment shows them late. */
  readonly settle: () => Promise<void>;
  /** Waits until an effect must show that comes later than the response of its request. */
  readonly waitForEffects: () => Promise<void>;
  /** Leads that were added and not deleted. */
  readonly living: () => readonly Lead[];
};

/** Milliseconds after which an effect must show. */
const effectMs = 600;

/** What all scenarios of a run know about the requests that a deployment accepts. */
export type Reading = {
  /** The bodies of updates that read a lead; none if updates of the note have to. */
  forms?: readonly ReadForm[];
  /** The fields that two leads may have in common, as far as it is known. */
  alike?: readonly (readonly (keyof Fields)[])[];
};

export const createTools = (session: Session, reading: Reading): Tools => {
  const leads = new Set<Lead>();

  const sendAddition: Tools['sendAddition'] = async (texts) => {
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

  const sendUpdate = async (lead: Lead, body: JsonObject, intent: Exchange['intent']): Promise<Exchange> => {
    const exchange = await session.send('updateLead', { leadId: lead.id, body, intent });
    noteChange();
    if (exchange.outcome === 'success')
      for (const name of leadFields)
        if (typeof body[name] === 'string') lead.expected = { ...lead.expected, [name]: body[name] };
    return exchange;
  };

  const update: Tools['update'] = (lead, note = session.newNote()) => updateWith(lead, { note }, 'complete');

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
    isThorough: session.isThorough,
    add,
    sendAddition,
    tryToAdd: async (texts) => (await sendAddition(texts)).lead,
    addAlike: async ({ expected }) => {
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
    tryAddition: async (options) => {
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
    update,
    tryToUpdate: async (lead, body) => {
      const exchange = await sendUpdate(lead, body, 'text');
      const isIncomplete = session.requirements.updateForm !== noteAlone && exchange.outcome === 'refusal';
      return isIncomplete ? updateWith(lead, body, 'text') : exchange;
    },
    read: async (...chosen) => {
      await settle();
      for (const lead of chosen) if (lead) await readOne(lead);
    },
    remove: async (...chosen) => {
      if (chosen.some((lead) => lead && leads.has(lead))) await session.settle(Math.max(changedAt, readAt));
      for (const lead of chosen) {
        if (!lead) continue;
        leads.delete(lead);
        await removeOne(lead.id);
      }
    },
    settle,
    waitForEffects: () => session.client.clock.wait(effectMs),
    living: () => [...leads],
  };
};
