import { realTime } from '../clock.ts';
import { checkClockChange } from '../clock-rules.ts';
import { success } from './documentation.ts';
import { type AdminRoute, objectBody } from './route.ts';
import { flag, object, time } from './schemas.ts';
import { sound } from './sound.ts';

const tag = 'Clock';
const reading = object({ now: time, frozen: flag });

/** The time of the workspace: of leads, templates, messages and the journal. */
export const clockRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/clock',
    doc: {
      id: 'getClock',
      summary: 'What time it is',
      description:
        'The time that leads, templates, messages and requests of this workspace get, not that of any header.',
      tag,
      replies: success('The time.', reading),
    },
    run: ({ workspace }) => ({ body: workspace.clock.reading() }),
  },
  {
    method: 'PUT',
    path: '/clock',
    doc: {
      id: 'putClock',
      summary: 'Sets the clock, moves it on, lets it stand or run',
      description:
        '`now` sets it and lets it stand, `advance_ms` moves it on, `frozen` stops it or lets it run. Nothing else waits for it: a delay of a fault takes real time.',
      tag,
      body: {
        type: 'object',
        minProperties: 1,
        additionalProperties: false,
        properties: {
          now: {
            type: 'string',
            description: 'ISO 8601 with a zone; the clock then stands, unless `frozen` is false.',
          },
          advance_ms: { type: 'integer', description: 'How far to move it on.' },
          frozen: { type: 'boolean', description: 'Whether it stands still.' },
        },
      },
      replies: success('The time it is then.', reading),
    },
    run: ({ workspace, body }) => {
      const change = sound('The clock is as it was.', () => checkClockChange(objectBody(body)));
      sound('The clock is as it was.', () => change(workspace.clock));
      return { body: workspace.clock.reading() };
    },
  },
  {
    method: 'DELETE',
    path: '/clock',
    doc: {
      id: 'deleteClock',
      summary: 'Real time again',
      description:
        'The clock of the workspace runs with that of the machine again. What already has a time keeps it.',
      tag,
      replies: success('The time.', reading),
    },
    run: ({ workspace }) => {
      workspace.clock.restore(realTime);
      return { body: workspace.clock.reading() };
    },
  },
];
