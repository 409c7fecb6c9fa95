import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { cleanUp, controlCheck, RequestFailed } from '../client/client.ts';
import {
  type Call,
  dataOf,
  describeRefusal,
  type Exchange,
  isObject,
  pathSegment,
  textOf,
} from '../client/exchange.ts';
import { type LeadRequests, leadRequests, type Requests, type SendOptions } from './lead-requests.ts';
import { CheckInconclusive, cannotUse } from './outcome.ts';
import { type Fields, hasGoneStatus, type OwnLead, refusedDeletions, undeletedLeads } from './own-lead.ts';
import { routes } from './routes.ts';
import type { Shared } from './shared.ts';
import { hasServiceForm } from './trouble.ts';

/** The tools of one check: requests that this deployment accepts, leads of the run, unique texts. */
export type Session = Requests & LeadRequests;

/** The pauses between retries: milliseconds of the pause, and milliseconds in total after it. */
const pauses = [
  [250, 250],
  [250, 500],
  [500, 1000],
  [1500, 2500],
  [2500, 5000],
] as const;

/** Twice `maxLeads`: more leads exist only if deletions no longer work. */
export const maxHeldLeads = 20;

/** Maximum number of leads whose deletion was refused, before the run adds no more. */
const maxStuckLeads = 5;

/** Creates the session of one check. */
export const sessionFor = (shared: Shared, check: string): Session => {
  const { client, health, capabilities, requirements, ledger, unique } = shared;

  const pathOf = (operation: OperationId, options: SendOptions): string => {
    const [form] = shared.pathForms(operation);
    return (options.path ?? form ?? routes[operation].paths[0]).replace(
      '{id}',
      pathSegment(options.leadId ?? ''),
    );
  };

  const send: Requests['send'] = async (operation, options = {}) => {
    const deletion = capabilities.get('deleteLead');
    if (operation === 'addLead' && deletion?.available === false) {
      throw cannotUse(
        `no more leads are added, because they could not be deleted: ${deletion.reason}`,
        deletion,
      );
    }
    // A control request needs few leads, and without it no refusal decides anything.
    if (operation === 'addLead' && check !== controlCheck) await expectDeletions();
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const known = shared.leads.get(options.leadId ?? '');
    const call: Call = {
      operation,
      method: routes[operation].method,
      path: pathOf(operation, options),
      credentials: options.credentials ?? 'key',
      body,
      contentType: body === undefined ? undefined : (options.contentType ?? 'application/json'),
      bare: options.bare,
      intent: options.intent ?? 'complete',
      check,
    };
    const exchange = await sendWatched(call);
    noteLead(exchange, options.leadId, known);
    return exchange;
  };

  /** Throws if new leads might stay behind, because deletions fail, and fail again when they are repeated. */
  const expectDeletions = async (): Promise<void> => {
    if (ledger.open().length <= maxStuckLeads) return;
    const pathOfDeletion = (leadId: string): string => pathOf('deleteLead', { leadId });
    const held = undeletedLeads(ledger.open(), pathOfDeletion, shared.leads, client.exchanges);
    const refused = refusedDeletions(client.exchanges);
    const stuck = held.filter((leadId) => refused.has(pathOfDeletion(leadId)));
    const refuse = (count: number, why = ''): never => {
      throw new CheckInconclusive(`no more leads are added, because ${count} could not be deleted${why}`);
    };
    if (held.length > maxHeldLeads) refuse(held.length);
    // If new leads become visible late, their deletion is repeated anyway.
    if (shared.requirements.eventuallyConsistent || stuck.length <= maxStuckLeads) return;
    for (const leadId of stuck) {
      const exchange = await sessionFor(shared, cleanUp).send('deleteLead', { leadId, intent: 'probe' });
      if (exchange.outcome !== 'success') refuse(stuck.length, `: ${describeRefusal(exchange)}`);
      ledger.deleted(leadId);
    }
  };

  const sendWatched = async (call: Call): Promise<Exchange> => {
    health.admit(call);
    try {
      const exchange = await client.send(call);
      await health.note(exchange);
      return exchange;
    } catch (error) {
      if (error instanceof RequestFailed) await health.noteFailure(call, error);
      throw error;
    }
  };

  const noteLead = (exchange: Exchange, leadId: string | undefined, known: OwnLead | undefined): void => {
    const { operation, method, path, status, outcome, repeated, credentials } = exchange;
    const isKey = credentials === 'key';
    // The first attempt may have taken effect before the connection broke, so the response to the second one is no finding.
    const afterEffect = repeated && isKey && outcome !== 'success';
    if (
      operation === 'deleteLead' &&
      known &&
      (outcome === 'success' || (afterEffect && outcome === 'refusal'))
    ) {
      known.deleted = true;
      const isGone = hasGoneStatus(exchange) && hasServiceForm(exchange);
      if (isKey && (outcome === 'success' || isGone)) ledger.deleted(known.id);
    }
    // An update of a lead that does not exist may create it.
    const upserted = operation === 'updateLead' && outcome === 'success' && (!known || known.deleted);
    if (upserted && leadId !== undefined) ledger.note(leadId, check);
    if (afterEffect && check !== cleanUp && method !== 'GET')
      throw new RequestFailed(
        'closed',
        `${method} ${path}: the connection broke, and the repeated request got ${status}`,
      );
  };

  const retryUntil: Requests['retryUntil'] = async (ask, good, maxMs) => {
    let exchange = await ask();
    for (const [pause, waited] of pauses) {
      if (good(exchange) || waited > maxMs) return exchange;
      await wait(pause);
      exchange = await ask();
      if (good(exchange)) requirements.eventuallyConsistent = true;
    }
    return exchange;
  };

  const newNote = (): string => `called ${unique('note')}`.slice(0, 60);

  const newName = (): string => requirements.nameFrom?.(unique('')) ?? unique('Name');

  const newFields = (): Fields => ({ name: newName(), source: unique('Source'), note: newNote() });

  const leadBody: Requests['leadBody'] = (changes = {}) => ({
    ...newFields(),
    ...requirements.extraLeadFields,
    ...changes,
  });

  const updateBody: Requests['updateBody'] = (changes, lead) => ({
    ...(requirements.requiresFullUpdate ? (lead?.expected ?? newFields()) : {}),
    ...changes,
  });

  const requests: Requests = {
    ...{ ...shared, check, send, retryUntil, newFields, newNote, leadBody, updateBody },
    newAddress: () => `${unique('').trim().replaceAll(' ', '-').toLowerCase()}@example.com`,
  };
  return { ...requests, ...leadRequests(requests, (otherCheck) => sessionFor(shared, otherCheck)) };
};

export const idOf = (exchange: Exchange): string => textOf(dataOf(exchange).lead_id);

/** All ids that the deployment assigned during the run, without duplicates. */
export const idsOf = ({ client }: Session): string[] => [
  ...new Set(
    client.exchanges
      .filter(
        ({ operation, outcome, json }) => operation === 'addLead' && outcome === 'success' && isObject(json),
      )
      .map(idOf)
      .filter((id) => id !== ''),
  ),
];
