import { fieldsOf, internalError, refuse, refuseWhere } from '../server/mutation.ts';
import type { Call, Mutation, Reply } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { baseAt, hundreds, server } from './mutation.ts';

const firstField = (call: Call): string | undefined => Object.keys(fieldsOf(call))[0];

type Row = readonly [
  title: string,
  breaks: string,
  operation: Parameters<typeof refuseWhere>[0],
  refusal: Reply,
  isRefused: (call: Call) => boolean,
];

/** What servers want of a request, or do not stand in it, that §4 and §5 do not show. */
const rows: readonly Row[] = [
  [
    'A lead wants application/json with a charset',
    'leads.add.success',
    'addLead',
    refuse(415, 'unsupported media type'),
    ({ headers }) => !/charset/.test(headers['content-type'] ?? ''),
  ],
  [
    'The list wants an Accept header',
    'templates.list.documented-headers',
    'listTemplates',
    refuse(406, 'not acceptable'),
    ({ headers }) => !/json/.test(headers.accept ?? ''),
  ],
  [
    'An update wants a User-Agent',
    'leads.update.documented-headers',
    'updateLead',
    refuse(400, 'who are you?'),
    ({ headers }) => !headers['user-agent'],
  ],
  [
    'A new lead wants its name first',
    'leads.add.any-json-form',
    'addLead',
    refuse(422, 'name expected'),
    (call) => firstField(call) !== 'name',
  ],
  [
    'A template mail wants its id first',
    'email.template.any-json-form',
    'sendTemplateEmail',
    refuse(400, 'template_id expected'),
    (call) => firstField(call) !== 'template_id',
  ],
  [
    'A mail wants its subject first',
    'email.send.any-json-form',
    'sendEmail',
    refuse(400, 'subject expected'),
    (call) => firstField(call) !== 'subject',
  ],
  [
    'An update must be on one line',
    'leads.update.any-json-form',
    'updateLead',
    refuse(400, 'invalid JSON'),
    ({ text }) => text.includes('\n'),
  ],
  [
    'An update must not hold escapes that it could do without',
    'leads.update.any-json-form',
    'updateLead',
    refuse(400, 'invalid JSON'),
    ({ text }) => /\\u00[4-7]/.test(text),
  ],
  [
    'A mail must not name its recipient',
    'email.send.as-documented',
    'sendEmail',
    refuse(400, 'unknown field to'),
    (call) => fieldsOf(call).to !== undefined,
  ],
  [
    'A mail must be a whole HTML document',
    'email.send.as-documented',
    'sendEmail',
    refuse(400, 'html without <html>'),
    (call) => !/<html/.test(String(fieldsOf(call).html)),
  ],
  [
    'Refuses a subject beyond ASCII',
    'email.send.letters',
    'sendEmail',
    refuse(400, 'the subject is not accepted'),
    (call) => /\P{ASCII}/u.test(String(fieldsOf(call).subject)),
  ],
  [
    'Refuses a subject of digits',
    'email.send.letters',
    'sendEmail',
    refuse(400, 'the subject is not accepted'),
    (call) => /^\d+$/.test(String(fieldsOf(call).subject)),
  ],
  [
    'Refuses letters beyond ASCII in a variable',
    'email.template.letters',
    'sendTemplateEmail',
    refuse(400, 'a value is not accepted'),
    (call) => /\P{ASCII}/u.test(JSON.stringify(fieldsOf(call).variables ?? {})),
  ],
  [
    'Refuses digits at the end of a word in a note',
    'leads.add.free-note',
    'addLead',
    refuse(400, 'the note is not accepted'),
    (call) => /\b\d{4} /.test(String(fieldsOf(call).note)),
  ],
  [
    'A slash in a note is refused',
    'leads.add.free-note',
    'addLead',
    refuse(422, 'note is invalid'),
    (call) => String(fieldsOf(call).note).includes('/'),
  ],
  [
    'Refuses blanks in a source',
    'leads.add.free-source',
    'addLead',
    refuse(400, 'the source is not accepted'),
    (call) => /\s/.test(String(fieldsOf(call).source)),
  ],
  [
    'Knows five sources and refuses others',
    'leads.add.free-source',
    'addLead',
    refuse(400, 'the source is not accepted'),
    (call) => !/^(web|ads|email|event|referral)?$/.test(String(fieldsOf(call).source ?? '')),
  ],
  [
    'Fails at quotes in html',
    'email.send.survives-bad-input',
    'sendEmail',
    internalError,
    (call) => /["']/.test(String(fieldsOf(call).html)),
  ],
  [
    'Fails at line breaks in html',
    'replies.no-server-error',
    'sendEmail',
    internalError,
    (call) => /\n/.test(String(fieldsOf(call).html)),
  ],
  [
    'A percent sign in the HTML of a mail is an internal error',
    'email.send.survives-bad-input',
    'sendEmail',
    internalError,
    (call) => String(fieldsOf(call).html).includes('%'),
  ],
  [
    'Fails at a sender with a name',
    'email.send.survives-bad-input',
    'sendEmail',
    internalError,
    (call) => String(fieldsOf(call).from).includes('<'),
  ],
  [
    'A dollar sign in a variable is a server error',
    'email.template.survives-bad-input',
    'sendTemplateEmail',
    internalError,
    (call) => JSON.stringify(fieldsOf(call).variables ?? {}).includes('$'),
  ],
  [
    'An emoji in a name is no string for the column, at 500',
    'leads.add.survives-bad-input',
    'addLead',
    refuse(500, "incorrect string value for column 'name'"),
    (call) => /\p{Extended_Pictographic}/u.test(String(fieldsOf(call).name)),
  ],
  [
    'A lead with an apostrophe is not inserted',
    'leads.add.survives-bad-input',
    ['addLead', 'updateLead'],
    internalError,
    (call) => Object.values(fieldsOf(call)).some((text) => String(text).includes("'")),
  ],
  [
    'A percent sign in a new lead is an internal error',
    'leads.add.survives-bad-input',
    'addLead',
    internalError,
    ({ text }) => text.includes('%'),
  ],
];

/** A template id must be a number, which §4.3 does not show. */
const numericTemplates: Mutation = {
  handle: (call, next) => {
    if (call.operation !== 'sendTemplateEmail' || !isObject(call.body)) return next(call);
    const { template_id: id } = call.body;
    return next({ ...call, body: { ...call.body, template_id: typeof id === 'number' ? String(id) : 0 } });
  },
};

/** §4: the documented request is enough, and what its texts hold is free. */
export const demands = [
  ...rows.map(([title, breaks, operation, refusal, isRefused], row) =>
    server(title, breaks, baseAt(row)).with(refuseWhere(operation, refusal, isRefused)),
  ),
  server('A deletion wants a Content-Type, before a key', 'leads.delete.success').with({
    handle: (call, next) =>
      call.operation === 'deleteLead' && !call.headers['content-type']
        ? refuse(415, 'unsupported media type')
        : next(call),
  }),
  server('A template id must be a number', 'email.template.success', hundreds).with(numericTemplates),
];
