import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../mock/spec.ts';
import { CheckInconclusive, CheckSkipped } from './check.ts';
import type { Client } from './client.ts';
import { pathSegment } from './curl.ts';
import {
  type Call,
  type Credentials,
  dataOf,
  type Exchange,
  type JsonObject,
  type LeadSnapshot,
  wordsOf,
} from './exchange.ts';
import type { Ledger } from './ledger.ts';
import type { Permissions } from './permissions.ts';

/** A template as a deployment lists it; unchecked, because checking it is the point. */
export type ListedTemplate = {
  readonly id: string;
  readonly body: string;
  readonly variables: readonly string[];
};

/** What the survey found of one operation. */
export type Ability =
  | { readonly usable: true; readonly forms: readonly string[] }
  | { readonly usable: false; readonly reason: string };

type Fields = { name: string; source: string; note: string };

/** A lead this run created, as it must be now if the deployment keeps its promises. */
export type OwnLead = {
  readonly id: string;
  readonly createdAt: unknown;
  expected: Fields;
  readonly bornAt: number;
  /** Added with texts of this run that nothing should change; false once something may have. */
  plain: boolean;
  deleted: boolean;
  /** An update found it: from then on, it is no longer too new to be known. */
  seen: boolean;
};

type SendOptions = {
  readonly body?: unknown;
  /** A body sent as it is, in place of `body`. */
  readonly raw?: string;
  readonly contentType?: string;
  readonly credentials?: Credentials;
  readonly intent?: Call['intent'];
  readonly path?: string;
  readonly leadId?: string;
  readonly lead?: LeadSnapshot | undefined;
};

/** What all checks of a run share. */
export type Shared = {
  readonly runId: string;
  readonly client: Client;
  readonly permissions: Permissions;
  readonly sender: string;
  readonly ledger: Ledger;
  readonly abilities: Map<OperationId, Ability>;
  /** What this deployment demands beyond the documented shapes; found by the survey. */
  readonly demands: {
    leadExtra: JsonObject;
    /** Makes a name this deployment takes from a unique text. */
    nameFrom?: ((unique: string) => string) | undefined;
    updateInFull: boolean;
    sendWithoutTo: boolean;
    templateTo: boolean;
    /** A template mail was taken in §4.3's own shape, which names no recipient. */
    templateWithoutTo: boolean;
    /** The template that could be sent. */
    template?: ListedTemplate;
    lateLeads: boolean;
  };
  readonly templates: ListedTemplate[];
  /** Every lead this run knows that it added, by its id. */
  readonly leads: Map<string, OwnLead>;
  /** A text of at most 60 characters that belongs to this run and to nobody else. */
  readonly unique: (what: string) => string;
};

/** What one check works with: requests in the deployment's own terms, leads of the run, texts nobody else uses. */
export type Session = Shared & {
  /** Id of the check; every request of it says so. */
  readonly check: string;
  /** Notes of things that held only at a second look. */
  readonly unstable: string[];
  readonly send: (operation: OperationId, options?: SendOptions) => Promise<Exchange>;
  readonly newFields: () => Fields;
  /** A note of this run that begins with a small letter. */
  readonly newNote: () => string;
  readonly addLead: (
    fields?: Fields,
    intent?: Call['intent'],
  ) => Promise<{ exchange: Exchange; lead: OwnLead | undefined }>;
  /** A lead of this run that exists. @throws CheckSkipped where leads cannot be added. */
  readonly ownLead: () => Promise<OwnLead>;
  readonly updateLead: (lead: OwnLead, note: string, intent?: Call['intent']) => Promise<Exchange>;
  readonly deleteLead: (lead: OwnLead, credentials?: Credentials) => Promise<Exchange>;
  /** The lead as the deployment shows it without a change of its note, or `undefined` where it shows nothing. */
  readonly readBack: (lead: OwnLead) => Promise<Exchange | undefined>;
  /** Asks again, within a second or the milliseconds given: what is new may take a moment to be known. */
  readonly patiently: (
    ask: () => Promise<Exchange>,
    good: (exchange: Exchange) => boolean,
    what: string,
    longest?: number,
  ) => Promise<Exchange>;
};

export const paths: Readonly<Record<OperationId, readonly [string, ...string[]]>> = {
  sendEmail: ['/api/v1/email/send'],
  listTemplates: ['/api/v1/email/templates', '/api/v1/email/template'],
  sendTemplateEmail: ['/api/v1/email/template', '/api/v1/email/send-template'],
  addLead: ['/api/v1/leads'],
  updateLead: ['/api/v1/leads/{id}'],
  deleteLead: ['/api/v1/leads/{id}'],
};

const methods: Readonly<Record<OperationId, Call['method']>> = {
  sendEmail: 'POST',
  listTemplates: 'GET',
  sendTemplateEmail: 'POST',
  addLead: 'POST',
  updateLead: 'PUT',
  deleteLead: 'DELETE',
};

export type SharedOptions = Pick<Shared, 'client' | 'ledger' | 'permissions' | 'sender' | 'runId'>;

export const newRunId = (): string => randomBytes(4).toString('hex');

export const createShared = (options: SharedOptions): Shared => {
  let counter = 0;
  return {
    ...options,
    abilities: new Map(),
    demands: {
      leadExtra: {},
      updateInFull: false,
      templateTo: false,
      templateWithoutTo: false,
      sendWithoutTo: false,
      lateLeads: false,
    },
    templates: [],
    leads: new Map(),
    unique: (what) => {
      counter += 1;
      return `Contract test ${options.runId}-${counter} ${what}`.slice(0, 60);
    },
  };
};

/** What is known of a lead now, for the replies that show it. */
export const snapshot = ({ id, createdAt, expected, bornAt }: OwnLead): LeadSnapshot => ({
  id,
  createdAt,
  ...expected,
  age: Date.now() - bornAt,
});

/** How long to wait before asking again, and how long that is in all; in milliseconds. */
const pauses = [
  [250, 250],
  [250, 500],
  [500, 1000],
  [1500, 2500],
  [2500, 5000],
] as const;

/** The session of one check: the same run, requests under the check's own name. */
export const sessionFor = (shared: Shared, check: string): Session => {
  const { client, abilities, demands, ledger, unique } = shared;
  const unstable: string[] = [];

  const pathOf = (operation: OperationId, options: SendOptions): string => {
    if (options.path !== undefined) return options.path;
    const ability = abilities.get(operation);
    const form = (ability?.usable ? ability.forms[0] : undefined) ?? paths[operation][0];
    return form.replace('{id}', pathSegment(options.leadId ?? ''));
  };

  const send: Session['send'] = async (operation, options = {}) => {
    const deletion = abilities.get('deleteLead');
    if (operation === 'addLead' && deletion?.usable === false) {
      throw new CheckSkipped(
        `no more leads are added, because they could not be deleted: ${deletion.reason}`,
      );
    }
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const known = shared.leads.get(options.leadId ?? '');
    const exchange = await client.send({
      operation,
      method: methods[operation],
      path: pathOf(operation, options),
      credentials: options.credentials ?? 'key',
      body,
      contentType: body === undefined ? undefined : (options.contentType ?? 'application/json'),
      intent: options.intent ?? 'complete',
      check,
      lead: options.lead ?? (operation === 'deleteLead' && known ? snapshot(known) : undefined),
    });
    if (operation === 'deleteLead' && exchange.outcome === 'success' && known) known.deleted = true;
    return exchange;
  };

  const patiently: Session['patiently'] = async (ask, good, what, longest = 1000) => {
    let exchange = await ask();
    for (const [pause, waited] of pauses) {
      if (good(exchange) || waited > longest) return exchange;
      await wait(pause);
      exchange = await ask();
      if (good(exchange)) unstable.push(`${what} only ${waited} ms later`);
    }
    return exchange;
  };

  const newNote = (): string => `called ${unique('note')}`.slice(0, 60);

  const newName = (): string => demands.nameFrom?.(unique('')) ?? unique('Name');

  const newFields = (): Fields => ({ name: newName(), source: unique('Source'), note: newNote() });

  const addLead: Session['addLead'] = async (fields = newFields(), intent = 'complete') => {
    const sent = { ...fields, ...demands.leadExtra };
    const exchange = await send('addLead', { body: sent, intent });
    const { lead_id: id, created_at: createdAt } = dataOf(exchange);
    const usable = exchange.outcome === 'success' || exchange.outcome === 'broken';
    if (!usable || (typeof id !== 'string' && typeof id !== 'number') || id === '')
      return { exchange, lead: undefined };
    const { name, source, note } = sent;
    const known = shared.leads.get(String(id));
    const lead: OwnLead = {
      id: String(id),
      createdAt,
      expected: { name, source, note },
      bornAt: Date.now(),
      plain: intent !== 'text' && !known,
      deleted: false,
      seen: false,
    };
    // Merged with one that exists, or an id used twice: what becomes of either is no longer ours to say.
    if (known && !known.deleted) known.plain = false;
    else shared.leads.set(lead.id, lead);
    return { exchange, lead };
  };

  const ownLead: Session['ownLead'] = async () => {
    const ability = abilities.get('addLead');
    if (ability?.usable === false) throw new CheckSkipped(`leads cannot be added: ${ability.reason}`);
    const { exchange, lead } = await addLead();
    if (!lead) throw new CheckInconclusive(`the lead it needs was not added: ${wordsOf(exchange)}`);
    return lead;
  };

  const updateLead: Session['updateLead'] = async (lead, note, intent = 'complete') => {
    const body = demands.updateInFull ? { ...lead.expected, note } : { note };
    const after = lead.plain && intent === 'complete' ? { ...snapshot(lead), note } : undefined;
    const ask = (): Promise<Exchange> => send('updateLead', { leadId: lead.id, body, intent, lead: after });
    const exchange = await freshly(lead, ask);
    if (exchange.outcome === 'success') {
      lead.expected = { ...lead.expected, note };
      lead.seen = true;
    }
    return exchange;
  };

  // What is new may take a moment to be known everywhere. Said once; it would be the same of every lead.
  const freshly = async (lead: OwnLead, ask: () => Promise<Exchange>): Promise<Exchange> => {
    if (Date.now() - lead.bornAt > 3000) return ask();
    const before = unstable.length;
    const exchange = await patiently(ask, ({ outcome }) => outcome !== 'refusal', 'a new lead was known');
    if (demands.lateLeads) unstable.length = before;
    if (unstable.length > before) demands.lateLeads = true;
    return exchange;
  };

  const deleteLead: Session['deleteLead'] = async (lead, credentials = 'key') => {
    const ask = (): Promise<Exchange> => send('deleteLead', { leadId: lead.id, credentials });
    const exchange = credentials === 'key' ? await freshly(lead, ask) : await ask();
    if (exchange.outcome === 'success') ledger.deleted(lead.id);
    return exchange;
  };

  const readBack: Session['readBack'] = async (lead) => {
    const { name, source } = lead.expected;
    // Nothing in the document reads a lead. Updates that leave the note alone show it, where a deployment takes them.
    for (const body of [{}, { name }, { source }, { name, source }]) {
      const exchange = await send('updateLead', { leadId: lead.id, body, intent: 'probe' });
      if (exchange.outcome === 'success') return exchange;
    }
    return undefined;
  };

  return {
    ...shared,
    check,
    unstable,
    send,
    newFields,
    newNote,
    addLead,
    ownLead,
    updateLead,
    deleteLead,
    readBack,
    patiently,
  };
};
