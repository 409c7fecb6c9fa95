import type { Answer, QuestionId } from '../../../mock/contract/questions.ts';
import { RequestFailed } from '../../client/errors.ts';
import {
  type Credentials,
  dataOf,
  describeRefusal,
  type Exchange,
  isObject,
  type JsonObject,
} from '../../exchange/exchange.ts';
import { type LeadField, leadFields } from '../../exchange/leads.ts';
import type { OwnLead, Session } from '../../session/session.ts';
import { mailWith } from './email.ts';
import { add, leadWith, updatedLead } from './leads.ts';
import {
  type Ask,
  answerFrom,
  byStatus,
  errorReadings,
  inconclusive,
  type KnownAnswers,
  needUsable,
  oneRequestEach,
  type Probe,
  type ProbeAnswer,
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
const firstRefusal = async (session: Session, known: KnownAnswers): Promise<Exchange> => {
  const keepsLeads = session.discovery.has('deleteLead') && !session.can('deleteLead');
  const usable = invalidRequests.filter(
    ([operation]) => session.can(operation) && !(operation === 'addLead' && keepsLeads),
  );
  if (usable.length === 0) needUsable(session, 'addLead'); // throws with the reason
  for (const [, ask, question] of usable) {
    if (question !== undefined && meansAccepted(known.get(question))) continue;
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

const [min, max] = [64, 10_000];

const isAccepted = (exchange: Exchange): boolean => answerFrom(exchange) === 'accepted';

/** The number of characters stored of a text of this length; `undefined` if it was refused. */
type Attempt = { readonly exchange: Exchange; readonly kept: number | undefined };

const attempt = async (session: Session, field: LeadField, length: number): Promise<Attempt> => {
  const text = session.unique(field).padEnd(length, 'x').slice(0, length);
  const exchange = await add(session, session.leadBody({ [field]: text }));
  if (!isAccepted(exchange)) return { exchange, kept: undefined };
  const echo = dataOf(exchange)[field];
  if (typeof echo === 'string' && text.startsWith(echo)) return { exchange, kept: echo.length };
  return inconclusive(`the text of ${length} characters was returned changed`);
};

const limitOf = (kept: number, exchange: Exchange): ProbeAnswer =>
  kept >= min && kept <= max
    ? { answer: kept, exchange, detail: `${kept} characters are kept` }
    : inconclusive(`a limit of ${kept} characters is not among the answers (${min}-${max})`);

/** @throws CheckInconclusive if a lead of the same size that is mostly white space is refused too: the limit is that of the body */
const expectRoom = async (session: Session, length: number, refusal: Exchange): Promise<void> => {
  const raw = JSON.stringify(session.leadBody()).padEnd(length + 200);
  if (!isAccepted(await session.send('addLead', { raw, intent: 'probe' })))
    inconclusive(`a body of that size is refused with any content: ${describeRefusal(refusal)}`);
};

/**
 * Finds the longest text that is accepted completely, by binary search. It begins at the edge of an expected limit, otherwise at the
 * ends of the range.
 */
const measure = async (session: Session, field: LeadField, before?: Answer): Promise<ProbeAnswer> => {
  let [accepted, refused] = [min - 1, max + 2];
  let refusal: Exchange | undefined;
  const first = typeof before === 'number' ? [before, before + 1] : [max + 1, min];
  for (;;) {
    const length =
      first.find((guess) => guess > accepted && guess < refused) ?? Math.floor((accepted + refused) / 2);
    const { exchange, kept } = await attempt(session, field, length);
    if (kept !== undefined && kept < length) return limitOf(kept, exchange);
    if (kept !== undefined) accepted = length;
    else {
      if (refusal === undefined) await expectRoom(session, length, exchange);
      [refused, refusal] = [length, exchange];
    }
    if (accepted > max) return { answer: 'none', exchange, detail: 'kept in full' };
    if (refused <= min)
      return inconclusive(`${min} characters are also refused: ${describeRefusal(exchange)}`);
    if (refused - accepted === 1) return limitOf(accepted, refusal ?? exchange);
  }
};

/** §8: maximum length of the fields of a lead. */
export const limitProbes: readonly Probe[] = leadFields.map((field) => ({
  question: `lead.${field}-limit`,
  needs: 'writes',
  uses: ['addLead'],
  description: `POST a lead whose \`${field}\` has 10,001 characters; where that is refused or cut, searches the limit by bisection`,
  probe: (session, _known, before) => measure(session, field, before),
}));

const sizes = [
  ['64KiB', 65_536],
  ['100KiB', 102_400],
  ['1MiB', 1_048_576],
] as const;

/**
 * Updates the lead with a body of exactly this number of bytes. White space before the first field: no field is long, and a parser
 * must read all of it to reach the fields.
 */
const updateWith = (session: Session, lead: OwnLead, bytes: number): Promise<Exchange> => {
  const body = JSON.stringify(session.updateBody({ note: session.newNote() }, lead));
  const raw = `{${' '.repeat(bytes - Buffer.byteLength(body))}${body.slice(1)}`;
  return session.send('updateLead', { leadId: lead.id, raw, intent: 'probe' });
};

const measureBody = async (session: Session): Promise<ProbeAnswer> => {
  const lead = await updatedLead(session);
  let last: Exchange | undefined;
  for (const [answer, bytes] of sizes) {
    const beyond = await updateWith(session, lead, bytes + 1).catch((error: Error) => {
      // A server that refuses a body before it has read it may close the connection so early that its response is lost.
      if (error instanceof RequestFailed && error.kind === 'closed') return undefined;
      throw error;
    });
    if (beyond && isAccepted(beyond)) {
      last = beyond;
      continue;
    }
    // The state of a lead is unknown after a closed connection.
    const within = await updateWith(session, beyond ? lead : await updatedLead(session), bytes);
    if (isAccepted(within))
      return { answer, exchange: beyond ?? within, detail: `${bytes} bytes are accepted` };
    const refusal = beyond ? describeRefusal(beyond) : 'the connection is closed';
    inconclusive(`the limit is below ${bytes} bytes and not among the answers: ${refusal}`);
  }
  return last
    ? { answer: 'above-1MiB', exchange: last, detail: 'more than 1 MiB is accepted' }
    : inconclusive('no request was sent');
};

/** §8: maximum size of a body. */
export const bodySizeProbe: Probe = {
  question: 'limits.body-size',
  needs: 'writes',
  uses: ['updateLead'],
  description:
    'PUT a body of 64 KiB, 100 KiB, 1 MiB and of one byte more to a lead of the run; white space inside the object makes it as long',
  probe: measureBody,
};
