import type { Answer, QuestionId } from '../../../mock/contract/questions.ts';
import { dataOf, describeRefusal, type Exchange, type JsonObject } from '../../exchange/exchange.ts';
import { idOf, idsIn, type LeadField } from '../../exchange/leads.ts';
import { validRequest } from '../../session/requests.ts';
import type { OwnLead, Session } from '../../session/session.ts';
import {
  type Ask,
  answerFrom,
  inconclusive,
  oneRequestEach,
  type Probe,
  readErrorOfSuccess,
  readFormat,
  readText,
  rejected,
  required,
} from './probe.ts';

export const add = (session: Session, body: JsonObject): Promise<Exchange> =>
  session.send('addLead', { body, intent: 'probe' });

/** Adds a lead in which one field is missing, or is another one. */
export const leadWith =
  (changes: JsonObject): Ask =>
  (session) =>
    add(session, session.leadBody(changes));

const adding = { needs: 'writes', uses: ['addLead'] } as const;

/** §2.3: required and permitted fields of a new lead, with one field omitted or added each. */
export const leadProbes: readonly Probe[] = [
  ...oneRequestEach(adding, [
    ['lead.name', 'POST a lead without `name`', leadWith({ name: undefined }), required],
    ['lead.source', 'POST a lead without `source`', leadWith({ source: undefined }), required],
    ['lead.note', 'POST a lead without `note`', leadWith({ note: undefined }), required],
    ['lead.empty-name', 'POST a lead whose `name` is empty', leadWith({ name: '' }), rejected],
    [
      'lead.email',
      'POST a lead with an `email` in addition to the three fields',
      (session) => add(session, session.leadBody({ email: session.newAddress() })),
      rejected,
    ],
    [
      'lead.unknown-field',
      'POST a lead with a field `contract_test`',
      leadWith({ contract_test: 'x' }),
      rejected,
    ],
    ['lead.wrong-type', 'POST a lead with `"name": 7`', leadWith({ name: 7 }), rejected],
  ]),
  {
    question: 'success.error-field',
    ...adding,
    description: 'POST a complete lead and looks for `error` in the response',
    probe: async (session) => {
      const exchange = await addCompleteLead(session);
      const answer = readErrorOfSuccess(exchange.json as JsonObject);
      if (answer === undefined) return inconclusive('its `error` is neither absent nor empty');
      return { answer, exchange, detail: answer === 'absent' ? 'no `error`' : 'an empty `error`' };
    },
  },
  {
    question: 'lead.duplicate',
    ...adding,
    description: 'POST the same three fields twice: another `lead_id`, the same one, or an error response',
    probe: async (session) => {
      const body = session.leadBody();
      const first = idOf(await addCompleteLead(session, body));
      const exchange = await add(session, body);
      if (answerFrom(exchange) === 'refused') return { answer: 'rejected', exchange };
      return idOf(exchange) === first
        ? { answer: 'merged', exchange, detail: 'the same lead_id twice' }
        : { answer: 'accepted', exchange, detail: 'another lead_id' };
    },
  },
  {
    question: 'lead.id-format',
    ...adding,
    description:
      'reads every `lead_id` of the run, three at least: UUIDs, digits, a shared prefix up to `_` or `-`, or neither',
    probe: async (session) => {
      let exchange = await addCompleteLead(session);
      for (let more = 0; more < 2 && idsIn(session.client.exchanges).length < 3; more += 1)
        exchange = await addCompleteLead(session);
      const ids = idsIn(session.client.exchanges);
      if (ids.length < 3) inconclusive(`three ids are needed, and the run saw ${ids.length}`);
      return { answer: readFormat(ids), exchange, detail: `${ids.length} ids` };
    },
  },
];

const addCompleteLead = async (session: Session, body = session.leadBody()): Promise<Exchange> => {
  const exchange = await add(session, body);
  return answerFrom(exchange) === 'accepted'
    ? exchange
    : inconclusive(`a complete lead was refused: ${describeRefusal(exchange)}`);
};

/** A lead of the run whose update has succeeded, so that a later refusal concerns the content of the request. */
export const updatedLead = async (session: Session): Promise<OwnLead> => {
  const lead = await session.visibleLead();
  const exchange = await session.send('updateLead', validRequest(session, 'updateLead', { lead }));
  if (answerFrom(exchange) === 'refused')
    inconclusive(`an update of the note alone was refused: ${describeRefusal(exchange)}`);
  return lead;
};

const otherField = (field: 'name' | 'source'): Probe => ({
  question: `lead.update-${field}`,
  needs: 'writes',
  uses: ['updateLead'],
  description: `PUT a new \`${field}\` and a new \`note\`: refused, shown in the response, or unchanged`,
  probe: async (session) => {
    const lead = await updatedLead(session);
    const value = session.unique(`new ${field}`);
    const body = session.updateBody({ [field]: value, note: session.unique('note') }, lead);
    const exchange = await session.send('updateLead', { leadId: lead.id, body, intent: 'probe' });
    if (answerFrom(exchange) === 'refused') return { answer: 'rejected', exchange };
    const shown = dataOf(exchange)[field];
    if (shown === value) return { answer: 'accepted', exchange, detail: `the new ${field}` };
    if (shown === lead.expected[field]) return { answer: 'ignored', exchange, detail: `the old ${field}` };
    return inconclusive(`the response shows neither the old nor the new ${field}`);
  },
});

/** §4.6: fields that an update may contain. */
export const updateProbes: readonly Probe[] = [
  otherField('name'),
  otherField('source'),
  ...oneRequestEach({ needs: 'writes', uses: ['updateLead'] }, [
    [
      'lead.update-empty',
      'PUT `{}` to a lead that has just accepted an update',
      async (session) => {
        const { id: leadId } = await updatedLead(session);
        return session.send('updateLead', { leadId, body: {}, intent: 'probe' });
      },
      rejected,
    ],
  ]),
];

type TextQuestion = {
  readonly description: string;
  /** Makes the note to send from an ordinary text. */
  readonly note: (text: string) => string;
  /** The answer if such a note is refused, if the question has one for that. */
  readonly refused?: Answer;
  /** The fields with such a text: a deployment may change some fields only. */
  readonly fields?: readonly LeadField[];
};

const textProbe = (id: QuestionId, { description, note, refused, fields }: TextQuestion): Probe => ({
  ...adding,
  question: id,
  description: `POST a lead whose \`note\` ${description}, and reads the note in the response${fields ? '; the same with `name` and `source`, where they are accepted' : ''}`,
  probe: async (session) => {
    const attempt = async (names: readonly LeadField[]) => {
      const lead = session.leadBody();
      const sent = Object.fromEntries(names.map((name) => [name, note(lead[name])]));
      const exchange = await add(session, { ...lead, ...sent });
      const isRefused = answerFrom(exchange) === 'refused';
      return { names, sent, exchange, isRefused };
    };
    const all = fields && (await attempt(fields));
    const { names, sent, exchange, isRefused } = all?.isRefused === false ? all : await attempt(['note']);
    if (isRefused)
      return refused === undefined
        ? inconclusive(`such a note is refused: ${describeRefusal(exchange)}`)
        : { answer: refused, exchange };
    const stored = names.map((name) => readText(id, String(sent[name]), dataOf(exchange)[name]));
    const [answer] = stored;
    if (answer === undefined) return inconclusive('the note was changed in another way');
    const other = stored.findIndex((one) => one !== undefined && one !== answer);
    return other === -1
      ? { answer, exchange, detail: `the note was ${answer}` }
      : inconclusive(`the fields differ: the note was ${answer}, the ${names[other]} ${stored[other]}`);
  },
});

/** §2.3: characters that common middleware changes. */
export const leadTextProbes: readonly Probe[] = [
  textProbe('lead.outer-blanks', {
    description: 'has blanks at both ends',
    note: (text) => `  ${text}  `,
    fields: ['note', 'name', 'source'],
  }),
  textProbe('lead.line-breaks', {
    description: 'has lines that end in CR LF',
    note: (text) => `${text}\r\nsecond line`,
  }),
  textProbe('lead.unicode-form', {
    description: 'has letters that Unicode can compose',
    note: (text) => `${text} Zoe\u0301`,
  }),
  textProbe('lead.control-characters', {
    description: 'has the characters U+0001 and U+001B',
    note: (text) => `${text} one\u0001two\u001bthree`,
    refused: 'rejected',
  }),
];
