import type { Choices } from './choices.ts';
import type { Call, Reply } from './exchange.ts';
import { createOperations, type Refuse } from './operations.ts';
import type { Match } from './routes.ts';
import { judgeBody } from './rules.ts';
import type { Store } from './store.ts';

export const carriesKey = ({ headers }: Pick<Call, 'headers'>, { key, keyForms }: Choices): boolean => {
  const given = headers.authorization ?? '';
  if (given === `Bearer ${key}`) return true;
  if (keyForms === 'any-case') return /^bearer +/i.test(given) && given.replace(/^bearer +/i, '') === key;
  return keyForms === 'bare-too' && (given === key || headers['x-api-key'] === key);
};

/** Refuses a call or carries it out; the order of the questions is open, so `keyJudged` turns it round. */
export const createJudge = (choices: Choices, store: Store) => {
  const refuse: Refuse = (reason, sentence) => ({
    status: choices.statuses[reason],
    body: { ...choices.failure(sentence, reason) },
    refused: reason,
  });
  const perform = createOperations(choices, store, refuse);
  const withBody = new Set(['sendEmail', 'sendTemplateEmail', 'addLead', 'updateLead']);

  const judgeKey = (admitted: boolean) =>
    admitted ? undefined : refuse('key', 'the Authorization header carries no key we know');

  const judgeRoute = (call: Call, match: Match) => {
    if (call.operation) return undefined;
    return match.otherMethods
      ? refuse('method', `${call.method} is not allowed here`)
      : refuse('route', 'there is nothing at this address');
  };

  const judgeContent = (call: Call): Reply | undefined => {
    if (!withBody.has(call.operation ?? '')) return undefined;
    if (choices.mediaType === 'checked' && !/^application\/json\b/i.test(call.headers['content-type'] ?? ''))
      return refuse('media-type', 'the body must be application/json');
    if (Buffer.byteLength(call.text) > choices.bodyLimit) return refuse('size', 'the body is too large');
    if (call.body === undefined) return refuse('json', 'the body is not valid JSON');
    const wrong = judgeBody(call, choices);
    return wrong ? refuse('fields', wrong) : undefined;
  };

  return {
    refuse,
    judge: (call: Call, match: Match, admitted: boolean): Reply => {
      const { operation } = call;
      const refusal =
        choices.keyJudged === 'first'
          ? (judgeKey(admitted) ?? judgeRoute(call, match) ?? judgeContent(call))
          : (judgeRoute(call, match) ?? judgeContent(call) ?? judgeKey(admitted));
      return refusal ?? (operation ? perform({ ...call, operation }) : refuse('route', 'nothing here'));
    },
  };
};
