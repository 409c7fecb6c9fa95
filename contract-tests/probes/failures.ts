import type { Answer, QuestionId } from '../../mock/questions.ts';
import { type Exchange, isObject, type JsonObject } from '../exchange.ts';
import { completeEmail } from '../mails.ts';
import type { Session } from '../session.ts';
import { add, leadBody } from './leads.ts';
import { inconclusive, type Known, needUsable, type Probe, statusTold, verdictOf } from './probe.ts';

type Bad = {
  readonly operation: 'addLead' | 'sendEmail';
  /** The question whose answer tells that this request is taken, so that it need not be sent. */
  readonly question?: QuestionId;
  readonly send: (session: Session) => Promise<Exchange>;
};

const badLead = (changes: JsonObject, question: QuestionId): Bad => ({
  operation: 'addLead',
  question,
  send: (session) => add(session, leadBody(session, changes)),
});

const badMail = (changes: JsonObject, question: QuestionId): Bad => ({
  operation: 'sendEmail',
  question,
  send: (session) =>
    session.send('sendEmail', { body: { ...completeEmail(session), ...changes }, intent: 'probe' }),
});

const list: Bad = {
  operation: 'addLead',
  send: (session) => session.send('addLead', { raw: '[]', intent: 'probe' }),
};

const bad: readonly Bad[] = [
  badLead({ name: undefined }, 'lead.name'),
  badLead({ source: undefined }, 'lead.source'),
  badLead({ note: undefined }, 'lead.note'),
  badLead({ name: '' }, 'lead.empty-name'),
  badLead({ name: 7 }, 'lead.wrong-type'),
  list,
  badMail({ from: undefined }, 'send.from'),
  badMail({ subject: undefined }, 'send.subject'),
  badMail({ html: undefined }, 'send.html'),
];

const isTaken = (answer: Answer | undefined): boolean => answer === 'optional' || answer === 'accepted';

/** The first of these that the deployment refuses; the four questions below are read from it. */
const firstRefusal = async (session: Session, known: Known): Promise<Exchange> => {
  const keepsLeads = session.abilities.get('deleteLead')?.usable === false;
  const usable = bad.filter(
    ({ operation }) => session.abilities.get(operation)?.usable && !(operation === 'addLead' && keepsLeads),
  );
  if (usable.length === 0) needUsable(session, known, 'addLead'); // which says why
  for (const { question, send } of usable) {
    if (question !== undefined && isTaken(known.answers.get(question))) continue;
    const exchange = await send(session);
    if (verdictOf(exchange) === 'refused') return exchange;
  }
  return inconclusive(
    'every bad request was taken: a lead without a field, with a number for a name, a list',
  );
};

const fieldsOf = ({ json }: Exchange): JsonObject =>
  isObject(json) ? json : inconclusive('the refusal is not a JSON object');

const readProbe = (
  question: QuestionId,
  asks: string,
  read: (fields: JsonObject) => Answer | undefined,
): Probe => ({
  question,
  needs: 'writes',
  asks: `${asks} in the refusal that failure.validation-status is read from`,
  probe: async (session, known) => {
    const exchange = await firstRefusal(session, known);
    const fields = fieldsOf(exchange);
    const answer = read(fields);
    return answer === undefined
      ? inconclusive(`the refusal has the fields ${Object.keys(fields).join(', ')}, and they do not tell`)
      : { answer, exchange };
  },
});

const styleOf = (error: unknown): Answer | undefined => {
  if (typeof error !== 'string' || error.trim() === '') return undefined;
  return /\s/.test(error.trim()) ? 'sentence' : 'code';
};

/** §7.2 to §7.6: the shape and the statuses of refusals. */
export const failureProbes: readonly Probe[] = [
  {
    question: 'failure.validation-status',
    needs: 'writes',
    asks: 'the first refusal of: a lead without a field, with an empty name, with `"name": 7`, a body `[]`, a mail without a field',
    probe: async (session, known) =>
      statusTold('failure.validation-status', await firstRefusal(session, known)),
  },
  readProbe('failure.success-field', 'looks for `success`', ({ success }) => {
    if (success === undefined) return 'absent';
    return success === false ? 'false' : undefined;
  }),
  readProbe('failure.message-field', 'looks for `message`', ({ message }) => {
    if (message === undefined) return 'absent';
    return typeof message === 'string' ? 'present' : undefined;
  }),
  readProbe('failure.error-style', 'looks for white space in `error`', ({ error }) => styleOf(error)),
  {
    question: 'failure.malformed-json-status',
    needs: 'writes',
    asks: 'POST `{"name":` to `/api/v1/leads`, labelled as JSON',
    probe: async (session, known) => {
      needUsable(session, known, 'addLead');
      const exchange = await session.send('addLead', { raw: '{"name":', intent: 'probe' });
      return statusTold('failure.malformed-json-status', exchange);
    },
  },
  {
    question: 'failure.media-type-status',
    needs: 'writes',
    asks: 'POST a complete lead labelled `text/plain`',
    probe: async (session, known) => {
      needUsable(session, known, 'addLead');
      const exchange = await session.send('addLead', {
        body: leadBody(session),
        contentType: 'text/plain',
        intent: 'probe',
      });
      return statusTold('failure.media-type-status', exchange);
    },
  },
];
