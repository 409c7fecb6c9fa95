// A fault rule as the fields of a form.

import { parseJson } from '../../contract/document.ts';
import type { ConnectionFault, FaultRule } from '../../faults/rule.ts';
import { operationIds } from '../../generated/operations.ts';
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
  { name: 'operation', label: 'Operation', choices: operationIds, placeholder: 'any operation' },
  { name: 'status', label: 'Return the status', kind: 'number', placeholder: 'none' },
  { name: 'fault', label: 'Break the connection', choices: Object.keys(connectionFaults), placeholder: 'no' },
  { name: 'delay_ms', label: 'Delay from, in ms', kind: 'number', placeholder: '0' },
  { name: 'delay_max', label: 'Delay to, in ms', kind: 'number', placeholder: 'same' },
  { name: 'method', label: 'Only the method', choices: methods, placeholder: 'any' },
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
