import { changeClock } from '../../validation/arguments.ts';
import { type ClockChange, realTime } from '../../workspace/clock.ts';
import { asBadRequest, hintOf } from '../input.ts';
import { success, tagged } from '../route.ts';
import { flag, object, time } from '../schemas.ts';

const tag = { name: 'Clock', description: 'The time of the workspace.' };
const reading = object({ now: time, frozen: flag });
const change = {
  type: 'object',
  minProperties: 1,
  additionalProperties: false,
  properties: {
    now: {
      type: 'string',
      description: 'ISO 8601 with a time zone. Freezes the clock unless `frozen` is false.',
    },
    advance_ms: { type: 'integer', description: 'Milliseconds to advance the clock.' },
    frozen: { type: 'boolean', description: 'Whether the clock is frozen.' },
  },
  examples: [{ now: '2026-01-15T09:30:00Z' }, { advance_ms: 60_000 }, { frozen: false }],
} as const;

/** The time of the workspace: of leads, templates, messages and the journal. */
export const clockRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/clock',
    doc: {
      id: 'getClock',
      summary: 'Get the clock',
      description:
        'The time used for leads, templates, messages and requests of this workspace. HTTP headers always use real time.',
      replies: success('The clock.', reading),
    },
    run: ({ workspace }) => ({ body: workspace.clock.reading() }),
  },
  {
    method: 'PUT',
    path: '/clock',
    doc: {
      id: 'putClock',
      summary: 'Set, advance, freeze or run the clock',
      description:
        '`now` sets the clock and freezes it, `advance_ms` advances it, `frozen` freezes it or lets it run. Delays of fault rules always use real time.',
      body: change,
      replies: success('The clock after the change.', reading),
    },
    run: ({ workspace, body }) => {
      // The body has already been validated by the schema above.
      asBadRequest(`The clock was not changed. ${hintOf(change)}`, () =>
        changeClock(workspace.clock, body as ClockChange),
      );
      return { body: workspace.clock.reading() };
    },
  },
  {
    method: 'DELETE',
    path: '/clock',
    doc: {
      id: 'deleteClock',
      summary: 'Reset the clock to real time',
      description: 'The clock of the workspace follows the machine again. Existing timestamps do not change.',
      replies: success('The clock.', reading),
    },
    run: ({ workspace }) => {
      workspace.clock.restore(realTime);
      return { body: workspace.clock.reading() };
    },
  },
]);
