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

const places = [
  { word: 'add', where: 'created_at of a new lead', breaks: 'leads.add.created-at' },
  { word: 'update', where: 'updated_at of a lead', breaks: 'leads.update.updated-at' },
  { word: 'template', where: 'created_at of a template', breaks: 'templates.list.created-at' },
] as const;

const mutationAt = (word: (typeof places)[number]['word'], write: (now: Date) => unknown) => {
  if (word === 'add')
    return inData('addLead', (data, { at }) => ({ ...data, created_at: write(new Date(at)) }));
  if (word === 'update')
    return inData('updateLead', (data, { at }) => ({ ...data, updated_at: write(new Date(at)) }));
  return inTemplates((template) => ({
    ...(template as Fields),
    created_at: write(new Date('2024-03-09T08:15:30Z')),
  }));
};

/** Each of them in one of the places by turns. */
const invalidTimes = rows.map(([title, write], row) => {
  const { word, where, breaks } = places[row % places.length] ?? places[0];
  return server(`The ${where} is ${title}`, breaks, baseAt(row)).with(mutationAt(word, write));
});

/** A clock that is wrong by some minutes, where leads are added or updated. */
const shiftTime = (minutes: number, ...operations: readonly Operation[]): Mutation => ({
  handle: (call, next) => {
    const reply = next(call);
    if (reply.refused || !operations.some((operation) => operation === call.operation)) return reply;
    const field = call.operation === 'addLead' ? 'created_at' : 'updated_at';
    return withData(reply, { [field]: iso(new Date(call.at + minutes * 60_000)) });
  },
});

const timestamps = [
  ...invalidTimes,
  server('A lead is updated two hours before it was created', [
    'leads.update.time-order',
    'leads.update.utc-now',
  ]).with(shiftTime(-120, 'updateLead')),
  server('A lead is updated a day before it was created', 'leads.update.time-order', 'no-date-header').with(
    shiftTime(-24 * 60, 'updateLead'),
  ),
];

/** Shows in a field what its first response showed. */
const keepFirst = (operation: Operation, field: string, subjectOf: (call: Call) => string): Mutation =>
  onSuccess(operation, (reply, call, { memory }) => {
    const subject = `first of ${subjectOf(call)}`;
    const first = memory.get(subject) ?? (reply.body.data as Fields)[field];
    memory.set(subject, first);
    return withData(reply, { [field]: first });
  });

/** §2.3: UTC, and not the time of the place with a Z behind it. */
const clocks = [
  server('Writes the time of India and calls it UTC', ['leads.add.utc-now', 'leads.update.utc-now']).with(
    shiftTime(330, 'addLead', 'updateLead'),
  ),
  server('updated_at stays that of the first update', 'leads.update.updated-at-advances').with(
    keepFirst('updateLead', 'updated_at', ({ id }) => id),
  ),
  server('created_at is that of the first lead', 'leads.add.created-at-advances').with(
    keepFirst('addLead', 'created_at', () => 'all'),
  ),
];

export const times = [...timestamps, ...clocks];
