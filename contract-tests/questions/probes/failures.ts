import type { Answer, QuestionId } from '../../../mock/contract/questions.ts';
import { type Credentials, type Exchange, isObject, type JsonObject } from '../../exchange/exchange.ts';
import type { Session } from '../../session/session.ts';
import { mailWith } from './email.ts';
import { leadWith } from './leads.ts';
import {
  type Ask,
  answerFrom,
  byStatus,
  errorReadings,
  inconclusive,
  needUsable,
  oneRequestEach,
  type Probe,
  type ProbeAnswer,
  type ProbeContext,
} from './probe.ts';

const refusalOf = async (
  session: Session,
  id: QuestionId,
  credentials: Credentials,
): Promise<ProbeAnswer> => {
  const exchange = await session.send('listTemplates', { credentials, intent: 'probe' });
  if (exchange.outcome === 'success') inconclusive('it was not refused at all, which breaks §5.1');
  return byStatus(id, exchange);
};

const wrongKeys: readonly (readonly [QuestionId, description: string, ...[Credentials, ...Credentials[]]])[] =
  [
    ['auth.missing-status', 'without an `Authorization` header', 'none'],
    [
      'auth.malformed-status',
      'with `Basic eDp5` and with `Bearer` alone; both must get the same status',
      'Basic',
      'Bearer without a key',
    ],
    ['auth.unknown-key-status', 'with a random key as long as the real one', 'random key'],
  ];

/** §5 and §7.4: one request each for the list; never with a part of the real key. */
export const authenticationProbes: readonly Probe[] = wrongKeys.map(
  ([question, description, credentials, ...others]) => ({
    question,
    needs: 'read',
    uses: ['listTemplates'],
    description: `GET the list of templates ${description}`,
    probe: async (session) => {
      const first = await refusalOf(session, question, credentials);
      for (const other of others) {
        const { answer } = await refusalOf(session, question, other);
        if (answer !== first.answer)
          inconclusive(`${credentials} is refused with ${first.answer}, ${other} with ${answer}`);
      }
      return first;
    },
  }),
);

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
const firstRefusal = async (session: Session, known: ProbeContext): Promise<Exchange> => {
  const keepsLeads = session.capabilities.get('deleteLead')?.available === false;
  const usable = invalidRequests.filter(
    ([operation]) => session.can(operation) && !(operation === 'addLead' && keepsLeads),
  );
  if (usable.length === 0) needUsable(session, known, 'addLead'); // throws with the reason
  for (const [, ask, question] of usable) {
    if (question !== undefined && meansAccepted(known.answers.get(question))) continue;
    const exchange = await ask(session, known);
    if (answerFrom(exchange) === 'refused') return exchange;
  }
  return inconclusive(
    'every invalid request was accepted: a lead without a field, with a number for a name, a list',
  );
};

const fieldsOf = ({ json }: Exchange): JsonObject =>
  isObject(json) ? json : inconclusive('the error response is not a JSON object');

const readProbe = (question: keyof typeof errorReadings, description: string): Probe => ({
  question,
  needs: 'writes',
  description: `${description} in the error response that failure.validation-status is read from`,
  probe: async (session, known) => {
    const exchange = await firstRefusal(session, known);
    const fields = fieldsOf(exchange);
    const answer = errorReadings[question](fields);
    return answer === undefined
      ? inconclusive(
          `the error response has the fields ${Object.keys(fields).join(', ')}, which do not decide the question`,
        )
      : { answer, exchange };
  },
});

/** §7.2 to §7.6: the form and the statuses of error responses. */
export const failureProbes: readonly Probe[] = [
  ...oneRequestEach({ needs: 'writes' }, [
    [
      'failure.validation-status',
      'the first error response to: a lead without a field, with an empty name, with `"name": 7`, a body `[]`, a mail without a field',
      firstRefusal,
    ],
  ]),
  readProbe('failure.success-field', 'looks for `success`'),
  readProbe('failure.message-field', 'looks for `message`'),
  readProbe('failure.error-style', 'looks for white space in `error`'),
  ...oneRequestEach({ needs: 'writes', uses: ['addLead'] }, [
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
