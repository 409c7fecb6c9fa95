// What traffic tells of open questions: answers with their count, contradictions, and what it means for a profile.

import { describe, expect, test } from 'vitest';
import type { Profile, ProfileEntry } from '../../../mock/contract/profile.ts';
import { checks } from '../../checks/index.ts';
import { emptyProfile, merge } from '../../questions/profile.ts';
import type { ObservedExchange } from '../exchanges/observed.ts';
import { createLive } from '../live.ts';
import { createTrafficSession, type TrafficSession } from '../session.ts';

const json = (value: unknown) => ({ bytes: Buffer.from(JSON.stringify(value)) });

const lead = { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' };

const added: ObservedExchange = {
  method: 'POST',
  target: '/api/v1/leads',
  requestHeaders: { authorization: 'Bearer sk_live_4f9c1e7ab2d8', 'content-type': 'application/json' },
  requestBody: json(lead),
  status: 200,
  responseHeaders: { 'content-type': 'application/json' },
  responseBody: json({
    success: true,
    data: { ...lead, lead_id: 'lead_1', created_at: '2026-03-02T10:15:30Z' },
    message: 'ok',
  }),
  startedAt: Date.parse('2026-03-02T10:15:30Z'),
  endedAt: Date.parse('2026-03-02T10:15:30.010Z'),
  overlaps: false,
};

const refused = (status: number): ObservedExchange => ({
  ...added,
  requestBody: json({ ...lead, name: 7 }),
  status,
  responseBody: json({ success: false, error: 'name must be a string', message: 'name must be a string' }),
});

const entry = (answer: string | number, state: ProfileEntry['state']): ProfileEntry => ({
  answer,
  state,
  observed_at: '2026-01-01T00:00:00.000Z',
  suite_version: '0.1.0',
  evidence: 'from before',
});

const profileOf = (answers: Profile['answers']): Profile => ({
  ...emptyProfile('https://staging.example.com'),
  answers,
});

const learn = ({ learning }: TrafficSession, before: Profile) =>
  merge(before, learning.results(learning.answered()), { at: '2026-03-02T11:00:00.000Z', version: '0.1.0' });

/** A session that has seen these. */
const see = (exchanges: readonly ObservedExchange[], profile?: Profile): TrafficSession => {
  const session = createTrafficSession({ checks, profile });
  for (const exchange of [added, ...exchanges]) session.observe(exchange);
  return session;
};

describe('traffic teaches', () => {
  test('an answer, with how often it was seen', () => {
    const { profile } = learn(see([refused(422), refused(422)]), profileOf({}));
    expect(profile.answers['failure.validation-status']).toEqual({
      answer: 422,
      state: 'observed',
      observed_at: '2026-03-02T11:00:00.000Z',
      suite_version: '0.1.0',
      evidence: 'traffic, 2×: POST /api/v1/leads: 422',
    });
  });

  test('nothing where it contradicts itself: unstable, and the profile stays as it is', () => {
    const session = see([refused(422), refused(400), refused(422)]);
    const [result] = session.learning.results(['failure.validation-status']);
    expect(result).toMatchObject({ status: 'unstable', reason: 'the traffic shows 422 (2×) and 400 (1×)' });
    const before = profileOf({ 'failure.validation-status': entry(409, 'observed') });
    const { profile, changes } = learn(session, before);
    expect(profile.answers['failure.validation-status']).toEqual(before.answers['failure.validation-status']);
    expect(changes.map(({ id }) => id)).not.toContain('failure.validation-status');
  });

  test('another answer in place of one that was observed, and never of one that is pinned', () => {
    const session = see([refused(422)]);
    const observed = learn(session, profileOf({ 'failure.validation-status': entry(400, 'observed') }));
    expect(observed.profile.answers['failure.validation-status']).toMatchObject({ answer: 422 });
    const before = profileOf({ 'failure.validation-status': entry(400, 'pinned') });
    const pinned = learn(session, before);
    expect(pinned.profile.answers['failure.validation-status']).toEqual(
      before.answers['failure.validation-status'],
    );
    expect(pinned.changes).toContainEqual({
      id: 'failure.validation-status',
      kind: 'drift',
      before: 400,
      after: 422,
    });
  });
});

describe('drift of a pinned answer', () => {
  const pinned = profileOf({ 'failure.validation-status': entry(400, 'pinned') });

  test('is said at the exchange that shows it, and once', () => {
    const live = createLive(createTrafficSession({ checks, profile: pinned }));
    expect(live(added).lines).toEqual([]);
    const [first] = live(refused(422)).lines;
    expect(first).toMatch(
      /^≠ \S+ POST \/api\/v1\/leads → 422: drift: failure\.validation-status is pinned as 400, this response shows 422$/,
    );
    const again = live(refused(422));
    expect(again.lines).toEqual([]);
    expect(again.judgement.drift).toEqual([
      { question: 'failure.validation-status', pinned: 400, actual: 422 },
    ]);
  });

  test.each([
    ['the answer that is pinned', pinned, 400],
    [
      'an answer that was only observed',
      profileOf({ 'failure.validation-status': entry(400, 'observed') }),
      422,
    ],
  ])('is not %s', (_what, profile, status) => {
    const session = createTrafficSession({ checks, profile });
    expect(session.observe(refused(status)).drift).toEqual([]);
  });
});
