import { inData, onSuccess, withData } from '../server/mutation.ts';
import type { Call, Fields, Mutation, Operation } from '../server/types.ts';
import { baseAt, inTemplates, server } from './mutation.ts';

const iso = (date: Date) => date.toISOString();
const addTwoHours = (date: Date) => new Date(date.getTime() + 7_200_000);

type Row = readonly [title: string, write: (now: Date) => unknown];

/** What is no ISO 8601 timestamp in UTC, whichever way one reads §2.2 and §2.3. */
const rows: readonly Row[] = [
  ['a number of seconds', (now) => Math.floor(now.getTime() / 1000)],
  ['milliseconds in a text', (now) => String(now.getTime())],
  ['local time with its offset', (now) => iso(addTwoHours(now)).replace('Z', '+02:00')],
  ['a blank between date and time', (now) => iso(now).replace('T', ' ')],
  ['a day no February has', () => '2026-02-30T10:00:00Z'],
  ['a thirteenth month', (now) => iso(now).replace(/-\d\d-/, '-13-')],
  ['a minute 61', (now) => iso(now).replace(/:\d\d:/, ':61:')],
];

type Write = Row[1];

const inLead = (operation: Operation, field: string) => (write: Write) =>
  inData(operation, (data, { at }) => ({ ...data, [field]: write(new Date(at)) }));

const inTemplate = (write: Write) =>
  inTemplates((template) => ({ ...template, created_at: write(new Date('2024-03-09T08:15:30Z')) }));

const places = [
  ['created_at of a new lead', 'leads.add.created-at', inLead('addLead', 'created_at')],
  ['updated_at of a lead', 'leads.update.updated-at', inLead('updateLead', 'updated_at')],
  ['created_at of a template', 'templates.list.created-at', inTemplate],
] as const;

/** Each of them in one of the places by turns. */
const invalidTimes = rows.map(([title, write], row) => {
  const [where, breaks, mutationFor] = places[row % places.length] ?? places[0];
  return server(`The ${where} is ${title}`, breaks, baseAt(row)).with(mutationFor(write));
});

/** A clock that is wrong by some minutes, where leads are added or updated. */
const shiftTime = (minutes: number, ...operations: readonly Operation[]): Mutation =>
  onSuccess(operations, (reply, { call: { operation, at } }) => {
    const field = operation === 'addLead' ? 'created_at' : 'updated_at';
    return withData(reply, { [field]: iso(new Date(at + minutes * 60_000)) });
  });

/** Shows in a field what its first response showed. */
const keepFirst = (operation: Operation, field: string, subjectOf: (call: Call) => string): Mutation =>
  onSuccess(operation, (reply, { call, memory }) => {
    const subject = `first of ${subjectOf(call)}`;
    const first = memory.get(subject) ?? (reply.body.data as Fields)[field];
    memory.set(subject, first);
    return withData(reply, { [field]: first });
  });

export const times = [
  ...invalidTimes,
  server('A lead is updated two hours before it was created', [
    'leads.update.time-order',
    'leads.update.utc-now',
  ]).with(shiftTime(-120, 'updateLead')),
  server('A lead is updated a day before it was created', 'leads.update.time-order', 'no-date-header').with(
    shiftTime(-24 * 60, 'updateLead'),
  ),
  // §2.3: UTC, and not the time of the place with a Z behind it.
  server('Writes the time of India and calls it UTC', ['leads.add.utc-now', 'leads.update.utc-now']).with(
    shiftTime(330, 'addLead', 'updateLead'),
  ),
  server('updated_at stays that of the first update', 'leads.update.updated-at-advances').with(
    keepFirst('updateLead', 'updated_at', ({ id }) => id),
  ),
  server('Every other update has a clock five minutes fast', 'leads.update.time-order').with(
    onSuccess('updateLead', (reply, { call: { at, nth } }) =>
      withData(reply, { updated_at: iso(new Date(at + (nth % 2) * 300_000)) }),
    ),
  ),
  server('created_at is that of the first lead', 'leads.add.created-at-advances').with(
    keepFirst('addLead', 'created_at', () => 'all'),
  ),
];
