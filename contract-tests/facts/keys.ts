import type { OperationId } from '../../mock/contract/operation-id.ts';
import { pathOf } from '../../mock/contract/path-template.ts';
import {
  type Credentials,
  dataOf,
  describeRefusal,
  type Exchange,
  itemsOf,
  textOf,
} from '../exchange/exchange.ts';
import { concernsOneLead, type Operation, operationOf, routes } from '../exchange/operations.ts';
import type { Model } from '../model/model.ts';
import { leadIdOf } from '../model/requests.ts';
import { isRunText } from '../model/text.ts';
import { broken, type Fact, holds, proven } from './fact.ts';

/** A kind of wrong key. */
export type WrongKey = {
  /** In the ids of checks. */
  readonly id: string;
  readonly credentials: readonly Credentials[];
  readonly title: string;
  /**
   * `every`: tested on every operation. The others show how keys are compared: tested on few operations, because every wrong key
   * counts towards a lock-out.
   */
  readonly on: 'every' | 'leads and list' | 'list';
  /** Under every path of the operation (§4.4), and not only the first; in a thorough run this holds for all kinds on `every`. */
  readonly underEveryPath?: true;
  /** The operations on which a usual run tests it too; by default all of them. */
  readonly usual?: readonly OperationId[];
};

export const wrongKeys: readonly WrongKey[] = [
  {
    id: 'missing-key',
    credentials: ['none'],
    title: 'a request without Authorization is rejected',
    on: 'every',
    underEveryPath: true,
  },
  {
    id: 'unknown-key',
    credentials: ['random key'],
    title: 'an unknown key is rejected',
    on: 'every',
    underEveryPath: true,
  },
  {
    id: 'no-key',
    credentials: ['Bearer without a key'],
    title: 'Authorization without a key is rejected',
    on: 'every',
    usual: ['listTemplates'],
  },
  {
    id: 'other-scheme',
    credentials: ['Basic'],
    title: 'wrong credentials are also rejected under another scheme',
    on: 'every',
    usual: ['listTemplates'],
  },
  {
    id: 'near-miss-key',
    credentials: ['key with ~ appended'],
    title: 'the key with an extra character at its end is rejected',
    on: 'every',
    usual: ['listTemplates', 'addLead', 'updateLead', 'deleteLead'],
  },
  {
    id: 'other-case-key',
    credentials: ['key in other case'],
    title: 'the key with upper and lower case swapped is rejected',
    on: 'leads and list',
    usual: ['listTemplates', 'updateLead'],
  },
  {
    id: 'shortened-key',
    credentials: ['key without its last character'],
    title: 'the key without its last character is rejected',
    on: 'leads and list',
  },
  {
    id: 'null-key',
    credentials: ['Bearer null', 'Bearer undefined'],
    title: 'the word null or undefined as a key is rejected',
    on: 'leads and list',
    usual: ['listTemplates', 'updateLead'],
  },
  {
    id: 'led-key', // led: with a character before it
    credentials: ['key after ~'],
    title: 'the key with an extra character at its start is rejected',
    on: 'list',
  },
  {
    id: 'other-last-character',
    credentials: ['key with another last character'],
    title: 'the key with a different last character is rejected',
    on: 'list',
  },
  {
    id: 'other-first-character',
    credentials: ['key with another first character'],
    title: 'the key with a different first character is rejected',
    on: 'list',
  },
  {
    id: 'dash-underscore-key',
    credentials: ['key with - and _ exchanged'],
    title: 'the key with - in place of _, or the reverse, is rejected',
    on: 'list',
  },
  {
    id: 'pattern-key',
    credentials: ['Bearer %', 'Bearer .*'],
    title: 'a wildcard as a key is rejected',
    on: 'list',
  },
  {
    id: 'ending-only',
    credentials: ['end of the key'],
    title: 'a key that only ends like the real key is rejected',
    on: 'list',
    usual: [],
  },
  {
    id: 'small-letters-scheme',
    credentials: ['bearer with a random key'],
    title: 'an unknown key is also rejected under the lower-case scheme "bearer"',
    on: 'list',
  },
];

/** Whether a kind of wrong key is tested on an operation. */
export const isKeyTestedOn = ({ needs }: Operation, on: WrongKey['on']): boolean =>
  on === 'every' || needs === 'read' || (on === 'leads and list' && needs === 'writes');

/** Whether only a thorough run tests a kind of wrong key on an operation. */
export const isThoroughOn = ({ id }: Operation, usual: WrongKey['usual']): boolean =>
  usual?.includes(id) === false;

const tooManyRequests = 429;

const kindOf = new Map(
  wrongKeys.flatMap((wrongKey) => wrongKey.credentials.map((one) => [one, wrongKey.id] as const)),
);

const keyText = (credentials: Credentials): string => (credentials === 'none' ? 'no key' : credentials);

/** Whether a response shows templates or a lead, which the key protects. */
const protectedData = (exchange: Exchange, model: Model): string | undefined => {
  const { rawText, body = '' } = exchange;
  const templates = itemsOf(exchange).some(
    ({ id, body: text }) => model.templates.latest.get(textOf(id))?.body === text && text !== undefined,
  );
  if (templates) return 'the templates';
  const lead = model.leads.get(leadIdOf(exchange));
  const texts = lead ? [...lead.texts.name, ...lead.texts.source] : [];
  const isShown = texts.some(({ value }) => {
    const text = value === 'anything' ? '' : (value.shown ?? value.sent ?? '');
    // A source that every lead of the run has may be a word of the error.
    return isRunText(text) && !body.includes(text) && rawText.includes(text);
  });
  return isShown ? 'the lead' : undefined;
};

/** §5.1: a request without the key gets an error response, and none of the data that the key protects. */
export const keyRejected: Fact = (exchange, model) => {
  const { operation, credentials, outcome, status, path } = exchange;
  const kind = kindOf.get(credentials);
  if (kind === undefined) return [];
  const isSlashed = path.endsWith('/');
  const isDocumented =
    concernsOneLead(operation) || routes[operation].paths.includes(pathOf(path).replace(/\/$/, ''));
  if (!isDocumented) return [];
  const check = `${operationOf(operation).area}.auth.${kind}`;
  // A lock-out keeps the key from being tested. Other responses of a gateway show nothing.
  if (outcome === 'gateway') {
    const undecided = `a request with a wrong key got ${describeRefusal(exchange)}`;
    return status === tooManyRequests ? [{ check, undecided }] : [];
  }
  const shown = protectedData(exchange, model);
  const { lead_id: id } = dataOf(exchange);
  // A success without data may come from anything at a path with a slash at its end.
  const isDone = outcome !== 'refusal' && (!isSlashed || id !== undefined);
  if (shown === undefined && !isDone) return [holds(check)];
  const expected = `an error response${shown === undefined ? '' : ' without the data that the key protects'}`;
  const what = shown === undefined ? 'as if the key were valid' : `with ${shown}`;
  const actual = `${status} ${what}, sent with ${keyText(credentials)}`;
  // Nothing but the service answers like this.
  const isProof = shown !== undefined || outcome === 'success';
  return [(isProof ? proven : broken)(check, exchange, expected, actual)];
};
