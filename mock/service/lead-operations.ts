import { type Answers, quoted } from '../contract/questions.ts';
import { controlCharacters } from '../contract/schemas.ts';
import type { Lead, LeadChanges } from '../nouns/leads.ts';
import { ApiError } from './errors.ts';
import type { Call, Handler } from './request.ts';

/** §4.5: stores omitted fields as empty texts, because the response must carry every field. */
export const addLead: Handler<'addLead'> = ({ body, workspace: { leads }, answers }) => {
  const fields = {
    name: nameIfSent(body.name, answers) ?? '',
    source: textIfSent(body.source, answers) ?? '',
    note: textIfSent(body.note, answers) ?? '',
  };
  const duplicate = answers['lead.duplicate'] === 'accepted' ? undefined : leads.findDuplicate(fields);
  if (duplicate && answers['lead.duplicate'] === 'rejected') {
    throw new ApiError(
      'validation_failed',
      `body repeats the name, source and note of lead ${quoted(duplicate.lead_id)}`,
      'No lead was added. Update the existing lead instead.',
    );
  }
  const lead = duplicate ?? leads.add(fields, answers['lead.id-format']);
  return successReply(answers, toAddedLead(lead), duplicate ? 'Lead already there' : 'Lead added');
};

/** §4.6: changes the fields sent, and nothing else. */
export const updateLead: Handler<'updateLead'> = ({ id, body, workspace: { leads, clock }, answers }) => {
  const fields: LeadChanges = body as LeadChanges;
  const changes: LeadChanges = {
    name: answers['lead.update-name'] === 'ignored' ? undefined : nameIfSent(fields.name, answers),
    source: answers['lead.update-source'] === 'ignored' ? undefined : textIfSent(fields.source, answers),
    note: textIfSent(fields.note, answers),
  };
  const updated = leads.update(id, changes);
  if (!updated && answers['failure.unknown-lead-status'] !== 'accepted') throw notFound('lead_not_found', id);
  const {
    name = '',
    source = '',
    note = '',
    updated_at = clock.now(),
  } = updated ?? (changes as Partial<Lead>);
  return {
    success: true,
    error: '',
    data: { lead_id: id, name, source, note, updated_at },
    message: 'Lead updated',
  };
};

/** §4.7 */
export const deleteLead: Handler<'deleteLead'> = ({ id, workspace: { leads }, answers }) => {
  const deleted = leads.remove(id);
  if (!deleted && answers['failure.delete-again-status'] !== 'accepted')
    throw notFound('lead_already_deleted', id);
  return { success: true, error: '', message: deleted ? 'Lead deleted' : 'No such lead; nothing to delete' };
};

/** §4.8: in the contract only where `lead.retrieve` is `present`. */
export const retrieveLead = ({ id, workspace: { leads }, answers }: Call<undefined>): unknown => {
  const lead = leads.get(id);
  if (!lead) throw notFound('lead_not_found', id);
  return successReply(answers, toAddedLead(lead), 'Lead found');
};

/** §4.8: in the contract only where `lead.list` is `present`. */
export const listLeads = ({ workspace: { leads }, answers }: Call<undefined>): unknown =>
  successReply(
    answers,
    leads.all().map(toAddedLead),
    leads.size() === 1 ? '1 lead' : `${leads.size()} leads`,
  );

// §4.5 shows a success without `error`, §7.1 shows others with it. Which one a deployment sends is an open question.
const successReply = <Data>(answers: Answers, data: Data, message: string) =>
  answers['success.error-field'] === 'empty'
    ? { success: true as const, error: '' as const, data, message }
    : { success: true as const, data, message };

// Field by field: spreading the rest of a lead takes several times as long.
const toAddedLead = (lead: Lead): Omit<Lead, 'updated_at'> => {
  const { lead_id, name, source, note, created_at } = lead;
  return { lead_id, name, source, note, created_at };
};

const notFound = (code: 'lead_not_found' | 'lead_already_deleted', id: string): ApiError =>
  new ApiError(
    code,
    `there is no lead ${quoted(id)}`,
    'Use a lead_id that POST /api/v1/leads returned and that was not deleted.',
  );

const anyControlCharacter = new RegExp(`[${controlCharacters}]`, 'g');

/** The text as stored: §2.3 does not say whether it is changed, so the answers decide (trimming, for example). */
const storedForm = (text: string, answers: Answers): string => {
  const printable =
    answers['lead.control-characters'] === 'removed' ? text.replaceAll(anyControlCharacter, '') : text;
  const lines = answers['lead.line-breaks'] === 'normalised' ? printable.replaceAll('\r\n', '\n') : printable;
  const composed = answers['lead.unicode-form'] === 'composed' ? lines.normalize('NFC') : lines;
  return answers['lead.outer-blanks'] === 'trimmed' ? composed.trim() : composed;
};

/** A field as it is stored. With `lead.wrong-type` accepted, numbers and booleans are stored as their text. */
const textIfSent = (value: unknown, answers: Answers): string | undefined =>
  value === undefined ? undefined : storedForm(String(value), answers);

/** The name as stored. A name that is empty after trimming stays an empty name. */
const nameIfSent = (value: unknown, answers: Answers): string | undefined => {
  const name = textIfSent(value, answers);
  if (name === '' && answers['lead.empty-name'] === 'rejected')
    throw new ApiError('validation_failed', 'body/name must not be empty', 'Nothing was done.');
  return name;
};
