import type { Answer, QuestionId } from '../../../mock/contract/questions.ts';
import { type Credentials, type Exchange, isObject, type JsonObject } from '../../exchange/exchange.ts';
import { completeEmail } from '../../session/email-requests.ts';
import type { Session } from '../../session/session.ts';
import { add } from './leads.ts';
import {
  answerFrom,
  byStatus,
  inconclusive,
  needUsable,
  type Probe,
  type ProbeAnswer,
  type ProbeContext,
  statusProbe,
} from './probe.ts';
import { errorReadings } from './readings.ts';

const listWith = (session: Session, credentials: Credentials): Promise<Exchange> =>
  session.send('listTemplates', { credentials, intent: 'probe' });

const refusalOf = async (
  session: Session,
  id: QuestionId,
  credentials: Credentials,
): Promise<ProbeAnswer> => {
  const exchange = await listWith(session, credentials);
  if (exchange.outcome === 'success') inconclusive('it was not refused at all, which breaks §5.1');
  return byStatus(id, exchange);
};

const keyProbe = (
  question: QuestionId,
  description: string,
  ...all: [Credentials, ...Credentials[]]
): Probe => ({
  question,
  needs: 'read',
  uses: ['listTemplates'],
  description,
  probe: async (session) => {
    const [credentials, ...others] = all;
    const first = await refusalOf(session, question, credentials);
    for (const otherCredentials of others) {
      const { answer } = await refusalOf(session, question, otherCredentials);
      if (answer !== first.answer)
        inconclusive(`${credentials} is refused with ${first.answer}, ${otherCredentials} with ${answer}`);
    }
    return first;
  },
});

/** §5 and §7.4: one request each for the list; never with a part of the real key. */
export const authenticationProbes: readonly Probe[] = [
  keyProbe('auth.missing-status', 'GET the list of templates without an `Authorization` header', 'none'),
  keyProbe(
    'auth.malformed-status',
    'GET the list of templates with `Basic eDp5` and with `Bearer` alone; both must get the same status',
    'Basic',
    'Bearer without a key',
  ),
  keyProbe(
    'auth.unknown-key-status',
    'GET the list of templates with a random key as long as the real one',
    'random key',
  ),
];

type InvalidRequest = {
  readonly operation: 'addLead' | 'sendEmail';
  /** The question whose answer shows that this request is accepted, so that it need not be sent. */
  readonly question?: QuestionId;
  readonly send: (session: Session) => Promise<Exchange>;
};

const invalidLead = (changes: JsonObject, question: QuestionId): InvalidRequest => ({
  operation: 'addLead',
  question,
  send: (session) => add(session, session.leadBody(changes)),
});

const invalidMail = (changes: JsonObject, question: QuestionId): InvalidRequest => ({
  operation: 'sendEmail',
  question,
  send: (session) =>
    session.send('sendEmail', { body: { ...completeEmail(session), ...changes }, intent: 'probe' }),
});

const list: InvalidRequest = {
  operation: 'addLead',
  send: (session) => session.send('addLead', { raw: '[]', intent: 'probe' }),
};

const invalidRequests: readonly InvalidRequest[] = [
  invalidLead({ name: undefined }, 'lead.name'),
  invalidLead({ source: undefined }, 'lead.source'),
  invalidLead({ note: undefined }, 'lead.note'),
  invalidLead({ name: '' }, 'lead.empty-name'),
  invalidLead({ name: 7 }, 'lead.wrong-type'),
  list,
  invalidMail({ from: undefined }, 'send.from'),
  invalidMail({ subject: undefined }, 'send.subject'),
  invalidMail({ html: undefined }, 'send.html'),
];

const meansAccepted = (answer: Answer | undefined): boolean => answer === 'optional' || answer === 'accepted';

/** The first of these requests that the deployment refuses; the probes below read their answers from it. */
const firstRefusal = async (session: Session, known: ProbeContext): Promise<Exchange> => {
  const keepsLeads = session.capabilities.get('deleteLead')?.available === false;
  const usable = invalidRequests.filter(
    ({ operation }) => session.can(operation) && !(operation === 'addLead' && keepsLeads),
  );
  if (usable.length === 0) needUsable(session, known, 'addLead'); // throws with the reason
  for (const { question, send } of usable) {
    if (question !== undefined && meansAccepted(known.answers.get(question))) continue;
    const exchange = await send(session);
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
  statusProbe({
    question: 'failure.validation-status',
    needs: 'writes',
    description:
      'the first error response to: a lead without a field, with an empty name, with `"name": 7`, a body `[]`, a mail without a field',
    ask: firstRefusal,
  }),
  readProbe('failure.success-field', 'looks for `success`'),
  readProbe('failure.message-field', 'looks for `message`'),
  readProbe('failure.error-style', 'looks for white space in `error`'),
  statusProbe({
    question: 'failure.malformed-json-status',
    needs: 'writes',
    uses: ['addLead'],
    description: 'POST `{"name":` to `/api/v1/leads`, labelled as JSON',
    ask: (session) => session.send('addLead', { raw: '{"name":', intent: 'probe' }),
  }),
  statusProbe({
    question: 'failure.media-type-status',
    needs: 'writes',
    uses: ['addLead'],
    description: 'POST a complete lead labelled `text/plain`',
    ask: (session) =>
      session.send('addLead', { body: session.leadBody(), contentType: 'text/plain', intent: 'probe' }),
  }),
];
