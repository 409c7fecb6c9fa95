import type { OperationId } from '../../mock/contract/operation-id.ts';
import { cleanUp, RequestFailed } from '../client/client.ts';
import {
  type Call,
  type Credentials,
  dataOf,
  describeRefusal,
  type Exchange,
  isRefusal,
  type JsonObject,
} from '../client/exchange.ts';
import { CheckInconclusive, cannotUse } from './outcome.ts';
import {
  type Fields,
  fingerprintForAnyId,
  hasGoneStatus,
  isWrongSuccess,
  maxPropagationMs,
  missingIds,
  type OwnLead,
} from './own-lead.ts';
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
  /** Repeats a request about a new lead for at most `maxMs`: the lead may become visible with a delay. */
  readonly retryUntil: (
    ask: () => Promise<Exchange>,
    good: (exchange: Exchange) => boolean,
    maxMs: number,
  ) => Promise<Exchange>;
};

/** Requests about the leads of a run. */
export type LeadRequests = {
  readonly addLead: (
    fields?: Fields,
    intent?: Call['intent'],
  ) => Promise<{ exchange: Exchange; lead: OwnLead | undefined }>;
  /** Returns an existing lead of this run. @throws CheckSkipped if leads cannot be added */
  readonly ownLead: () => Promise<OwnLead>;
  /** Deletes the leads that this check has added so far: a deployment never holds more than a dozen leads of a run. */
  readonly discardLeads: () => Promise<void>;
  readonly updateLead: (lead: OwnLead, note: string, intent?: Call['intent']) => Promise<Exchange>;
  readonly deleteLead: (lead: OwnLead) => Promise<Exchange>;
};

/** Whether a request about a lead was refused like one about a lead that cannot exist: the lead is gone. */
const isUnknownLead = async (requests: Requests, refusal: Exchange): Promise<boolean> => {
  const { outcome, operation } = refusal;
  if (outcome !== 'refusal') return false;
  const body = operation === 'updateLead' ? requests.updateBody({ note: requests.newNote() }) : undefined;
  for (const leadId of missingIds(requests.unknownId, requests.leads)) {
    const control = await requests.send(operation, { leadId, body, intent: 'probe' });
    if (control.outcome === 'refusal' && fingerprintForAnyId(control) === fingerprintForAnyId(refusal))
      return true;
  }
  return false;
};

/** Creates the requests of one check about leads. @param requestsOf returns those of the same run for another check */
export const leadRequests = (
  requests: Requests,
  requestsOf: (check: string) => Pick<Requests, 'send'>,
): LeadRequests => {
  const { check, health, ledger, send, newFields, retryUntil } = requests;
  const { capabilities, requirements } = requests;

  const addLead: LeadRequests['addLead'] = async (fields = newFields(), intent = 'complete') => {
    const sent = { ...fields, ...requirements.extraLeadFields };
    const exchange = await send('addLead', { body: sent, intent });
    const { lead_id: id } = dataOf(exchange);
    const usable = exchange.outcome === 'success' || exchange.outcome === 'broken';
    if (!usable || (typeof id !== 'string' && typeof id !== 'number') || id === '')
      return { exchange, lead: undefined };
    const { name, source, note } = sent;
    const known = requests.leads.get(String(id));
    const lead: OwnLead = {
      id: String(id),
      expected: { name, source, note },
      createdAtMs: performance.now(),
      deleted: false,
      observed: false,
    };
    if (!known || known.deleted) requests.leads.set(lead.id, lead);
    return { exchange, lead };
  };

  const ownLead: LeadRequests['ownLead'] = async () => {
    const capability = capabilities.get('addLead');
    if (capability?.available === false)
      throw cannotUse(`leads cannot be added: ${capability.reason}`, capability);
    const { exchange, lead } = await addLead();
    if (!lead)
      throw new CheckInconclusive(
        `the lead that the check needs was not added: ${describeRefusal(exchange)}`,
      );
    return lead;
  };

  /** Deletes a lead. If new leads become visible late, a refusal is retried, so that the lead does not stay behind. */
  const discard = async (leadId: string, sendAsCleanUp: Requests['send']): Promise<Exchange> => {
    const { createdAtMs = performance.now() } = requests.leads.get(leadId) ?? {};
    const leftMs = maxPropagationMs - (performance.now() - createdAtMs);
    return retryUntil(
      () => sendAsCleanUp('deleteLead', { leadId, intent: 'probe' }),
      (last) => !requirements.eventuallyConsistent || !isRefusal(last),
      leftMs,
    );
  };

  /** Leads whose deletion got a 404, or a 2xx that is no documented success. Only the final clean-up tries again. */
  const probablyDeleted = new Set<string>();

  const discardLeads: LeadRequests['discardLeads'] = async () => {
    if (!requests.can('deleteLead') || health.hasStopped()) return;
    const session = requestsOf(cleanUp);
    for (const leadId of ledger.open(check)) {
      if (probablyDeleted.has(leadId)) continue;
      const exchange = await discard(leadId, session.send).catch(ignoreFailure);
      if (exchange?.outcome === 'success') ledger.deleted(leadId);
      else if (exchange && (hasGoneStatus(exchange) || isWrongSuccess(exchange))) probablyDeleted.add(leadId);
      else if (exchange?.outcome !== 'refusal') return; // the final clean-up retries
    }
  };

  const updateLead: LeadRequests['updateLead'] = async (lead, note, intent = 'complete') => {
    const body = requests.updateBody({ note }, lead);
    const ask = (): Promise<Exchange> => send('updateLead', { leadId: lead.id, body, intent });
    const exchange = await retryWhileNew(lead, ask);
    if (exchange.outcome === 'success') {
      lead.expected = { ...lead.expected, note };
      lead.observed = true;
    }
    return exchange;
  };

  // A new lead may become visible with a delay. Other refusals do not depend on the age of a lead.
  const retryWhileNew = async (lead: OwnLead, ask: () => Promise<Exchange>): Promise<Exchange> => {
    const { createdAtMs, observed: wasObserved } = lead;
    const first = await ask();
    if (wasObserved || performance.now() - createdAtMs > maxPropagationMs || first.outcome !== 'refusal')
      return first;
    if (!hasGoneStatus(first) && !(await isUnknownLead(requests, first))) return first;
    let previous: Exchange | undefined = first; // the first response is already there
    const next = async (): Promise<Exchange> => {
      const exchange = previous ?? (await ask());
      previous = undefined;
      return exchange;
    };
    return retryUntil(next, ({ outcome }) => outcome !== 'refusal', maxPropagationMs);
  };

  const deleteLead: LeadRequests['deleteLead'] = async (lead) => {
    const exchange = await retryWhileNew(lead, () => send('deleteLead', { leadId: lead.id }));
    if (exchange.outcome === 'success') ledger.deleted(lead.id);
    return exchange;
  };

  return { addLead, ownLead, discardLeads, updateLead, deleteLead };
};

const ignoreFailure = (error: unknown): undefined => {
  if (!(error instanceof RequestFailed)) throw error;
  return undefined;
};
