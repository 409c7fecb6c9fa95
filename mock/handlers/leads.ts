import { ApiError, quoted } from '../errors.ts';
import type { Lead, LeadFields, Workspace } from '../state.ts';
import type { Call, Handler } from './handler.ts';

const fields = ['name', 'source', 'note'] as const;

/** §4.5: what the client left out is kept as an empty text, because the reply must carry every field. */
export const addLead: Handler<'addLead'> = ({ body, workspace, answers }) => {
  const sent = { name: text(body.name), source: text(body.source), note: text(body.note) };
  const twin = answers['lead.duplicate'] === 'accepted' ? undefined : findTwin(workspace, sent);
  if (twin && answers['lead.duplicate'] === 'rejected') {
    throw new ApiError(
      'validation_failed',
      `body repeats the name, source and note of lead ${quoted(twin.lead_id)}`,
      'No lead was added. Update the existing lead instead.',
    );
  }
  const lead = twin ?? workspace.addLead(sent, answers['lead.id-format']);
  return { ...succeeded(answers), data: added(lead), message: twin ? 'Lead already there' : 'Lead added' };
};

/** §4.6: changes the fields sent, and nothing else. */
export const updateLead: Handler<'updateLead'> = ({ params, body, workspace, answers }) => {
  const sent = body as Partial<LeadFields>;
  const changes: Partial<Record<keyof LeadFields, string>> = {};
  for (const field of fields) {
    const ignored = field !== 'note' && answers[`lead.update-${field}`] === 'ignored';
    if (Object.hasOwn(sent, field) && !ignored) changes[field] = text(sent[field]);
  }
  const id = params.id ?? '';
  const lead = workspace.updateLead(id, changes) ?? absentLead(id, changes, workspace, answers);
  const { created_at: _, ...data } = lead;
  return { success: true, error: '', data, message: 'Lead updated' };
};

/** §4.7 */
export const deleteLead: Handler<'deleteLead'> = ({ params, workspace, answers }) => {
  const id = params.id ?? '';
  const gone = workspace.deleteLead(id);
  if (!gone && answers['failure.delete-again-status'] !== 'accepted')
    throw notFound('lead_already_deleted', id);
  return { success: true, error: '', message: gone ? 'Lead deleted' : 'No such lead; nothing to delete' };
};

/** §4.8: in the contract only where `lead.retrieve` is `present`. */
export const retrieveLead = ({ params, workspace, answers }: Call<undefined>): unknown => {
  const lead = workspace.leads.get(params.id ?? '');
  if (!lead) throw notFound('lead_not_found', params.id ?? '');
  return { ...succeeded(answers), data: added(lead), message: 'Lead found' };
};

/** §4.8: in the contract only where `lead.list` is `present`. */
export const listLeads = ({ workspace, answers }: Call<undefined>): unknown => ({
  ...succeeded(answers),
  data: [...workspace.leads.values()].map(added),
  message: workspace.leads.size === 1 ? '1 lead' : `${workspace.leads.size} leads`,
});

// §4.5 shows no `error` in this success; §7.1 has one in others. What a deployment does is an open question.
const succeeded = (answers: {
  'success.error-field': string;
}): { readonly success: true; readonly error?: '' } =>
  answers['success.error-field'] === 'empty' ? { success: true, error: '' } : { success: true };

const added = ({ updated_at: _, ...lead }: Lead): Omit<Lead, 'updated_at'> => lead;

// With `lead.wrong-type` accepted, numbers and booleans are stored as their text.
const text = (value: unknown): string => (value === undefined ? '' : String(value));

const findTwin = (workspace: Workspace, sent: LeadFields): Lead | undefined => {
  for (const lead of workspace.leads.values()) {
    if (fields.every((field) => lead[field] === sent[field])) return lead;
  }
  return undefined;
};

const absentLead = (
  id: string,
  changes: Partial<LeadFields>,
  workspace: Workspace,
  answers: { 'failure.unknown-lead-status': string | number },
): Lead => {
  if (answers['failure.unknown-lead-status'] !== 'accepted') throw notFound('lead_not_found', id);
  const time = workspace.now();
  return { lead_id: id, name: '', source: '', note: '', ...changes, created_at: time, updated_at: time };
};

const notFound = (code: 'lead_not_found' | 'lead_already_deleted', id: string): ApiError =>
  new ApiError(
    code,
    `there is no lead ${quoted(id)}`,
    'Use a lead_id that POST /api/v1/leads returned and that was not deleted.',
  );
