// How responses show answers: those to the requests of the probes, and those in the traffic of others.
import type { Answer, QuestionId } from '../../../mock/contract/questions.ts';
import type { JsonObject } from '../../exchange/exchange.ts';
import { textChanges } from '../../model/text.ts';

/** Reads an answer from the fields of a response; `undefined` if they show none. */
type Reading = (fields: JsonObject) => Answer | undefined;

/** §7: the form of error responses. */
export const errorReadings = {
  'failure.success-field': ({ success }) => {
    if (success === undefined) return 'absent';
    return success === false ? 'false' : undefined;
  },
  'failure.message-field': ({ message }) => {
    if (message === undefined) return 'absent';
    return typeof message === 'string' ? 'present' : undefined;
  },
  'failure.error-style': ({ error }) => {
    if (typeof error !== 'string' || error.trim() === '') return undefined;
    return /\s/.test(error.trim()) ? 'sentence' : 'code';
  },
} satisfies { readonly [Id in QuestionId]?: Reading };

/** §4.5: `error` in the response to an addition that succeeded. */
export const readErrorOfSuccess: Reading = ({ error }) => {
  if (error === undefined) return 'absent';
  return error === '' ? 'empty' : undefined;
};

/** How a text was stored, if that is an answer to this question. */
export const readText = (id: QuestionId, sent: string, shown: unknown): Answer | undefined =>
  shown === sent
    ? 'kept'
    : textChanges.find(({ question, change }) => question === id && change(sent) === shown)?.answer;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The format that several ids have in common. */
export const readFormat = (ids: readonly string[]): Answer => {
  if (ids.every((id) => uuid.test(id))) return 'uuid';
  if (ids.every((id) => /^\d+$/.test(id))) return 'integer';
  const [prefix = ''] = /^[a-z]+[_-]/i.exec(ids[0] ?? '') ?? [];
  return prefix !== '' && ids.every((id) => id.startsWith(prefix)) ? 'prefixed' : 'opaque';
};
