import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { type Call, controlCheck, type Exchange, pathSegment } from '../exchange/exchange.ts';
import type { Fields } from '../exchange/leads.ts';
import { routes } from '../exchange/operations.ts';
import { type LeadRequests, leadRequests, type Requests, type SendOptions } from './lead-requests.ts';
import { CheckInconclusive, cannotUse } from './outcome.ts';
import type { Shared } from './shared.ts';

/** The tools of one check: requests that this deployment accepts, leads of the run, unique texts. */
export type Session = Requests & LeadRequests;

/** More leads than all scenarios hold at the same time: deletions no longer work. */
const maxHeldLeads = 15;

/** Creates the session of one check. */
export const sessionFor = (shared: Shared, check: string): Session => {
  const { client, health, history, capabilities, requirements, ledger, unique } = shared;

  const pathOf = (operation: OperationId, options: SendOptions): string => {
    const [form] = shared.pathForms(operation);
    return (options.path ?? form ?? routes[operation].paths[0]).replace(
      '{id}',
      pathSegment(options.leadId ?? ''),
    );
  };

  const send: Requests['send'] = async (operation, options = {}) => {
    if (operation === 'addLead') expectDeletions();
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
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
    health.admit(call);
    const exchange = await client.send(call);
    health.note(exchange);
    noteLead(exchange, options.leadId);
    return exchange;
  };

  /** Throws if new leads might stay behind, because deletions fail. */
  const expectDeletions = (): void => {
    const deletion = capabilities.get('deleteLead');
    if (deletion?.available === false)
      throw cannotUse(
        `no more leads are added, because they could not be deleted: ${deletion.reason}`,
        deletion,
      );
    // A control request needs few leads, and without it no refusal decides anything.
    if (check === controlCheck) return;
    health.admit({ operation: 'deleteLead', check });
    const held = history.model.held(performance.now());
    if (held > maxHeldLeads)
      throw new CheckInconclusive(`no more leads are added, because ${held} could not be deleted`);
  };

  /** Keeps the ledger: a deleted lead is taken off it. An update of a lead that does not exist may create it. */
  const noteLead = (exchange: Exchange, leadId: string | undefined): void => {
    const { operation, outcome, credentials } = exchange;
    if (leadId === undefined || outcome !== 'success') return;
    if (operation === 'deleteLead' && credentials === 'key') ledger.deleted(leadId);
    if (operation === 'updateLead') ledger.note(leadId, check);
  };

  const settle: Requests['settle'] = async (changedAt = performance.now()) => {
    const { lagMs } = history.model.dialect;
    const leftMs = changedAt + lagMs - performance.now();
    if (leftMs > 0) await wait(leftMs);
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
    ...shared,
    check,
    send,
    settle,
    newFields,
    newNote,
    leadBody,
    updateBody,
    newAddress: () => `${unique('').trim().replaceAll(' ', '-').toLowerCase()}@example.com`,
  };
  return { ...requests, ...leadRequests(requests, (otherCheck) => sessionFor(shared, otherCheck)) };
};
