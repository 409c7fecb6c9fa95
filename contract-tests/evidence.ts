import { type Exchange, excerpt, isObject } from './exchange.ts';
import { mask } from './mask.ts';
import type { Session } from './session.ts';

/**
 * What was asked and what came, short and masked: `POST /api/v1/leads {source, note}: 400 body/name is required`.
 * @param saw what a probe saw in the reply, beyond its status
 */
export const evidenceOf = (session: Session, exchange: Exchange, saw?: string): string =>
  `${requestShape(session, exchange)}: ${replyShape(session, exchange)}${saw === undefined ? '' : `; ${saw}`}`;

const requestShape = (session: Session, exchange: Exchange): string => {
  const { method, path, credentials, contentType } = exchange;
  const place = path.replace(/(\/leads\/)[^/?]+/, '$1<id>').replace(/contract-test-.*/, '<random>');
  return [
    `${method} ${mask(session, place)}`,
    ...(credentials === 'key' ? [] : [`(${credentials === 'none' ? 'no key' : credentials})`]),
    ...(exchange.body === undefined ? [] : [bodyShape(exchange.body)]),
    ...(contentType === undefined || contentType === 'application/json' ? [] : [`as ${contentType}`]),
  ].join(' ');
};

/** The names of the fields; the values are the run's own and say nothing. */
const bodyShape = (body: string): string => {
  const fields = fieldsOf(body);
  const shape = fields ? `{${fields.map(fieldShape).join(', ')}}` : excerpt(body, 20);
  return body.length > 1000 ? `${shape} of ${body.length} bytes` : shape;
};

const fieldsOf = (body: string): [string, unknown][] | undefined => {
  try {
    const json: unknown = JSON.parse(body);
    return isObject(json) ? Object.entries(json) : undefined;
  } catch {
    return undefined; // meant to be malformed
  }
};

const fieldShape = ([name, value]: [string, unknown]): string => {
  if (value === '' || typeof value === 'number') return `${name}: ${JSON.stringify(value)}`;
  return isObject(value) && Object.keys(value).length === 0 ? `${name}: {}` : name;
};

const replyShape = (session: Session, { outcome, status, json }: Exchange): string => {
  if (outcome === 'success') return '200 success';
  const error = isObject(json) && typeof json.error === 'string' ? json.error : '';
  return error === '' ? `${status}` : `${status} ${excerpt(mask(session, error), 80)}`;
};
