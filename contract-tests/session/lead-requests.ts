import type { OperationId } from '../../mock/contract/operation-id.ts';
import { RequestFailed } from '../client/errors.ts';
import {
  type Call,
  type Credentials,
  cleanUp,
  dataOf,
  describeRefusal,
  type Exchange,
  type JsonObject,
} from '../exchange/exchange.ts';
import type { Fields } from '../exchange/leads.ts';
import { hasGoneStatus, isWrongSuccess } from '../exchange/responses.ts';
import { CheckInconclusive, cannotUse } from './outcome.ts';
import type { Shared } from './shared.ts';

export type SendOptions = {
  readonly body?: unknown;
  /** A raw body, sent in place of `body`. */
  readonly raw?: string;
  readonly contentType?: string;
  readonly bare?: true;
  readonly credentials?: Credentials;
  readonly intent?: Call['intent'];
  readonly path?: string;
  readonly leadId?: string;
};

/** The tools for requests about leads. */
export type Requests = Shared & {
  /** Id of the check; every request of the check carries it. */
  readonly check: string;
  readonly send: (operation: OperationId, options?: SendOptions) => Promise<Exchange>;
  readonly newFields: () => Fields;
  /** A note of this run that begins with a lower-case letter. */
  readonly newNote: () => string;
  /** A different address each time: a deployment may merge or refuse leads with the same address. */
  readonly newAddress: () => string;
  /** A complete lead in the form that this deployment accepts, with changes; a field that is `undefined` is omitted. */
  readonly leadBody: (changes?: JsonObject) => Fields & JsonObject;
  /** The body of an update with these changes; with all fields of the lead, or of a new one, if partial updates are refused. */
  readonly updateBody: (changes: JsonObject, lead?: Pick<OwnLead, 'expected'>) => JsonObject;
  /** Waits until responses show a change, if this deployment shows changes late. @param changedAt by default now */
  readonly settle: (changedAt?: number) => Promise<void>;
};

/** Requests about the leads of a run. */
export type LeadRequests = {
  /** Sends an addition with these texts; `lead` is the one that it adds. */
  readonly addLead: (
    texts?: JsonObject,
    intent?: Call['intent'],
  ) => Promise<{ exchange: Exchange; lead: OwnLead | undefined }>;
  /** Adds a lead. @throws CheckSkipped if leads cannot be added, CheckInconclusive if an ordinary one is refused */
  readonly ownLead: (texts?: JsonObject) => Promise<OwnLead>;
  /** The same, and waits until it is visible. */
  readonly visibleLead: () => Promise<OwnLead>;
  /** Deletes the leads that this check has added so far: a deployment never holds more than a dozen leads of a run. */
  readonly discardLeads: () => Promise<void>;
};

/** Creates the requests of one check about leads. @param requestsOf returns those of the same run for another check */
export const leadRequests = (
  requests: Requests,
  requestsOf: (check: string) => Pick<Requests, 'send'>,
): LeadRequests => {
  const { check, health, ledger, send, capabilities } = requests;

  const addLead: LeadRequests['addLead'] = async (texts, intent = 'complete') => {
    const body = requests.leadBody(texts);
    const exchange = await send('addLead', { body, intent });
    const { lead_id: id } = dataOf(exchange);
    const usable = exchange.outcome === 'success' || exchange.outcome === 'broken';
    if (!usable || (typeof id !== 'string' && typeof id !== 'number') || id === '')
      return { exchange, lead: undefined };
    const { name, source, note } = body;
    const expected = { name, source, note };
    return { exchange, lead: { id: String(id), expected } };
  };

  const ownLead: LeadRequests['ownLead'] = async (texts) => {
    const capability = capabilities.get('addLead');
    if (capability?.available === false)
      throw cannotUse(`leads cannot be added: ${capability.reason}`, capability);
    const { exchange, lead } = await addLead(texts);
    if (!lead)
      throw new CheckInconclusive(`a lead that the run needs was not added: ${describeRefusal(exchange)}`);
    return lead;
  };

  /** Leads whose deletion got a 404, or a 2xx that is no documented success. Only the final clean-up tries again. */
  const probablyDeleted = new Set<string>();

  const discardLeads: LeadRequests['discardLeads'] = async () => {
    if (!requests.can('deleteLead') || health.hasStopped()) return;
    const session = requestsOf(cleanUp);
    for (const leadId of ledger.open(check)) {
      if (probablyDeleted.has(leadId)) continue;
      const exchange = await session.send('deleteLead', { leadId, intent: 'probe' }).catch(ignoreFailure);
      if (exchange && (hasGoneStatus(exchange) || isWrongSuccess(exchange))) probablyDeleted.add(leadId);
      else if (exchange?.outcome !== 'refusal' && exchange?.outcome !== 'success') return; // the final clean-up retries
    }
  };

  const visibleLead: LeadRequests['visibleLead'] = async () => {
    const lead = await ownLead();
    await requests.settle();
    return lead;
  };

  return { addLead, ownLead, visibleLead, discardLeads };
};

const ignoreFailure = (error: unknown): undefined => {
  if (!(error instanceof RequestFailed)) throw error;
  return undefined;
};

/** A lead that this run added, with the texts that it sent last. */
export type OwnLead = {
  readonly id: string;
  expected: Fields;
};
