import type { ConnectionFault, FaultRule } from '../../faults/rule.ts';
import { operationIds } from '../../generated/operations.ts';
import type { Field } from '../components/form.tsx';
import { bodyText, delayRange, jsonText } from '../data/fault-rule.ts';

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

const counts = [1, 1_000_000] as const;
const delaysMs = [0, 60_000] as const;

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
    { ...text('times', 'Number of calls', times, 'all'), range: counts },
    {
      name: 'operation',
      label: 'Operation',
      value: operation ?? '',
      choices: choicesOf('any operation', operationsFor(rule)),
    },
    { ...text('status', 'Return the status', status, 'none'), range: [200, 599] },
    {
      name: 'fault',
      label: 'Break the connection',
      value: fault ?? '',
      choices: choicesOf('no', Object.keys(connectionFaults)),
    },
    { ...text('delay_ms', 'Delay from, in ms', least, '0'), range: delaysMs },
    { ...text('delay_max', 'Delay to, in ms', most, 'same'), range: delaysMs },
    {
      name: 'method',
      label: 'Only the method',
      value: method?.toUpperCase() ?? '',
      choices: choicesOf('any', methods),
    },
    text('path', 'Only the path', path, '/api/v1/leads/{id}'),
    text('to', 'Only mail to', to, '*@example.com'),
    text('when', 'Only with the fields', jsonText(rule.when), '{"name":"Slow Joe"}'),
    { ...text('nth', 'Only the nth call, n =', nth, 'any'), range: counts },
    text('retry_after', 'Retry-After', retry_after, 'none; seconds or a date'),
    {
      ...text('body', 'Body', bodyText(rule.body), 'an error response of the service; or JSON, or text'),
      lines: 2,
    },
    { name: 'take_effect', label: 'Execute, then lose the response', isChecked: take_effect === true },
  ];
};
