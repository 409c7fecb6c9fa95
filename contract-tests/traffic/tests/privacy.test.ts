// What traffic shows of people whom the session did not create stays out of reports, and so do keys.
import { expect, test } from 'vitest';
import type { Profile } from '../../../mock/contract/profile.ts';
import { checks } from '../../checks/index.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { emptyProfile } from '../../questions/profile.ts';
import type { Report } from '../../reports/report.ts';
import { key } from '../../testing/command.ts';
import { json, observe } from '../../testing/observed.ts';
import { conclude, createLive } from '../conclusion.ts';
import { presentFailure } from '../judge.ts';
import { createTrafficSession, type TrafficSession } from '../session.ts';

const url = 'https://staging.example.com';
const person = { name: 'Wilhelmina Feldkamp', source: 'hospital list', note: 'asked for treatment' };
const phone = '+49 170 1234567';

/** An update of a lead of somebody else, whose response breaks documented facts. */
const data = { ...person, lead_id: 4711, note: `${person.note} by ${key}`, updated_at: 'yesterday' };
const update = observe('PUT', 'leads/4711', { note: person.note, phone }, { data });

const options = { url, version: '0.1.0', command: 'check', strict: false, waivers: [], require: [] } as const;

const reportOn = (session: TrafficSession, profile?: Profile): string =>
  JSON.stringify(conclude({ session, profile, ...options }));

const privateTexts = [...Object.values(person), phone, key];

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
    excerpt: 'fields: success, error, message, data {name, source, note, lead_id, updated_at}',
  });
  for (const text of privateTexts) {
    expect(report).not.toContain(text);
    expect(lines.join('\n')).not.toContain(text);
  }
});

test('a finding about a record of others has no text in quotes, no number, and nothing that was sent', () => {
  const body = JSON.stringify({ note: person.note });
  const exchange = { own: false, status: 500, body, json: {} } as Exchange;
  const actual = `500 ${person.note} is no note of 4711 ("${person.name}`;
  expect(presentFailure({ expected: '200 and success: true', actual }, exchange, String)).toMatchObject({
    expected: '200 and success: true',
    actual: '500 … is no note of … ("…"',
  });
});

test('an answer that drifted has its evidence', () => {
  const session = createTrafficSession({ checks });
  session.observe({ ...update, status: 404, responseBody: json({ success: false, error: person.note }) });
  const pinned = {
    ...({ answer: 'code', state: 'pinned', observed_at: '2026-01-01T00:00:00.000Z' } as const),
    suite_version: '0.1.0',
    evidence: 'from before',
  };
  const report = reportOn(session, { ...emptyProfile(url), answers: { 'failure.error-style': pinned } });
  expect(JSON.parse(report).answers).toMatchObject([
    { status: 'drift', evidence: 'traffic, 1×: PUT /api/v1/leads/{id}: 404' },
  ]);
  for (const text of privateTexts) expect(report).not.toContain(text);
});
