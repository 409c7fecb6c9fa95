import { ApiError, quoted } from '../errors.ts';
import type { Answers } from '../questions.ts';
import type { Lead, LeadChanges, Workspace } from '../state.ts';
import type { Call, Handler } from './handler.ts';

/** §4.5: what the client left out is kept as an empty text, because the reply must carry every field. */
export const addLead: Handler<'addLead'> = ({ body, workspace, answers }) => {
  const sent = { name: text(body.name), source: text(body.source), note: text(body.note) };
  const twin = answers['lead.duplicate'] === 'accepted' ? undefined : workspace.findTwin(sent);
  if (twin && answers['lead.duplicate'] === 'rejected') {
    throw new ApiError(
      'validation_failed',
      `body repeats the name, source and note of lead ${quoted(twin.lead_id)}`,
      'No lead was added. Update the existing lead instead.',
    );
  }
  const lead = twin ?? workspace.addLead(sent, answers['lead.id-format']);
  return succeeded(answers, added(lead), twin ? 'Lead already there' : 'Lead added');
};

/** §4.6: changes the fields sent, and nothing else. */
export const updateLead: Handler<'updateLead'> = ({ params, body, workspace, answers }) => {
  const sent: LeadChanges = body as LeadChanges;
  const changes: LeadChanges = {
    name: answers['lead.update-name'] === 'ignored' ? undefined : textIfSent(sent.name),
    source: answers['lead.update-source'] === 'ignored' ? undefined : textIfSent(sent.source),
    note: textIfSent(sent.note),
  };
  const id = params.id ?? '';
  const lead = workspace.updateLead(id, changes) ?? absentLead(id, changes, workspace, answers);
  const { lead_id, name, source, note, updated_at } = lead;
  return {
    success: true,
    error: '',
    data: { lead_id, name, source, note, updated_at },
    message: 'Lead updated',
  };
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
  return succeeded(answers, added(lead), 'Lead found');
};

/** §4.8: in the contract only where `lead.list` is `present`. */
export const listLeads = ({ workspace, answers }: Call<undefined>): unknown =>
  succeeded(
    answers,
    [...workspace.leads.values()].map(added),
    workspace.leads.size === 1 ? '1 lead' : `${workspace.leads.size} leads`,
  );

type Succeeded<Data> = {
  readonly success: true;
  readonly error?: '';
  readonly data: Data;
  readonly message: string;
};

// §4.5 shows no `error` in this success; §7.1 has one in others. What a deployment does is an open question.
const succeeded = <Data>(answers: Answers, data: Data, message: string): Succeeded<Data> =>
  answers['success.error-field'] === 'empty'
    ? { success: true, error: '', data, message }
    : { success: true, data, message };

const added = ({ lead_id, name, source, note, created_at }: Lead): Omit<Lead, 'updated_at'> => ({
  lead_id,
  name,
  source,
  note,
  created_at,
});

// With `lead.wrong-type` accepted, numbers and booleans are stored as their text.
const textIfSent = (value: unknown): string | undefined =>
  typeof value === 'string' || value === undefined ? value : String(value);

const text = (value: unknown): string => textIfSent(value) ?? '';

const absentLead = (id: string, changes: LeadChanges, workspace: Workspace, answers: Answers): Lead => {
  if (answers['failure.unknown-lead-status'] !== 'accepted') throw notFound('lead_not_found', id);
  const time = workspace.now();
  const { name = '', source = '', note = '' } = changes;
  return { lead_id: id, name, source, note, created_at: time, updated_at: time };
};

const notFound = (code: 'lead_not_found' | 'lead_already_deleted', id: string): ApiError =>
  new ApiError(
    code,
    `there is no lead ${quoted(id)}`,
    'Use a lead_id that POST /api/v1/leads returned and that was not deleted.',
  );
