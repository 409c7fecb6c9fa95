import type { OperationId } from '../../mock/contract/operation-id.ts';
import {
  type Call,
  cleanUp,
  control,
  describeRefusal,
  type Exchange,
  hasSuccessStatus,
  type JsonObject,
  pathSegment,
} from '../exchange/exchange.ts';
import { type Fields, idOf } from '../exchange/leads.ts';
import { operationOf } from '../exchange/operations.ts';
import { hasGoneStatus, isWrongSuccess } from '../exchange/responses.ts';
import { CheckInconclusive, falseIfUndecided } from './outcome.ts';
import { judgeLoss, judgeRefusedMail } from './send-again.ts';
import type { Shared } from './shared.ts';

export type SendOptions = Partial<Pick<Call, 'contentType' | 'bare' | 'credentials' | 'intent' | 'path'>> & {
  readonly body?: unknown;
  /** A raw body, sent in place of `body`. */
  readonly raw?: string;
  readonly leadId?: string;
};

/** A lead that this run added, with the texts that it sent last. */
export type OwnLead = {
  readonly id: string;
  readonly addedAt: number;
  expected: Fields;
};

/** More leads than all scenarios hold at the same time: deletions no longer work, or do not find their leads. */
const maxHeldLeads = 15;

/** The tools of one scenario: requests that this deployment accepts, leads of the run, unique texts. */
export type Session = ReturnType<typeof sessionFor>;

/** Creates the session of one scenario. */
export const sessionFor = (shared: Shared, scenario: string) => {
  const { client, health, history, requirements, ledger, unique } = shared;

  const pathOf = (operation: OperationId, options: SendOptions): string => {
    const [form] = shared.pathForms(operation);
    return (options.path ?? form ?? operationOf(operation).paths[0]).replace(
      '{id}',
      pathSegment(options.leadId ?? ''),
    );
  };

  const send = async (operation: OperationId, options: SendOptions = {}): Promise<Exchange> => {
    if (operation === 'addLead') expectDeletions();
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const call: Call = {
      operation,
      method: operationOf(operation).method,
      path: pathOf(operation, options),
      credentials: options.credentials ?? 'key',
      body,
      contentType: body === undefined ? undefined : (options.contentType ?? 'application/json'),
      bare: options.bare,
      intent: options.intent ?? 'complete',
      scenario,
    };
    health.admit(call);
    const first = await client.send(call).catch((error: unknown) => judgeLoss(shared, call, error));
    const exchange = await judgeRefusedMail(shared, call, first);
    noteLead(exchange, options.leadId);
    return exchange;
  };

  /** Throws if new leads might stay behind, because deletions fail. */
  const expectDeletions = (): void => {
    shared.expectUsable('deleteLead', 'no more leads are added, because they could not be deleted');
    // A control request needs few leads, and without it no refusal decides anything.
    if (scenario === control) return;
    health.admit({ operation: 'deleteLead', scenario });
    const held = history.model.held(client.clock.now());
    if (held > maxHeldLeads)
      throw new CheckInconclusive(`no more leads are added, because ${held} could not be deleted`);
    const lost = shared.probablyDeleted.size;
    if (lost > maxHeldLeads)
      throw new CheckInconclusive(
        `no more leads are added, because the deletions of ${lost} got 404, or a success in another form`,
      );
  };

  /** Keeps the ledger: a deleted lead is taken off it. An update of a lead that does not exist may create it. */
  const noteLead = (exchange: Exchange, leadId: string | undefined): void => {
    const { operation, outcome, credentials } = exchange;
    if (leadId === undefined || outcome !== 'success') return;
    if (operation === 'deleteLead' && credentials === 'key') ledger.deleted(leadId);
    if (operation === 'updateLead') ledger.note(leadId, scenario);
  };

  const settle = async (changedAt = client.clock.now()): Promise<void> => {
    const { lagMs } = history.model.dialect;
    const leftMs = changedAt + lagMs - client.clock.now();
    if (leftMs > 0) await client.clock.wait(leftMs);
  };

  /** A deployment may limit the length of texts (§8). */
  const newText = (label: string): string =>
    requirements.hasShortTexts ? unique('').replace('Contract test ', '').trim() : unique(label);

  const newNote = (): string => `called ${newText('note')}`.slice(0, 60);

  const newName = (): string => requirements.nameFrom?.(unique('')) ?? newText('Name');

  const newFields = (): Fields => ({ name: newName(), source: newText('Source'), note: newNote() });

  const leadBody = (changes: JsonObject = {}): Fields & JsonObject => ({
    ...newFields(),
    ...requirements.extraLeadFields,
    ...changes,
  });

  const updateBody = (changes: JsonObject, lead?: Pick<OwnLead, 'expected'>): JsonObject => ({
    ...(requirements.updateForm.hasAllFields ? (lead?.expected ?? newFields()) : {}),
    ...requirements.updateForm.extra,
    ...changes,
  });

  const addLead = async (
    texts?: JsonObject,
    intent: Call['intent'] = 'complete',
  ): Promise<{ exchange: Exchange; lead: OwnLead | undefined }> => {
    const body = leadBody(texts);
    const exchange = await send('addLead', { body, intent });
    const id = idOf(exchange);
    if (!hasSuccessStatus(exchange) || id === '') return { exchange, lead: undefined };
    const { name, source, note } = body;
    return { exchange, lead: { id, addedAt: client.clock.now(), expected: { name, source, note } } };
  };

  const ownLead = async (texts?: JsonObject): Promise<OwnLead> => {
    shared.expectUsable('addLead', 'leads cannot be added');
    const { exchange, lead } = await addLead(texts);
    if (!lead)
      throw new CheckInconclusive(`a lead that the run needs was not added: ${describeRefusal(exchange)}`);
    return lead;
  };

  const discardLeads = async (): Promise<void> => {
    const { can, probablyDeleted } = shared;
    if (!can('deleteLead') || health.hasStopped()) return;
    const session = sessionFor(shared, cleanUp);
    for (const leadId of ledger.open(scenario)) {
      if (probablyDeleted.has(leadId)) continue;
      const exchange = await session.send('deleteLead', { leadId, intent: 'probe' }).catch(falseIfUndecided);
      if (exchange && (hasGoneStatus(exchange) || isWrongSuccess(exchange))) probablyDeleted.add(leadId);
      else if (!exchange || !['refusal', 'success'].includes(exchange.outcome)) return; // the final clean-up retries
    }
  };

  return {
    ...shared,
    /** Id of the scenario; its requests carry it. */
    scenario,
    send,
    /** Waits until responses show a change, if this deployment shows changes late. @param changedAt by default now */
    settle,
    newFields,
    /** A note of this run that begins with a lower-case letter. */
    newNote,
    /** A different address each time: a deployment may merge or refuse leads with the same address. */
    newAddress: (): string => `${unique('').trim().replaceAll(' ', '-').toLowerCase()}@example.com`,
    /** A complete lead in the form that this deployment accepts, with changes; a field that is `undefined` is omitted. */
    leadBody,
    /** The body of an update with these changes, and what this deployment demands beside them; of a new lead if none is given. */
    updateBody,
    /** Sends an addition with these texts; `lead` is the one that it adds. */
    addLead,
    /** Adds a lead. @throws CheckSkipped if leads cannot be added, CheckInconclusive if an ordinary one is refused */
    ownLead,
    /** The same, and waits until it is visible. */
    visibleLead: async (): Promise<OwnLead> => {
      const lead = await ownLead();
      await settle();
      return lead;
    },
    /** Deletes the leads that this scenario has added so far: a deployment never holds more than a dozen leads of a run. */
    discardLeads,
  };
};
