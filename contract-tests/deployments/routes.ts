import type { Choices } from './choices.ts';
import type { Call } from './exchange.ts';

type Route = readonly [method: string, path: string, operation: NonNullable<Call['operation']>];

/** The routes of §4, in the path forms of §4.4 this deployment knows. */
export const listRoutes = (choices: Choices): readonly Route[] => [
  ['POST', '/api/v1/email/send', 'sendEmail'],
  ...(choices.listPaths === 'singular' ? [] : [['GET', '/api/v1/email/templates', 'listTemplates'] as const]),
  ...(choices.listPaths === 'plural' ? [] : [['GET', '/api/v1/email/template', 'listTemplates'] as const]),
  ...(choices.sendPaths === 'send-template'
    ? []
    : [['POST', '/api/v1/email/template', 'sendTemplateEmail'] as const]),
  ...(choices.sendPaths === 'template'
    ? []
    : [['POST', '/api/v1/email/send-template', 'sendTemplateEmail'] as const]),
  ['POST', '/api/v1/leads', 'addLead'],
  ['PUT', '/api/v1/leads/:id', 'updateLead'],
  ['DELETE', '/api/v1/leads/:id', 'deleteLead'],
  ...(choices.leadReading === 'present'
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

export type Match = Pick<Call, 'operation' | 'id'> & { readonly otherMethods: boolean };

export const match = (routes: readonly Route[], method: string, path: string): Match => {
  const [, id] = leadPath.exec(path) ?? [];
  const pattern = id === undefined ? path : '/api/v1/leads/:id';
  const here = routes.filter((route) => route[1] === pattern);
  const asked = method === 'HEAD' ? 'GET' : method;
  return {
    operation: here.find((route) => route[0] === asked)?.[2],
    id: id === undefined ? '' : decode(id),
    otherMethods: here.length > 0,
  };
};
