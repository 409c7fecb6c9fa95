// What traffic shows of people whom the session did not create stays out of reports and profiles, and so do keys.
import { expect, test } from 'vitest';
import { checks } from '../../checks/index.ts';
import { emptyProfile, merge, serialise } from '../../questions/profile.ts';
import type { Report } from '../../reports/report.ts';
import { conclude } from '../conclusion.ts';
import type { ObservedExchange } from '../exchanges/observed.ts';
import { createLive } from '../live.ts';
import { createTrafficSession, type TrafficSession } from '../session.ts';

const key = 'sk_live_4f9c1e7ab2d8463095be';
const url = 'https://staging.example.com';
const person = { name: 'Wilhelmina Feldkamp', source: 'hospital list', note: 'asked for treatment' };

const json = (value: unknown) => ({ bytes: Buffer.from(JSON.stringify(value)) });

/** An update of a lead of somebody else, whose response breaks documented facts. */
const update: ObservedExchange = {
  method: 'PUT',
  target: '/api/v1/leads/4711',
  requestHeaders: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  requestBody: json({ note: person.note, phone: '+49 170 1234567' }),
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: json({
    success: true,
    error: '',
    data: { ...person, lead_id: 4711, note: `${person.note} by ${key}`, updated_at: 'yesterday' },
    message: 'ok',
  }),
  startedAt: Date.parse('2026-03-02T10:15:30Z'),
  endedAt: Date.parse('2026-03-02T10:15:30.010Z'),
  overlaps: false,
};

const reportOn = (session: TrafficSession): string =>
  JSON.stringify(
    conclude({
      session,
      url,
      version: '0.1.0',
      command: 'check',
      strict: false,
      waivers: [],
      require: [],
      profile: undefined,
    }),
  );

const privateTexts = [...Object.values(person), '+49 170 1234567', key];

test('a report has the finding and the names of the fields, and nothing of the person', () => {
  const session = createTrafficSession({ checks });
  const { lines } = createLive(session)(update);
  const report = reportOn(session);
  expect(JSON.parse(report)).toMatchObject({ verdict: { exit_code: 1 } });
  expect(report).toContain('leads.update.echoes-note');
  const { checks: results } = JSON.parse(report) as Report;
  expect(results.find(({ finding }) => finding)?.finding?.reply).toEqual({
    status: 200,
    size: 206,
    excerpt: 'fields: success, error, data {name, source, note, lead_id, updated_at}, message',
  });
  for (const text of privateTexts) {
    expect(report).not.toContain(text);
    expect(lines.join('\n')).not.toContain(text);
  }
});

test('a profile has the answer and its count', () => {
  const session = createTrafficSession({ checks });
  session.observe(update);
  session.observe({ ...update, status: 404, responseBody: json({ success: false, error: person.note }) });
  const { learning } = session;
  const { profile } = merge(emptyProfile(url), learning.results(learning.answered()), {
    at: '2026-03-02T11:00:00.000Z',
    version: '0.1.0',
  });
  const text = serialise(profile);
  expect(text).toContain('"failure.error-style"');
  for (const secret of [...privateTexts, '4711']) expect(text).not.toContain(secret);
});
