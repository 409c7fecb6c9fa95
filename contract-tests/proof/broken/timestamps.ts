import { inData, onSuccess } from '../server/mutation.ts';
import type { Fields, Mutation, Operation } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { baseAt, brokenGroup, inTemplates } from './mutation.ts';

const broken = brokenGroup('timestamps', derived('4.6'));

const iso = (date: Date) => date.toISOString();
const addTwoHours = (date: Date) => new Date(date.getTime() + 7_200_000);

type Row = readonly [what: string, title: string, write: (now: Date) => unknown];

/** What is no ISO 8601 timestamp in UTC, whichever way one reads §2.2 and §2.3. */
const rows: readonly Row[] = [
  ['epoch-seconds', 'a number of seconds', (now) => Math.floor(now.getTime() / 1000)],
  ['epoch-text', 'milliseconds in a text', (now) => String(now.getTime())],
  ['offset', 'local time with its offset', (now) => iso(addTwoHours(now)).replace('Z', '+02:00')],
  ['blank', 'a blank between date and time', (now) => iso(now).replace('T', ' ')],
  ['impossible-day', 'a day no February has', () => '2026-02-30T10:00:00Z'],
  ['impossible-month', 'a thirteenth month', (now) => iso(now).replace(/-\d\d-/, '-13-')],
  ['impossible-minute', 'a minute 61', (now) => iso(now).replace(/:\d\d:/, ':61:')],
  ['http-date', 'the date format of HTTP', (now) => now.toUTCString()],
  ['empty', 'an empty text', () => ''],
  ['null', 'null', () => null],
];

const places = [
  ['add', 'created_at of a new lead', '4.5'],
  ['update', 'updated_at of a lead', '4.6'],
  ['template', 'created_at of a template', '2.2'],
] as const;

const mutationAt = (place: (typeof places)[number][0], write: (now: Date) => unknown) => {
  if (place === 'add') return inData('addLead', (data) => ({ ...data, created_at: write(new Date()) }));
  if (place === 'update') return inData('updateLead', (data) => ({ ...data, updated_at: write(new Date()) }));
  return inTemplates((template) => ({
    ...(template as Fields),
    created_at: write(new Date('2024-03-09T08:15:30Z')),
  }));
};

/** Each of them in one of the places by turns. */
const invalidTimes = rows.map(([name, title, write], row) => {
  const [place, where, section] = places[row % places.length] ?? places[0];
  return broken(`${place}-time-${name}`, `The ${where} is ${title}`, baseAt(row), documented(section)).with(
    mutationAt(place, write),
  );
});

const hoursBefore = (hours: number) =>
  inData('updateLead', (data) => ({ ...data, updated_at: iso(new Date(Date.now() - hours * 3_600_000)) }));

export const timestamps = [
  ...invalidTimes,
  broken('updated-before-created', 'A lead is updated two hours before it was created').with(hoursBefore(2)),
  broken('updated-the-day-before', 'A lead is updated a day before it was created', 'no-date-header').with(
    hoursBefore(24),
  ),
];

const clock = brokenGroup('clocks', derived('2.3'));

const shiftTime = (operation: Operation, field: string, minutes: number) =>
  inData(operation, (data) => ({
    ...data,
    [field]: new Date(Date.now() + minutes * 60_000).toISOString(),
  }));

const onAddAndUpdate = (onAdd: Mutation, onUpdate: Mutation): Mutation => ({
  handle: async (call, next, context) => {
    const { handle: around } = call.operation === 'addLead' ? onAdd : onUpdate;
    return around ? around(call, next, context) : next(call);
  },
});

/** Changes what an update shows by what was remembered. */
const inDataOf = (change: (data: Fields, memory: Map<string, unknown>) => Fields): Mutation =>
  onSuccess('updateLead', (reply, _, { memory }) => ({
    ...reply,
    body: { ...reply.body, data: change(reply.body.data as Fields, memory) },
  }));

/** §2.3: UTC, and not the time of the place with a Z behind it. */
export const clocks = [
  clock('india-time-as-utc', 'Writes the time of India and calls it UTC').with(
    onAddAndUpdate(shiftTime('addLead', 'created_at', 330), shiftTime('updateLead', 'updated_at', 330)),
  ),
  clock('created-west-of-greenwich', 'created_at is the time of Brazil, called UTC', 'integer-ids').with(
    shiftTime('addLead', 'created_at', -180),
  ),
  clock('updated-once', 'updated_at stays that of the first update').with(
    inDataOf((data, memory) => {
      const first = memory.get(String(data.lead_id)) ?? data.updated_at;
      memory.set(String(data.lead_id), first);
      return { ...data, updated_at: first };
    }),
  ),
  clock('created-at-start', 'created_at is that of the first lead').with(
    onSuccess('addLead', (reply, _, { memory }) => {
      const data = reply.body.data as Fields;
      const first = memory.get('first') ?? data.created_at;
      memory.set('first', first);
      return { ...reply, body: { ...reply.body, data: { ...data, created_at: first } } };
    }),
  ),
  clock('updated-as-created', 'updated_at is created_at', 'integer-ids').with({
    handle: async (call, next, { store }) => {
      const lead = store.find(call.id);
      const reply = await next(call);
      if (call.operation !== 'updateLead' || reply.refused || !lead) return reply;
      const data = { ...(reply.body.data as Fields), updated_at: lead.created.toISOString() };
      return { ...reply, body: { ...reply.body, data } };
    },
  }),
  clock('updated-two-hours-ahead', 'updated_at is two hours ahead', 'behind-a-proxy').with(
    shiftTime('updateLead', 'updated_at', 120),
  ),
];
