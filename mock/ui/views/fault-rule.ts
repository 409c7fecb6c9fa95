// A fault rule as the fields of a form and as a sentence.
import type { ConnectionFault, FaultRule } from '../../faults/rule.ts';
import { operationIds } from '../../generated/operations.ts';
import type { Field, Values } from '../components/form.tsx';
import { parseJson } from '../data/text.ts';

const connectionFaults: Readonly<Record<ConnectionFault, true>> = {
  CONNECTION_RESET_BY_PEER: true,
  EMPTY_RESPONSE: true,
  MALFORMED_RESPONSE_CHUNK: true,
  RANDOM_DATA_THEN_CLOSE: true,
};

// The methods of the operations; GET implies HEAD.
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];

/** The choices with these names, after one for none. */
const choicesOf = (none: string, names: readonly string[]): Required<Field>['choices'] => [
  ['', none],
  ...names.map((name) => [name, name] as const),
];

/** The operations of the document, and the one of the rule, which only some answers may have. */
const operationsFor = ({ operation }: FaultRule): readonly string[] => [
  ...new Set([...operationIds, ...(operation === undefined ? [] : [operation])]),
];

/** The fields of a rule: how often, what happens, and to which requests. */
export const faultFields = (rule: FaultRule): readonly Field[] => {
  const { times, operation, status, fault, take_effect, retry_after, method, path, to, nth } = rule;
  const [least, most] = delayRange(rule);
  const text = (name: string, label: string, value: Field['value'], placeholder: string): Field => ({
    name,
    label,
    value,
    placeholder,
  });
  return [
    { ...text('times', 'Number of calls', times, 'all'), isNumber: true },
    {
      name: 'operation',
      label: 'Operation',
      value: operation ?? '',
      choices: choicesOf('any operation', operationsFor(rule)),
    },
    { ...text('status', 'Return the status', status, 'none'), isNumber: true },
    {
      name: 'fault',
      label: 'Break the connection',
      value: fault ?? '',
      choices: choicesOf('no', Object.keys(connectionFaults)),
    },
    { ...text('delay_ms', 'Delay from, in ms', least, '0'), isNumber: true },
    { ...text('delay_max', 'Delay to, in ms', most, 'same'), isNumber: true },
    {
      name: 'method',
      label: 'Only the method',
      value: method?.toUpperCase() ?? '',
      choices: choicesOf('any', methods),
    },
    text('path', 'Only the path', path, '/api/v1/leads/{id}'),
    text('to', 'Only mail to', to, '*@example.com'),
    text('when', 'Only with the fields', jsonText(rule.when), '{"name":"Slow Joe"}'),
    { ...text('nth', 'Only the nth call, n =', nth, 'any'), isNumber: true },
    text('retry_after', 'Retry-After', retry_after, 'none; seconds or a date'),
    {
      ...text('body', 'Body', bodyText(rule.body), 'an error response of the service; or JSON, or text'),
      lines: 2,
    },
    { name: 'take_effect', label: 'Execute, then lose the response', isChecked: take_effect === true },
  ];
};

/** The rule that the fields describe. Fields of another effect are absent. */
export const ruleFromFields = (fields: Values): FaultRule => {
  const text = (name: string): string | undefined => fields[name]?.trim() || undefined;
  const number = (name: string): number | undefined =>
    text(name) === undefined ? undefined : Number(text(name));
  const rule = {
    operation: text('operation'),
    method: text('method'),
    path: text('path'),
    to: text('to'),
    when: jsonOrText(text('when')),
    nth: number('nth'),
    status: number('status'),
    fault: text('fault'),
    delay_ms: delayFrom(number('delay_ms'), number('delay_max')),
    body: jsonOrText(text('body')),
    retry_after: retryAfterFrom(text('retry_after')),
    take_effect: 'take_effect' in fields || undefined,
    times: number('times'),
  };
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
};

const delayFrom = (least: number | undefined, most: number | undefined): FaultRule['delay_ms'] | undefined =>
  most === undefined ? least : { min: least ?? 0, max: most };

/** The shortest and the longest delay. */
const delayRange = ({ delay_ms }: FaultRule): readonly [number | undefined, number | undefined] =>
  typeof delay_ms === 'object' ? [delay_ms.min, delay_ms.max] : [delay_ms, undefined];

const jsonText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

/** The text of a body in its field: JSON, or plain text if it cannot be confused with JSON. */
export const bodyText = (body: unknown): string =>
  typeof body === 'string' && parseJson(body) === undefined ? body : jsonText(body);

// The server says what is wrong with a text that is not JSON where JSON is needed.
const jsonOrText = (text: string | undefined): unknown => parseJson(text) ?? text;

const isSeconds = (text: string): boolean => /^\d{1,9}$/.test(text);

const retryAfterFrom = (text: string | undefined): number | string | undefined =>
  text !== undefined && isSeconds(text) ? Number(text) : text;

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
    rule.body === undefined ? '' : `body ${shorten(bodyText(rule.body))}`,
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
