import { type OperationId, operationIds } from '../../mock/contract/operation-id.ts';
import { pathOf } from '../../mock/contract/path-template.ts';
import {
  type Credentials,
  dataOf,
  describeRefusal,
  type Exchange,
  isRateLimit,
  itemsOf,
  textOf,
} from '../exchange/exchange.ts';
import { concernsOneLead, type Operation, operationOf } from '../exchange/operations.ts';
import type { Model } from '../model/model.ts';
import { leadIdOf } from '../model/requests.ts';
import { isRunText } from '../model/text.ts';
import { type Check, claimOf } from './check.ts';
import { broken, type Fact, holds, proven } from './fact.ts';

/** What is claimed of wrong keys, by the end of the ids of the checks. */
const claims = {
  'missing-key': 'a request without Authorization is rejected',
  'unknown-key': 'an unknown key is rejected',
  'no-key': 'Authorization without a key is rejected',
  'other-scheme': 'wrong credentials are also rejected under another scheme',
  'near-miss-key': 'a key that is almost the valid one is rejected',
  'null-key': 'a word or a wildcard in place of a key is rejected',
};

/** A wrong key, and the claim that it tests. */
type WrongKey = {
  readonly claim: keyof typeof claims;
  readonly credentials: Credentials;
  /** Under every path of the operation (§4.4), and not only the first. */
  readonly underEveryPath?: true;
  /**
   * The operations on which a usual run tests it. Most keys show how keys are compared, which is alike everywhere as a rule, and
   * every wrong key counts towards a lock-out. A thorough run tests each on every operation.
   */
  readonly usual: readonly OperationId[];
};

const list = ['listTemplates'] as const;
const listAndUpdate = [...list, 'updateLead'] as const;

const wrongKeys: readonly WrongKey[] = [
  { claim: 'missing-key', credentials: 'none', usual: operationIds, underEveryPath: true },
  { claim: 'unknown-key', credentials: 'random key', usual: operationIds, underEveryPath: true },
  { claim: 'no-key', credentials: 'Bearer without a key', usual: list },
  { claim: 'other-scheme', credentials: 'Basic', usual: list },
  { claim: 'near-miss-key', credentials: 'key with ~ appended', usual: operationIds },
  { claim: 'near-miss-key', credentials: 'key in other case', usual: listAndUpdate },
  { claim: 'near-miss-key', credentials: 'key without its last character', usual: listAndUpdate },
  { claim: 'null-key', credentials: 'Bearer null', usual: ['updateLead'] },
  { claim: 'null-key', credentials: 'Bearer undefined', usual: list },
  { claim: 'near-miss-key', credentials: 'key after ~', usual: list },
  { claim: 'near-miss-key', credentials: 'key with another last character', usual: list },
  { claim: 'near-miss-key', credentials: 'key with another first character', usual: list },
  { claim: 'near-miss-key', credentials: 'key with - and _ exchanged', usual: list },
  { claim: 'null-key', credentials: 'Bearer %', usual: list },
  { claim: 'null-key', credentials: 'Bearer .*', usual: list },
  { claim: 'near-miss-key', credentials: 'end of the key', usual: [] },
  { claim: 'unknown-key', credentials: 'bearer with a random key', usual: list },
];

/** The wrong keys that are tested on an operation, in a usual run or in a thorough one. */
export const wrongKeysOn = ({ id }: Operation, isThorough: boolean): readonly WrongKey[] =>
  wrongKeys.filter(({ usual }) => isThorough || usual.includes(id));

/** The checks of wrong keys on an operation. */
export const keyChecksOn = (operation: Operation): readonly Check[] =>
  Object.entries(claims).map(([claim, title]) => {
    const isUsual = wrongKeysOn(operation, false).some((key) => key.claim === claim);
    return {
      ...claimOf(operation.id),
      ...(isUsual ? {} : { thorough: true }),
      id: `${operation.area}.auth.${claim}`,
      level: 'documented',
      section: '5',
      about: 'success',
      title,
    };
  });

const claimOn = new Map(wrongKeys.map(({ credentials, claim }) => [credentials, claim] as const));

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
  const claim = claimOn.get(credentials);
  if (claim === undefined) return [];
  const { paths } = operationOf(operation);
  const usualPath = pathOf(path).replace(/\/$/, '').toLowerCase();
  if (!concernsOneLead(operation) && !paths.includes(usualPath)) return [];
  const isDocumented = usualPath === pathOf(path) || (concernsOneLead(operation) && !path.endsWith('/'));
  const check = `${operationOf(operation).area}.auth.${claim}`;
  // A lock-out keeps the key from being tested. Other responses of a gateway show nothing.
  if (outcome === 'gateway') {
    const undecided = `a request with a wrong key got ${describeRefusal(exchange)}`;
    return isRateLimit(exchange) ? [{ check, undecided }] : [];
  }
  const shown = protectedData(exchange, model);
  const { lead_id: id } = dataOf(exchange);
  // At a path in another spelling, a success without data may come from anything.
  const isDone = outcome !== 'refusal' && (isDocumented || id !== undefined);
  if (shown === undefined && !isDone) return [holds(check)];
  const data = shown === undefined ? '' : ', without the data that the key protects';
  const expected = `an error response to ${credentials === 'none' ? 'no key' : credentials}${data}`;
  const actual = `${status} ${shown === undefined ? 'as if the key were valid' : `with ${shown}`}`;
  // Nothing but the service answers like this.
  const isProof = shown !== undefined || outcome === 'success';
  return [(isProof ? proven : broken)(check, exchange, expected, actual)];
};
