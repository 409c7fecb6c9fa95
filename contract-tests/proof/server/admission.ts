import type { Behaviour } from './behaviour.ts';
import { createOperations, type Refuse } from './operations.ts';
import type { Match } from './routes.ts';
import type { Store } from './store.ts';
import type { Call, Reply } from './types.ts';
import { validateBody } from './validation.ts';

export const carriesKey = ({ headers }: Pick<Call, 'headers'>, { key, keyForms }: Behaviour): boolean => {
  const credentials = headers.authorization ?? '';
  if (credentials === `Bearer ${key}`) return true;
  if (keyForms === 'any-case')
    return /^bearer +/i.test(credentials) && credentials.replace(/^bearer +/i, '') === key;
  return keyForms === 'bare-too' && (credentials === key || headers['x-api-key'] === key);
};

/** Refuses a call or performs it. The order of the checks is open: `keyJudged` decides it. */
export const createJudge = (behaviour: Behaviour, store: Store) => {
  const refuse: Refuse = (reason, sentence) => ({
    status: behaviour.statuses[reason],
    body: { ...behaviour.failure(sentence, reason) },
    refused: reason,
  });
  const perform = createOperations(behaviour, store, refuse);
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
    if (
      behaviour.mediaType === 'checked' &&
      !/^application\/json\b/i.test(call.headers['content-type'] ?? '')
    )
      return refuse('media-type', 'the body must be application/json');
    if (Buffer.byteLength(call.text) > behaviour.bodyLimit) return refuse('size', 'the body is too large');
    if (call.body === undefined) return refuse('json', 'the body is not valid JSON');
    const wrong = validateBody(call, behaviour);
    return wrong ? refuse('fields', wrong) : undefined;
  };

  return {
    refuse,
    judge: (call: Call, match: Match, admitted: boolean): Reply => {
      const { operation } = call;
      const refusal =
        behaviour.keyJudged === 'first'
          ? (judgeKey(admitted) ?? judgeRoute(call, match) ?? judgeContent(call))
          : (judgeRoute(call, match) ?? judgeContent(call) ?? judgeKey(admitted));
      return refusal ?? (operation ? perform({ ...call, operation }) : refuse('route', 'nothing here'));
    },
  };
};
