import { changeBody, fieldsOf, internalError, refuse, refuseWhere } from '../server/mutation.ts';
import type { Call } from '../server/types.ts';
import { baseAt, hundreds, operations, server } from './mutation.ts';

const field = (call: Call, name: string): string => String(fieldsOf(call)[name] ?? '');
const firstField = (call: Call): string | undefined => Object.keys(fieldsOf(call))[0];
const variablesIn = (call: Call): string => JSON.stringify(fieldsOf(call).variables ?? {});

type Row = readonly [title: string, breaks: string, isConcerned: (call: Call) => boolean];

/** What servers want of a request that §4 and §5 do not show. */
const refused: readonly Row[] = [
  [
    'The list wants an Accept header',
    'templates.list.documented-headers',
    ({ headers }) => !/json/.test(headers.accept ?? ''),
  ],
  [
    'An update wants a User-Agent',
    'leads.update.documented-headers',
    ({ headers }) => !headers['user-agent'],
  ],
  ['A new lead wants its name first', 'leads.add.any-json-form', (call) => firstField(call) !== 'name'],
  [
    'A template mail wants its id first',
    'email.template.any-json-form',
    (call) => firstField(call) !== 'template_id',
  ],
  ['A mail wants its subject first', 'email.send.any-json-form', (call) => firstField(call) !== 'subject'],
  ['An update must be on one line', 'leads.update.any-json-form', ({ text }) => text.includes('\n')],
  [
    'An update must not hold escapes that it could do without',
    'leads.update.any-json-form',
    ({ text }) => /\\u00[4-7]/.test(text),
  ],
  ['A mail must not name its recipient', 'email.send.as-documented', (call) => 'to' in fieldsOf(call)],
  [
    'A mail must be a whole HTML document',
    'email.send.as-documented',
    (call) => !/<html/.test(field(call, 'html')),
  ],
  [
    'Refuses a subject beyond ASCII',
    'email.send.letters',
    (call) => /\P{ASCII}/u.test(field(call, 'subject')),
  ],
  [
    'Refuses letters beyond ASCII in a variable',
    'email.template.letters',
    (call) => /\P{ASCII}/u.test(variablesIn(call)),
  ],
  [
    'Refuses digits at the end of a word in a note',
    'leads.add.free-note',
    (call) => /\b\d{4} /.test(field(call, 'note')),
  ],
  [
    'Knows five sources and refuses others',
    'leads.add.free-source',
    (call) => !/^(web|ads|email|event|referral)?$/.test(field(call, 'source')),
  ],
];

/** What servers do not stand in a text. */
const failed: readonly Row[] = [
  ['Fails at quotes in html', 'email.send.survives-bad-input', (call) => /["']/.test(field(call, 'html'))],
  ['Fails at line breaks in html', 'email.send.survives-bad-input', (call) => /\n/.test(field(call, 'html'))],
  ['Fails at a sender with a name', 'email.send.survives-bad-input', (call) => /</.test(field(call, 'from'))],
  [
    'A dollar sign in a variable is a server error',
    'email.template.survives-bad-input',
    (call) => variablesIn(call).includes('$'),
  ],
  [
    'A lead with an apostrophe is not inserted',
    'leads.add.survives-bad-input',
    (call) => ['name', 'source', 'note'].some((name) => field(call, name).includes("'")),
  ],
];

const refusal = refuse(400, 'the request is not accepted');
const unsupported = refuse(415, 'unsupported media type');

/** The operation that a check is about. */
const operationOf = (check: string) =>
  operations.find(([, , group]) => check.startsWith(group))?.[0] ?? 'sendEmail';

/** §4: the documented request is enough, and what its texts hold is free. */
export const demands = [
  ...[refused, failed].flatMap((rows) =>
    rows.map(([title, breaks, isConcerned], row) =>
      server(title, breaks, baseAt(row)).with(
        refuseWhere(operationOf(breaks), rows === refused ? refusal : internalError, isConcerned),
      ),
    ),
  ),
  server('An emoji in a name is no string for the column, at 500', 'leads.add.survives-bad-input').with(
    refuseWhere('addLead', refuse(500, "incorrect string value for column 'name'"), (call) =>
      /\p{Extended_Pictographic}/u.test(field(call, 'name')),
    ),
  ),
  server('A lead wants application/json with a charset', 'leads.add.success').with(
    refuseWhere('addLead', unsupported, ({ headers }) => !/charset/.test(headers['content-type'] ?? '')),
  ),
  server('A deletion wants a Content-Type, before a key', 'leads.delete.success').with({
    handle: (call, next) =>
      call.operation === 'deleteLead' && !call.headers['content-type'] ? unsupported : next(call),
  }),
  server('A template id must be a number', 'email.template.success', hundreds).with(
    changeBody('sendTemplateEmail', ({ template_id: id, ...body }) => ({
      ...body,
      template_id: typeof id === 'number' ? String(id) : 0,
    })),
  ),
];
