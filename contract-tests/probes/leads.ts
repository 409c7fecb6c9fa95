import type { QuestionId } from '../../mock/questions.ts';
import { dataOf, type Exchange, isObject, type JsonObject, wordsOf } from '../exchange.ts';
import type { Session } from '../session.ts';
import { inconclusive, type Known, needUsable, type Probe, told, verdictOf } from './probe.ts';

/** A complete lead in this deployment's terms, changed; a field that is `undefined` is left out. */
export const leadBody = (session: Session, changes: JsonObject = {}): JsonObject => ({
  ...session.newFields(),
  ...session.demands.leadExtra,
  ...changes,
});

export const add = (session: Session, body: JsonObject): Promise<Exchange> =>
  session.send('addLead', { body, intent: 'probe' });

const fieldProbe = (
  question: QuestionId,
  asks: string,
  changes: (session: Session) => JsonObject,
  [taken, refused]: readonly [string, string],
): Probe => ({
  question,
  needs: 'writes',
  asks,
  probe: async (session, known) => {
    needUsable(session, known, 'addLead');
    return told(await add(session, leadBody(session, changes(session))), taken, refused);
  },
});

const required = ['optional', 'required'] as const;
const rejected = ['accepted', 'rejected'] as const;
const address = (session: Session): string => `contract-test-${session.runId}@example.com`;

/** §2.3: which fields a new lead must and may have, one left out or added at a time. */
export const leadProbes: readonly Probe[] = [
  fieldProbe('lead.name', 'POST a lead without `name`', () => ({ name: undefined }), required),
  fieldProbe('lead.source', 'POST a lead without `source`', () => ({ source: undefined }), required),
  fieldProbe('lead.note', 'POST a lead without `note`', () => ({ note: undefined }), required),
  fieldProbe('lead.empty-name', 'POST a lead whose `name` is empty', () => ({ name: '' }), rejected),
  fieldProbe(
    'lead.email',
    'POST a lead with an `email` beside the three fields',
    (session) => ({ email: address(session) }),
    rejected,
  ),
  fieldProbe(
    'lead.unknown-field',
    'POST a lead with a field `contract_test`',
    () => ({ contract_test: 'x' }),
    rejected,
  ),
  fieldProbe('lead.wrong-type', 'POST a lead with `"name": 7`', () => ({ name: 7 }), rejected),
  {
    question: 'success.error-field',
    needs: 'writes',
    asks: 'POST a complete lead and looks for `error` in the reply',
    probe: async (session, known) => {
      const exchange = await added(session, known);
      const { error } = exchange.json as JsonObject;
      if (error === undefined) return { answer: 'absent', exchange, saw: 'no `error`' };
      return error === ''
        ? { answer: 'empty', exchange, saw: 'an empty `error`' }
        : inconclusive('its `error` is neither absent nor empty');
    },
  },
  {
    question: 'lead.duplicate',
    needs: 'writes',
    asks: 'POST the same three fields twice: another `lead_id`, the same one, or a refusal',
    probe: async (session, known) => {
      needUsable(session, known, 'addLead');
      const body = leadBody(session);
      const first = idOf(await expectAdded(await add(session, body)));
      const exchange = await add(session, body);
      if (verdictOf(exchange) === 'refused') return { answer: 'rejected', exchange };
      return idOf(exchange) === first
        ? { answer: 'merged', exchange, saw: 'the same lead_id twice' }
        : { answer: 'accepted', exchange, saw: 'another lead_id' };
    },
  },
  {
    question: 'lead.id-format',
    needs: 'writes',
    asks: 'reads every `lead_id` of the run, three at least: UUIDs, digits, a shared prefix up to `_` or `-`, or neither',
    probe: async (session, known) => {
      let exchange = await added(session, known);
      for (let more = 0; more < 2 && idsOf(session).length < 3; more += 1)
        exchange = await added(session, known);
      const ids = idsOf(session);
      if (ids.length < 3) inconclusive(`it takes three ids to tell, and the run saw ${ids.length}`);
      return { answer: formatOf(ids), exchange, saw: `${ids.length} ids` };
    },
  },
];

const expectAdded = async (exchange: Exchange): Promise<Exchange> =>
  verdictOf(exchange) === 'accepted'
    ? exchange
    : inconclusive(`a complete lead was refused: ${wordsOf(exchange)}`);

const added = async (session: Session, known: Known): Promise<Exchange> => {
  needUsable(session, known, 'addLead');
  return expectAdded(await add(session, leadBody(session)));
};

const idOf = (exchange: Exchange): string => String(dataOf(exchange).lead_id ?? '');

/** Every id this deployment gave in the run, each once. */
export const idsOf = ({ client }: Session): string[] => [
  ...new Set(
    client.exchanges
      .filter(
        ({ operation, outcome, json }) => operation === 'addLead' && outcome === 'success' && isObject(json),
      )
      .map(idOf)
      .filter((id) => id !== ''),
  ),
];

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const formatOf = (ids: readonly string[]): string => {
  if (ids.every((id) => uuid.test(id))) return 'uuid';
  if (ids.every((id) => /^\d+$/.test(id))) return 'integer';
  const [prefix = ''] = /^[a-z]+[_-]/i.exec(ids[0] ?? '') ?? [];
  return prefix !== '' && ids.every((id) => id.startsWith(prefix)) ? 'prefixed' : 'opaque';
};
