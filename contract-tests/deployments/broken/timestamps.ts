import type { Fields } from '../exchange.ts';
import { baseAt, breaking, derived, documented } from './breaking.ts';
import { inData, inLastTemplate, inTemplates } from './faults.ts';

const broken = breaking('timestamps');

const iso = (date: Date) => date.toISOString();
const twoHoursOn = (date: Date) => new Date(date.getTime() + 7_200_000);

type Row = readonly [what: string, title: string, write: (now: Date) => unknown];

/** What is no ISO 8601 timestamp in UTC, whichever way one reads §2.2 and §2.3. */
const rows: readonly Row[] = [
  ['epoch-seconds', 'a number of seconds', (now) => Math.floor(now.getTime() / 1000)],
  ['epoch-text', 'milliseconds in a text', (now) => String(now.getTime())],
  ['offset', 'local time with its offset', (now) => iso(twoHoursOn(now)).replace('Z', '+02:00')],
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

const faultAt = (place: (typeof places)[number][0], write: (now: Date) => unknown) => {
  if (place === 'add') return inData('addLead', (data) => ({ ...data, created_at: write(new Date()) }));
  if (place === 'update') return inData('updateLead', (data) => ({ ...data, updated_at: write(new Date()) }));
  return inTemplates((one) => ({ ...(one as Fields), created_at: write(new Date('2024-03-09T08:15:30Z')) }));
};

const everywhere = rows.flatMap(([what, title, write], row) =>
  places.map(([place, where, section], column) =>
    broken(
      `${place}-time-${what}`,
      `The ${where} is ${title}`,
      baseAt(row + column * 3),
      documented(section),
      faultAt(place, write),
    ),
  ),
);

const hoursBefore = (hours: number) =>
  inData('updateLead', (data) => ({ ...data, updated_at: iso(new Date(Date.now() - hours * 3_600_000)) }));

export const timestamps = [
  ...everywhere,
  broken(
    'last-template-time-offset',
    'The last of 300 templates has a local time',
    'hundreds-of-templates',
    documented('2.2'),
    inLastTemplate((one) => ({ ...one, created_at: '2024-03-09T10:15:30+02:00' })),
  ),
  broken(
    'updated-before-created',
    'A lead is updated two hours before it was created',
    'plain',
    derived('4.6'),
    hoursBefore(2),
  ),
  broken(
    'updated-the-day-before',
    'A lead is updated a day before it was created',
    'no-date-header',
    derived('4.6'),
    hoursBefore(24),
  ),
];
