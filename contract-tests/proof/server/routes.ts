import type { Behaviour } from './behaviour.ts';
import { createOperations, type Refuse, validateBody } from './operations.ts';
import type { Store } from './store.ts';
import type { Call, Reply } from './types.ts';

/** The operations of §4. */
export type Operation =
  | 'sendEmail'
  | 'listTemplates'
  | 'sendTemplateEmail'
  | 'addLead'
  | 'updateLead'
  | 'deleteLead';

/** With those of §4.8, which the document does not show. */
export type ServedOperation = Operation | 'readLead' | 'listLeads';

type Route = readonly [
  method: string,
  path: string,
  operation: ServedOperation,
  isServed?: (behaviour: Behaviour) => boolean,
];

const routes: readonly Route[] = [
  ['POST', '/api/v1/email/send', 'sendEmail'],
  ['GET', '/api/v1/email/templates', 'listTemplates', ({ listPaths }) => listPaths !== 'singular'],
  ['GET', '/api/v1/email/template', 'listTemplates', ({ listPaths }) => listPaths !== 'plural'],
  ['POST', '/api/v1/email/template', 'sendTemplateEmail', ({ sendPaths }) => sendPaths !== 'send-template'],
  ['POST', '/api/v1/email/send-template', 'sendTemplateEmail', ({ sendPaths }) => sendPaths !== 'template'],
  ['POST', '/api/v1/leads', 'addLead'],
  ['PUT', '/api/v1/leads/:id', 'updateLead'],
  ['DELETE', '/api/v1/leads/:id', 'deleteLead'],
  ['GET', '/api/v1/leads', 'listLeads', ({ leadReading }) => leadReading === 'present'],
  ['GET', '/api/v1/leads/:id', 'readLead', ({ leadReading }) => leadReading === 'present'],
];

/** The routes of §4, in the path forms of §4.4 this deployment knows. */
export const listRoutes = (behaviour: Behaviour): readonly Route[] =>
  routes.filter(([, , , isServed]) => isServed?.(behaviour) ?? true);

const leadPath = /^\/api\/v1\/leads\/([^/]+)$/;

const decode = (segment: string) => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

export type Match = {
  readonly operation: ServedOperation | undefined;
  readonly id: string;
  readonly otherMethods: boolean;
};

export const match = (routes: readonly Route[], method: string, path: string): Match => {
  const [, id] = leadPath.exec(path) ?? [];
  const pattern = id === undefined ? path : '/api/v1/leads/:id';
  const here = routes.filter((route) => route[1] === pattern);
  const routeMethod = method === 'HEAD' ? 'GET' : method;
  return {
    operation: here.find((route) => route[0] === routeMethod)?.[2],
    id: id === undefined ? '' : decode(id),
    otherMethods: here.length > 0,
  };
};

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
