// A fault rule as the fields of a form and as a sentence.

import { parseJson } from '../../contract/document.ts';
import type { ConnectionFault, FaultRule } from '../../faults/rule.ts';
import { operationIds } from '../../generated/operations.ts';
import { optionsOf } from '../components/controls.tsx';
import type { Field, Values } from '../components/form.tsx';

const connectionFaults: Readonly<Record<ConnectionFault, true>> = {
  CONNECTION_RESET_BY_PEER: true,
  EMPTY_RESPONSE: true,
  MALFORMED_RESPONSE_CHUNK: true,
  RANDOM_DATA_THEN_CLOSE: true,
};

// The methods of the operations; GET implies HEAD.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** The fields of a rule: how often, what happens, and to which requests. */
export const faultFields: readonly Field[] = [
  { name: 'times', label: 'Number of calls', kind: 'number', placeholder: 'all' },
  { name: 'operation', label: 'Operation', choices: optionsOf('any operation', operationIds) },
  { name: 'status', label: 'Return the status', kind: 'number', placeholder: 'none' },
  { name: 'fault', label: 'Break the connection', choices: optionsOf('no', Object.keys(connectionFaults)) },
  { name: 'delay_ms', label: 'Delay from, in ms', kind: 'number', placeholder: '0' },
  { name: 'delay_max', label: 'Delay to, in ms', kind: 'number', placeholder: 'same' },
  { name: 'method', label: 'Only the method', choices: optionsOf('any', methods) },
  { name: 'path', label: 'Only the path', placeholder: '/api/v1/leads/{id}' },
  { name: 'to', label: 'Only mail to', placeholder: '*@example.com' },
  { name: 'when', label: 'Only with the fields', kind: 'json', placeholder: '{"name":"Slow Joe"}' },
  { name: 'nth', label: 'Only the nth call, n =', kind: 'number', placeholder: 'any' },
  { name: 'retry_after', label: 'Retry-After', kind: 'json', placeholder: 'none; seconds or a date' },
  {
    name: 'body',
    label: 'Body',
    kind: 'json',
    placeholder: 'an error response of the service; or JSON, or text',
    lines: 2,
  },
  { name: 'take_effect', label: 'Execute, then lose the response', kind: 'checkbox' },
];

/** What the fields contain for a rule. */
export const fieldsFromRule = ({ delay_ms, method, ...rest }: FaultRule): Values => {
  const [delay, delay_max] = typeof delay_ms === 'object' ? [delay_ms.min, delay_ms.max] : [delay_ms];
  const values: Readonly<Record<string, unknown>> = {
    ...rest,
    method: method?.toUpperCase(),
    delay_ms: delay,
    delay_max,
  };
  const texts = faultFields.map(({ name, kind }) => {
    const value = values[name];
    if (kind === 'checkbox') return [name, value ? 'on' : ''];
    return [name, kind === 'json' ? jsonText(value) : String(value ?? '')];
  });
  return Object.fromEntries(texts);
};

const readers = {
  number: Number,
  checkbox: () => true,
  // The server says what is wrong with a text that is not JSON where JSON is needed.
  json: (text: string): unknown => parseJson(text) ?? text,
};

/** The rule that the fields describe. Fields of another effect are absent. */
export const ruleFromFields = (fields: Values): FaultRule => {
  const values = faultFields.flatMap(({ name, kind }) => {
    const text = fields[name]?.trim();
    if (!text) return [];
    return [[name, kind === undefined ? text : readers[kind](text)]];
  });
  const { delay_max, ...rule } = Object.fromEntries(values);
  return delay_max === undefined ? rule : { ...rule, delay_ms: { min: rule.delay_ms ?? 0, max: delay_max } };
};

/** A value in its field: JSON, or plain text if it cannot be confused with JSON. */
export const jsonText = (value: unknown): string => {
  if (value === undefined) return '';
  return typeof value === 'string' && parseJson(value) === undefined ? value : JSON.stringify(value);
};

/** Describes a rule: the requests it selects, and the failure. */
export const describeRule = (rule: FaultRule): readonly [string, string] => {
  const which = [
    rule.nth === undefined ? 'Calls' : `Only call ${rule.nth}`,
    rule.operation ? `to ${rule.operation}` : '',
    rule.method ? `with ${rule.method}` : '',
    rule.path ? `at ${rule.path}` : '',
    rule.to ? `for mail to ${rule.to}` : '',
    rule.when ? `with ${JSON.stringify(rule.when)}` : '',
  ];
  const isSingle = rule.nth !== undefined;
  const outcome = [
    delayText(rule.delay_ms, isSingle),
    rule.status === undefined ? '' : `${isSingle ? 'returns' : 'return'} ${rule.status}`,
    rule.fault === undefined ? '' : `${isSingle ? 'breaks' : 'break'} with ${rule.fault}`,
    rule.retry_after === undefined ? '' : `Retry-After ${rule.retry_after}`,
    rule.body === undefined ? '' : `body ${shorten(jsonText(rule.body))}`,
    rule.take_effect ? 'after the operation is executed' : '',
  ];
  return [which.filter(Boolean).join(' '), outcome.filter(Boolean).join(', ')];
};

const delayText = (delay: FaultRule['delay_ms'], isSingle: boolean): string => {
  if (delay === undefined) return '';
  const time = typeof delay === 'object' ? `${delay.min}–${delay.max}` : delay;
  return `${isSingle ? 'waits' : 'wait'} ${time} ms`;
};

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);
