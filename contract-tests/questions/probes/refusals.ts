import type { Answer, QuestionId } from '../../../mock/contract/questions.ts';
import { type Credentials, type Exchange, isSuccess } from '../../exchange/exchange.ts';
import type { Session } from '../../session/session.ts';
import { mailWith } from './email.ts';
import { leadWith } from './leads.ts';
import {
  type Ask,
  errorReadings,
  inconclusive,
  isAccepted,
  type KnownAnswers,
  needUsable,
  probesOf,
  type Row,
} from './probe.ts';

/** Lists the templates with each of these credentials, which must be refused with the same status. */
const withCredentials =
  (...kinds: readonly Credentials[]): Ask =>
  async (session) => {
    const replies: Exchange[] = [];
    for (const credentials of kinds) {
      const reply = await session.send('listTemplates', { credentials, intent: 'probe' });
      if (isSuccess(reply)) inconclusive('it was not refused, which breaks §5.1');
      if (reply.status !== replies[0]?.status) replies.push(reply);
    }
    const [first, other] = replies;
    if (!first || other)
      return inconclusive(`the requests got ${replies.map(({ status }) => status).join(' and ')}`);
    return first;
  };

/** §5 and §7.4: one request each for the list; never with a part of the real key. */
export const authenticationProbes = probesOf({ needs: 'read', uses: ['listTemplates'] }, [
  [
    'auth.missing-status',
    'GET the list of templates without an `Authorization` header',
    withCredentials('none'),
  ],
  [
    'auth.malformed-status',
    'GET the list of templates with `Basic eDp5` and with `Bearer` alone; both must get the same status',
    withCredentials('Basic', 'Bearer without a key'),
  ],
  [
    'auth.unknown-key-status',
    'GET the list of templates with a random key as long as the real one',
    withCredentials('random key'),
  ],
]);

/** Requests that a deployment should refuse, with the question whose answer shows that it is accepted, so that it need not be sent. */
const invalidRequests: readonly (readonly ['addLead' | 'sendEmail', Ask, QuestionId?])[] = [
  ['addLead', leadWith({ name: undefined }), 'lead.name'],
  ['addLead', leadWith({ source: undefined }), 'lead.source'],
  ['addLead', leadWith({ note: undefined }), 'lead.note'],
  ['addLead', leadWith({ name: '' }), 'lead.empty-name'],
  ['addLead', leadWith({ name: 7 }), 'lead.wrong-type'],
  ['addLead', (session) => session.send('addLead', { raw: '[]', intent: 'probe' })],
  ['sendEmail', mailWith({ from: undefined }), 'send.from'],
  ['sendEmail', mailWith({ subject: undefined }), 'send.subject'],
  ['sendEmail', mailWith({ html: undefined }), 'send.html'],
];

const meansAccepted = (answer: Answer | undefined): boolean => answer === 'optional' || answer === 'accepted';

/** The first of these requests that the deployment refuses; the probes below read their answers from it. */
const firstRefusal = async (session: Session, known: KnownAnswers): Promise<Exchange> => {
  const keepsLeads = session.discovery.has('deleteLead') && !session.can('deleteLead');
  const usable = invalidRequests.filter(
    ([operation]) => session.can(operation) && !(operation === 'addLead' && keepsLeads),
  );
  if (usable.length === 0) needUsable(session, 'addLead'); // throws with the reason
  for (const [, ask, question] of usable) {
    if (question !== undefined && meansAccepted(known.get(question))) continue;
    const exchange = await ask(session, known);
    if (!isAccepted(exchange)) return exchange;
  }
  return inconclusive(
    'every invalid request was accepted: a lead without a field, with a number for a name, a list',
  );
};

const inFirstRefusal = (question: keyof typeof errorReadings, sign: string): Row => [
  question,
  `looks for ${sign} in the error response that failure.validation-status is read from`,
  firstRefusal,
  errorReadings[question],
];

/** §7.2 to §7.6: the form and the statuses of error responses. */
export const failureProbes = [
  // Mails only where every invalid lead was accepted.
  ...probesOf({ needs: 'writes', mails: 3 }, [
    [
      'failure.validation-status',
      'the first error response to: a lead without a field, with an empty name, with `"name": 7`, a body `[]`, a mail without a field',
      firstRefusal,
    ],
    inFirstRefusal('failure.success-field', '`success`'),
    inFirstRefusal('failure.message-field', '`message`'),
    inFirstRefusal('failure.error-style', 'white space in `error`'),
  ]),
  ...probesOf({ needs: 'writes', uses: ['addLead'] }, [
    [
      'failure.malformed-json-status',
      'POST `{"name":` to `/api/v1/leads`, labelled as JSON',
      (session) => session.send('addLead', { raw: '{"name":', intent: 'probe' }),
    ],
    [
      'failure.media-type-status',
      'POST a complete lead labelled `text/plain`',
      (session) =>
        session.send('addLead', { body: session.leadBody(), contentType: 'text/plain', intent: 'probe' }),
    ],
  ]),
];
