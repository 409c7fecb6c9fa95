import type { Answer, QuestionId } from '../../../mock/contract/questions.ts';
import { dataOf, describeRefusal, type Exchange, type JsonObject } from '../../exchange/exchange.ts';
import { idOf, idsIn, type LeadField } from '../../exchange/leads.ts';
import { validRequest } from '../../session/requests.ts';
import type { OwnLead, Session } from '../../session/session.ts';
import {
  type Ask,
  expectAccepted,
  inconclusive,
  isAccepted,
  type ProbeAnswer,
  probesOf,
  type Row,
  readErrorOfSuccess,
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

const addCompleteLead = async (session: Session, body = session.leadBody()): Promise<Exchange> =>
  expectAccepted(await add(session, body), 'a complete lead');

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The format that several ids have in common. */
const formatOf = (ids: readonly string[]): Answer => {
  if (ids.every((id) => uuid.test(id))) return 'uuid';
  if (ids.every((id) => /^\d+$/.test(id))) return 'integer';
  const [prefix = ''] = /^[a-z]+[_-]/i.exec(ids[0] ?? '') ?? [];
  return prefix !== '' && ids.every((id) => id.startsWith(prefix)) ? 'prefixed' : 'opaque';
};

/** §2.3: required and permitted fields of a new lead, with one field omitted or added each. */
export const leadProbes = probesOf({ needs: 'writes', uses: ['addLead'] }, [
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
  [
    'success.error-field',
    'POST a complete lead and looks for `error` in the response',
    (session) => addCompleteLead(session),
    readErrorOfSuccess,
  ],
  [
    'lead.duplicate',
    'POST the same three fields twice: another `lead_id`, the same one, or an error response',
    async (session) => {
      const body = session.leadBody();
      const first = idOf(await addCompleteLead(session, body));
      const exchange = await add(session, body);
      if (!isAccepted(exchange)) return { answer: 'rejected', exchange };
      return { answer: idOf(exchange) === first ? 'merged' : 'accepted', exchange };
    },
  ],
  [
    'lead.id-format',
    'reads every `lead_id` of the run, three at least: UUIDs, digits, a shared prefix up to `_` or `-`, or neither',
    async (session) => {
      let exchange = await addCompleteLead(session);
      for (let more = 0; more < 2 && idsIn(session.client.exchanges).length < 3; more += 1)
        exchange = await addCompleteLead(session);
      const ids = idsIn(session.client.exchanges);
      if (ids.length < 3) inconclusive(`three ids are needed, and the run saw ${ids.length}`);
      return { answer: formatOf(ids), exchange, detail: `${ids.length} ids` };
    },
  ],
]);

/** A lead of the run whose update has succeeded, so that a later refusal concerns the content of the request. */
export const updatedLead = async (session: Session): Promise<OwnLead> => {
  const lead = await session.visibleLead();
  const update = await session.send('updateLead', validRequest(session, 'updateLead', { lead }));
  expectAccepted(update, 'an update of the note alone');
  return lead;
};

const updateField = (field: 'name' | 'source'): Row => [
  `lead.update-${field}`,
  `PUT a new \`${field}\` and a new \`note\`: refused, shown in the response, or unchanged`,
  async (session) => {
    const lead = await updatedLead(session);
    const value = session.unique(`new ${field}`);
    const body = session.updateBody({ [field]: value, note: session.unique('note') }, lead);
    const exchange = await session.send('updateLead', { leadId: lead.id, body, intent: 'probe' });
    if (!isAccepted(exchange)) return { answer: 'rejected', exchange };
    const shown = dataOf(exchange)[field];
    if (shown === value) return { answer: 'accepted', exchange };
    if (shown === lead.expected[field]) return { answer: 'ignored', exchange };
    return inconclusive(`the response shows neither the old nor the new ${field}`);
  },
];

/** §4.6: fields that an update may contain. */
export const updateProbes = probesOf({ needs: 'writes', uses: ['updateLead'] }, [
  updateField('name'),
  updateField('source'),
  [
    'lead.update-empty',
    'PUT `{}` to a lead that has just accepted an update',
    async (session) => {
      const { id: leadId } = await updatedLead(session);
      return session.send('updateLead', { leadId, body: {}, intent: 'probe' });
    },
    rejected,
  ],
]);

/**
 * Adds a lead with such a text in these fields, as a deployment may change some fields only. Where that is refused, its note alone
 * has the text.
 * @param make makes the text to send from an ordinary one
 * @param refused the answer if such a note is refused, if the question has one for that
 */
const storing =
  (
    question: QuestionId,
    make: (text: string) => string,
    fields: readonly LeadField[] = ['note'],
    refused?: Answer,
  ): Ask<ProbeAnswer> =>
  async (session) => {
    const lead = session.leadBody();
    const sent = Object.fromEntries(fields.map((name) => [name, make(lead[name])]));
    const exchange = await add(session, { ...lead, ...sent });
    if (!isAccepted(exchange)) {
      if (fields.length > 1) return storing(question, make)(session, new Map());
      const answer = refused ?? inconclusive(`such a note is refused: ${describeRefusal(exchange)}`);
      return { answer, exchange };
    }
    const stored = fields.map((name) => readText(question, String(sent[name]), dataOf(exchange)[name]));
    const [answer] = stored;
    if (answer === undefined) return inconclusive('the note was changed in another way');
    const other = stored.findIndex((one) => one !== undefined && one !== answer);
    return other === -1
      ? { answer, exchange }
      : inconclusive(`the fields differ: the note was ${answer}, the ${fields[other]} ${stored[other]}`);
  };

/** §2.3: characters that common middleware changes. */
export const leadTextProbes = probesOf({ needs: 'writes', uses: ['addLead'] }, [
  [
    'lead.outer-blanks',
    'POST a lead whose `note` has blanks at both ends, and reads the note in the response; the same with `name` and `source`, where they are accepted',
    storing('lead.outer-blanks', (text) => `  ${text}  `, ['note', 'name', 'source']),
  ],
  [
    'lead.line-breaks',
    'POST a lead whose `note` has lines that end in CR LF, and reads the note in the response',
    storing('lead.line-breaks', (text) => `${text}\r\nsecond line`),
  ],
  [
    'lead.unicode-form',
    'POST a lead whose `note` has letters that Unicode can compose, and reads the note in the response',
    storing('lead.unicode-form', (text) => `${text} Zoe\u0301`),
  ],
  [
    'lead.control-characters',
    'POST a lead whose `note` has the characters U+0001 and U+001B, and reads the note in the response',
    storing('lead.control-characters', (text) => `${text} one\u0001two\u001bthree`, ['note'], 'rejected'),
  ],
]);
