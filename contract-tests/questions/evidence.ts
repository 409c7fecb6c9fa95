import { type Exchange, excerpt, isObject, parseJson } from '../exchange/exchange.ts';
import { idsIn } from '../exchange/leads.ts';
import type { Session } from '../session/session.ts';

const dotted =
  /\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|cloud|local|internal|lan|test|example|localhost)\b(?::\d+)?/gi;

const patterns: readonly (readonly [RegExp, string])[] = [
  [/https?:\/\/[^\s"'<>)]+/gi, '<host>'],
  [/[^\s"'<>:;,()]+@[^\s"'<>;,()]+/g, '<address>'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?/g, '<host>'],
  [/\blocalhost(?::\d+)?\b/gi, '<host>'],
  [dotted, '<host>'],
  [/\b(?:[a-z0-9-]+\.){2,}[a-z]{2,}\b/gi, '<host>'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[a-z]+[_-](?=[a-z_-]*\d)[a-z0-9_-]{4,}\b/gi, '<id>'],
  [/\b(?=[a-z]*\d)[a-z0-9_-]{12,}\b/gi, '<id>'],
  // Six digits or more, except for a limit, as in "below 1048576 bytes".
  [/\b\d{6,}\b(?! bytes\b)/g, '<id>'],
];

// Far more characters than are shown. The time of some expressions grows with the square of the length.
const maxMasked = 2000;

/**
 * Masks a text so that it can be committed: the key, ids, texts and the id of the run, addresses and hosts. Texts of leads that
 * the run did not create never reach this function: evidence comes only from refusals and from shapes of bodies.
 */
export const mask = (session: Session, text: string): string => {
  let masked = session.client.redact(text).slice(0, maxMasked);
  for (const id of idsIn(session.client.exchanges)) masked = withoutId(masked, id);
  masked = masked
    .replaceAll(new RegExp(`Contract test ${session.runId}-\\d+ ?\\w*x*`, 'g'), '<text>')
    .replaceAll(new RegExp(`contract-test-${session.runId}-\\d+-`, 'g'), '')
    .replaceAll(session.runId, '<run>');
  return patterns.reduce((rest, [pattern, name]) => rest.replaceAll(pattern, name), masked);
};

// A short id (`7`) may occur anywhere by chance: it is masked only in quotes or at the end of a path.
const withoutId = (text: string, id: string): string => {
  const literal = id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const before = id.length < 4 ? `["'/]` : '[^\\w-]';
  return text.replaceAll(new RegExp(`(?<=^|${before})${literal}(?![\\w-])`, 'g'), '<id>');
};

/**
 * Describes a request and its response, short and masked: `POST /api/v1/leads {source, note}: 400 body/name is required`.
 * @param detail what the probe read from the response, in addition to its status
 */
export const evidenceOf = (session: Session, exchange: Exchange, detail?: string): string =>
  `${requestShape(session, exchange)}: ${replyShape(session, exchange)}${detail === undefined ? '' : `; ${detail}`}`;

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

/** The names of the fields. The values are omitted, because the run created them. */
const bodyShape = (body: string): string => {
  const json = parseJson(body);
  const shape = isObject(json) ? `{${Object.entries(json).map(fieldShape).join(', ')}}` : excerpt(body, 20);
  return body.length > 1000 ? `${shape} of ${body.length} bytes` : shape;
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
