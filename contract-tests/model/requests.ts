// What the model reads from one exchange.

import {
  type Call,
  type Exchange,
  isObject,
  isRateLimit,
  type JsonObject,
  jsonTypeOf,
  sentFields,
  sentJson,
} from '../exchange/exchange.ts';
import { concernsOneLead } from '../exchange/operations.ts';
import type { Window } from './register.ts';

/** The id of the lead in the path of an exchange; empty if the path has none. */
export const leadIdOf = ({ operation, path }: Pick<Exchange, 'operation' | 'path'>): string => {
  if (!concernsOneLead(operation)) return '';
  const segment = path.replace(/\/$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const windows = new WeakMap<Exchange, Window>();

/**
 * The time in which an exchange took effect: always the same object, so that it stands for the exchange where its bodies must
 * not stay in memory.
 */
export const windowOf = (exchange: Exchange): Window => {
  const window = windows.get(exchange) ?? { from: exchange.sentAt, to: exchange.receivedAt };
  windows.set(exchange, window);
  return window;
};

/** The text fields of a lead, each with a value that nobody knows. */
const unknownTexts: JsonObject = { name: undefined, source: undefined, note: undefined };

/**
 * The fields that the body of a request about a lead sends. A deployment may read or ignore a body that is not declared as JSON, or
 * that is malformed (§4): every text field may then be sent, with a value that nobody knows (`undefined`).
 */
export const sentTexts = (call: Pick<Call, 'body' | 'contentType'>): JsonObject => {
  const { body = '', contentType } = call;
  if (body === '') return {};
  return contentType === 'application/json' && sentJson(call) !== undefined ? sentFields(call) : unknownTexts;
};

/** A deployment may refuse an empty text. */
const kindOf = (value: unknown): string => (value === '' ? 'empty' : jsonTypeOf(value));

/** Requests whose fields have the same names and kinds are of one kind: they differ in values only. */
export const requestKindOf = (exchange: Exchange): string => {
  const { operation, path, body, contentType = '' } = exchange;
  const json = sentJson(exchange);
  const sent = sentFields(exchange);
  const fields = Object.entries({ ...sent, ...(isObject(sent.variables) ? sent.variables : {}) });
  const form = body === undefined ? '' : kindOf(json);
  const kinds = fields.map(([name, value]) => `${name} ${kindOf(value)}`).sort();
  // A deployment may refuse a template, and accept others.
  const subject = [concernsOneLead(operation) ? '' : path, sent.template_id];
  return [operation, contentType, form, ...subject, ...kinds].join(' ');
};

/** Whether a request may have taken effect although its response does not say so. */
export const isUncertain = (exchange: Exchange): boolean => {
  const { outcome, status } = exchange;
  return outcome === 'broken' || isDisturbance(exchange) || (outcome === 'refusal' && status >= 500);
};

/** Whether an exchange may be part of a restart or an outage, after which nothing is known of earlier leads. */
export const isDisturbance = (exchange: Exchange): boolean =>
  exchange.outcome === 'gateway' && !isRateLimit(exchange);

/** What a deployment may take for the same mail. */
export const contentOf = (mail: Exchange): string => {
  const { subject, html, template_id: id, variables } = sentFields(mail);
  return JSON.stringify([mail.operation, subject, html, id, variables]);
};

/** A text as a deployment may compare it. */
export const normalise = (text: string): string => text.normalize('NFC').trim().toLowerCase().slice(0, 200);
