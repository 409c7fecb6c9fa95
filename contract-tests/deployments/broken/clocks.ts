import type { Fault, Operation } from '../exchange.ts';
import { breaking, derived } from './breaking.ts';
import { inData } from './faults.ts';

const broken = breaking('clocks');

const ahead = (operation: Operation, field: string, minutes: number) =>
  inData(operation, (data) => ({
    ...data,
    [field]: new Date(Date.now() + minutes * 60_000).toISOString(),
  }));

const both = (one: Fault, other: Fault): Fault => ({
  around: async (call, next, tools) => {
    const { around } = call.operation === 'addLead' ? one : other;
    return around ? around(call, next, tools) : next(call);
  },
});

/** §2.3: UTC, and not the time of the place with a Z behind it. */
export const clocks = [
  broken(
    'india-time-as-utc',
    'Writes the time of India and calls it UTC',
    'plain',
    derived('2.3'),
    both(ahead('addLead', 'created_at', 330), ahead('updateLead', 'updated_at', 330)),
  ),
  broken(
    'created-west-of-greenwich',
    'created_at is the time of Brazil, called UTC',
    'integer-ids',
    derived('2.3'),
    ahead('addLead', 'created_at', -180),
  ),
  broken(
    'created-an-hour-ahead',
    'created_at is an hour ahead, updated_at with it',
    'refusals-at-200',
    derived('2.3'),
    both(ahead('addLead', 'created_at', 60), ahead('updateLead', 'updated_at', 60)),
  ),
  broken(
    'updated-two-hours-ahead',
    'updated_at is two hours ahead',
    'behind-a-proxy',
    derived('2.3'),
    ahead('updateLead', 'updated_at', 120),
  ),
];
