import type { Behaviour } from './behaviour.ts';

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

type Route = readonly [method: string, path: string, operation: ServedOperation];

/** The routes of §4, in the path forms of §4.4 this deployment knows. */
export const listRoutes = (behaviour: Behaviour): readonly Route[] => [
  ['POST', '/api/v1/email/send', 'sendEmail'],
  ...(behaviour.listPaths === 'singular'
    ? []
    : [['GET', '/api/v1/email/templates', 'listTemplates'] as const]),
  ...(behaviour.listPaths === 'plural' ? [] : [['GET', '/api/v1/email/template', 'listTemplates'] as const]),
  ...(behaviour.sendPaths === 'send-template'
    ? []
    : [['POST', '/api/v1/email/template', 'sendTemplateEmail'] as const]),
  ...(behaviour.sendPaths === 'template'
    ? []
    : [['POST', '/api/v1/email/send-template', 'sendTemplateEmail'] as const]),
  ['POST', '/api/v1/leads', 'addLead'],
  ['PUT', '/api/v1/leads/:id', 'updateLead'],
  ['DELETE', '/api/v1/leads/:id', 'deleteLead'],
  ...(behaviour.leadReading === 'present'
    ? [['GET', '/api/v1/leads', 'listLeads'] as const, ['GET', '/api/v1/leads/:id', 'readLead'] as const]
    : []),
];

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
