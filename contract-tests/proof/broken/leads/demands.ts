import { onSuccess } from '../../server/mutation.ts';
import type { Call, Fields, Mutation, Operation, Reply } from '../../server/types.ts';
import { derived, documented } from '../../server/types.ts';
import { isObject } from '../../server/validation.ts';
import { brokenGroup, hundreds } from '../mutation.ts';

const demand = brokenGroup('undocumented-demands', documented('4.2'));

/** Refuses what an operation would otherwise do, unless the call has what the server wants of it. */
const demands = (
  operation: Operation,
  refusal: Pick<Reply, 'status'> & { readonly error: string },
  isMet: (call: Call) => boolean,
): Mutation => ({
  handle: (call, next) => {
    if (call.operation !== operation || isMet(call)) return next(call);
    const { refused } = next({ ...call, operation: undefined });
    if (refused === 'key') return next(call);
    const { status, error } = refusal;
    return { status, refused: 'fields', body: { success: false, error, message: error } };
  },
});

const typeOf = ({ headers }: Call): string => headers['content-type'] ?? '';
const hasText = (text: string | undefined): boolean => text !== undefined && text !== '';
const firstField = (body: unknown): string | undefined => Object.keys(isObject(body) ? body : {})[0];
const never = (): boolean => false;
const hasField = ({ body }: Call, name: string): boolean =>
  isObject(body) && (body as Fields)[name] !== undefined;

/** §4: the documented request is not enough, whatever it holds. */
export const undocumentedDemands = [
  demand('list-wants-body', 'The list wants a JSON body').with(
    demands('listTemplates', { status: 400, error: 'the body is missing' }, ({ body }) => isObject(body)),
  ),
  demand('delete-always-409', 'No lead can be deleted', 'uuid-ids', '4.7').with(
    demands('deleteLead', { status: 409, error: 'the lead is in use' }, never),
  ),
  demand('delete-wants-content-type', 'A deletion wants a Content-Type, before a key', 'plain', '4.7').with({
    handle: (call, next) =>
      call.operation !== 'deleteLead' || typeOf(call) !== ''
        ? next(call)
        : { status: 415, refused: 'fields', body: { success: false, error: 'unsupported media type' } },
  }),
  demand('add-wants-charset', 'A lead wants application/json with a charset', 'plain', '5').with(
    demands('addLead', { status: 415, error: 'unsupported media type' }, (call) =>
      /charset/.test(typeOf(call)),
    ),
  ),
  demand('add-refuses-json', 'A new lead must not be JSON', 'python-style', '5').with(
    demands('addLead', { status: 415, error: 'send a form' }, never),
  ),
  demand('list-wants-accept', 'The list wants an Accept header', 'plain', '5').with(
    demands('listTemplates', { status: 406, error: 'not acceptable' }, ({ headers }) =>
      /json/.test(headers.accept ?? ''),
    ),
  ),
  demand('update-wants-user-agent', 'An update wants a User-Agent', 'integer-ids', '5').with(
    demands('updateLead', { status: 400, error: 'who are you?' }, ({ headers }) =>
      hasText(headers['user-agent']),
    ),
  ),
  demand('add-wants-name-first', 'A new lead wants its name first', 'bodies-422', derived('1')).with(
    demands('addLead', { status: 422, error: 'name expected' }, ({ body }) => firstField(body) === 'name'),
  ),
  demand('update-wants-one-line', 'An update must be on one line', 'plain', derived('1')).with(
    demands('updateLead', { status: 400, error: 'invalid JSON' }, ({ text }) => !text.includes('\n')),
  ),
  demand('template-send-wants-id-first', 'A template mail wants its id first', 'plain', derived('1')).with(
    demands(
      'sendTemplateEmail',
      { status: 400, error: 'template_id expected' },
      ({ body }) => firstField(body) === 'template_id',
    ),
  ),
  demand('send-wants-subject-first', 'A mail wants its subject first', 'uuid-ids', derived('1')).with(
    demands(
      'sendEmail',
      { status: 400, error: 'subject expected' },
      ({ body }) => firstField(body) === 'subject',
    ),
  ),
  demand(
    'update-refuses-escapes',
    'An update must not hold escapes that it could do without',
    'plain',
    derived('1'),
  ).with(
    demands('updateLead', { status: 400, error: 'invalid JSON' }, ({ text }) => !/\\u00[4-7]/.test(text)),
  ),
  demand('send-refuses-to', 'A mail must not name its recipient', 'plain', derived('4.1')).with(
    demands('sendEmail', { status: 400, error: 'unknown field to' }, (call) => !hasField(call, 'to')),
  ),
  demand('send-wants-document', 'A mail must be a whole HTML document', 'integer-ids', derived('4.1')).with(
    demands('sendEmail', { status: 400, error: 'html without <html>' }, ({ body }) =>
      /<html/.test(String(isObject(body) ? (body as Fields).html : '')),
    ),
  ),
  demand('template-send-wants-number', 'A template id must be a number', hundreds, '4.3').with({
    handle: (call, next) => {
      if (call.operation !== 'sendTemplateEmail' || !isObject(call.body)) return next(call);
      const { template_id: id } = call.body as Fields;
      const wanted = typeof id === 'number' ? String(id) : 0;
      return next({ ...call, body: { ...call.body, template_id: wanted } });
    },
  }),
];

const commonDefect = brokenGroup('common-defects', derived('2.3'));

const textOf = ({ body }: Call, name: string): unknown =>
  isObject(body) ? (body as Fields)[name] : undefined;
const internalError = { status: 500, error: 'internal error' };

/** The database counts the rows that an update changed, and none is taken for an unknown lead; only after a minute does its time change. */
const countChangedRows: Mutation = {
  handle: (call, next, { store, memory }) => {
    if (call.operation !== 'updateLead') return next(call);
    const name = `changed ${call.id}`;
    const isRecent = Date.now() - Number(memory.get(name) ?? 0) < 60_000;
    const isUnchanged = textOf(call, 'note') === store.find(call.id)?.note && isRecent;
    const reply = next(call);
    if (!reply.refused) memory.set(name, Date.now());
    const error = 'lead not found';
    return isUnchanged && !reply.refused
      ? { status: 404, refused: 'lead', body: { success: false, error, message: error } }
      : reply;
  },
};

/** A deletion marks a lead, and an addition with its name and source takes the mark away. */
const reviveDeleted: Mutation = onSuccess('addLead', (reply, call, { store }) => {
  const old = store.leads.find(
    ({ deleted, name, source }) =>
      deleted && name === textOf(call, 'name') && source === textOf(call, 'source'),
  );
  const added = old && store.leads.pop();
  if (!old || !added) return reply;
  old.note = added.note;
  delete old.deleted;
  return { ...reply, body: { ...reply.body, data: { ...(reply.body.data as Fields), lead_id: old.id } } };
});

/** §2.3, §4.1 and §4.6: what frameworks and databases make easy to get wrong. */
export const commonDefects = [
  commonDefect(
    'percent-in-lead-500',
    'A percent sign in a new lead is an internal error',
    'integer-ids',
    documented('2.3'),
  ).with(demands('addLead', internalError, ({ text }) => !text.includes('%'))),
  commonDefect(
    'percent-in-html-500',
    'A percent sign in the HTML of a mail is an internal error',
    'python-style',
    derived('4.1'),
  ).with(demands('sendEmail', internalError, (call) => !String(textOf(call, 'html')).includes('%'))),
  commonDefect('note-slash-refused', 'A slash in a note is refused', 'bodies-422').with(
    demands(
      'addLead',
      { status: 422, error: 'note is invalid' },
      (call) => !String(textOf(call, 'note')).includes('/'),
    ),
  ),
  commonDefect(
    'unchanged-note-unknown',
    'An update that changes nothing within a minute gets 404',
    'uuid-ids',
    derived('4.6'),
  ).with(countChangedRows),
  commonDefect('deleted-lead-revived', 'A new lead like a deleted one is that one again').with(reviveDeleted),
];
