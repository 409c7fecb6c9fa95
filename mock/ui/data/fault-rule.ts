import type { FaultRule } from '../../faults/rule.ts';
import { parseJson } from './json.ts';

/** The fields in the form of a fault rule, as text. */
export type FaultFields = Readonly<Record<string, string>>;

/** The problems of fields that the browser cannot validate itself; an empty text for a valid field. */
export const fieldProblems = ({
  when = '',
  retry_after = '',
  delay_ms,
  delay_max,
  status,
  fault,
}: FaultFields): FaultFields => ({
  fault: status && fault ? 'Delete the status: a broken connection has none' : '',
  when:
    when.trim() === '' || isObject(parseJson(when))
      ? ''
      : 'Write a JSON object, for example {"name":"Slow Joe"}',
  retry_after: isRetryAfter(retry_after.trim()) ? '' : 'Write seconds, for example 5, or an HTTP date',
  delay_max:
    delay_max && Number(delay_max) < Number(delay_ms) ? `Write at least ${delay_ms}, the shortest delay` : '',
});

const isObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isRetryAfter = (text: string): boolean =>
  text === '' || isSeconds(text) || !Number.isNaN(Date.parse(text));

/** The rule that the fields describe. Fields of another effect are absent. */
export const ruleFromFields = (fields: FaultFields): FaultRule => {
  const text = (name: string): string | undefined => fields[name]?.trim() || undefined;
  const number = (name: string): number | undefined =>
    text(name) === undefined ? undefined : Number(text(name));
  const rule = {
    operation: text('operation'),
    method: text('method'),
    path: text('path'),
    to: text('to'),
    when: parseJson(text('when')),
    nth: number('nth'),
    status: number('status'),
    fault: text('fault'),
    delay_ms: delayFrom(number('delay_ms'), number('delay_max')),
    body: bodyFrom(text('body')),
    retry_after: retryAfterFrom(text('retry_after')),
    take_effect: 'take_effect' in fields || undefined,
    times: number('times'),
  };
  return Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
};

const delayFrom = (least: number | undefined, most: number | undefined): FaultRule['delay_ms'] | undefined =>
  most === undefined ? least : { min: least ?? 0, max: most };

/** The shortest and the longest delay. */
export const delayRange = ({ delay_ms }: FaultRule): readonly [number | undefined, number | undefined] =>
  typeof delay_ms === 'object' ? [delay_ms.min, delay_ms.max] : [delay_ms, undefined];

export const jsonText = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value));

/** The text of a body in its field: JSON, or plain text if it cannot be confused with JSON. */
export const bodyText = (body: unknown): string =>
  typeof body === 'string' && parseJson(body) === undefined ? body : jsonText(body);

const bodyFrom = (text: string | undefined): unknown => parseJson(text) ?? text;

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
