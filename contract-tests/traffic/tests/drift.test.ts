// What traffic tells of open questions: answers with their count, contradictions, and drift of pinned answers.

import { describe, expect, test } from 'vitest';
import type { Profile, ProfileEntry } from '../../../mock/contract/profile.ts';
import { checks } from '../../checks/index.ts';
import { emptyProfile } from '../../questions/profile.ts';
import { json, observe } from '../../testing/observed.ts';
import { createLive } from '../conclusion.ts';
import type { ObservedExchange } from '../exchanges/observed.ts';
import { createTrafficSession } from '../session.ts';

const lead = { name: 'Lena Fischer', source: 'web', note: 'Met at the fair' };
const added = observe('POST', 'leads', lead, {
  data: { ...lead, lead_id: 'lead_1', created_at: '2026-03-02T10:15:30Z' },
});

const refused = (status: number): ObservedExchange => ({
  ...added,
  requestBody: json({ ...lead, name: 7 }),
  status,
  responseBody: json({ success: false, error: 'name must be a string', message: 'name must be a string' }),
});

const entry = (answer: number, state: ProfileEntry['state']): ProfileEntry => ({
  answer,
  state,
  observed_at: '2026-01-01T00:00:00.000Z',
  suite_version: '0.1.0',
  evidence: 'from before',
});

const profileOf = (state: ProfileEntry['state']): Profile => ({
  ...emptyProfile('https://staging.example.com'),
  answers: { 'failure.validation-status': entry(400, state) },
});

/** What a session that has seen these knows of the status of a refusal. */
const resultOf = (exchanges: readonly ObservedExchange[]) => {
  const session = createTrafficSession({ checks });
  for (const exchange of [added, ...exchanges]) session.observe(exchange);
  return session.answers.results(['failure.validation-status'])[0];
};

describe('traffic shows', () => {
  test('an answer, with how often it was seen', () => {
    expect(resultOf([refused(422), refused(422)])).toMatchObject({
      status: 'answered',
      answer: 422,
      evidence: 'traffic, 2×: POST /api/v1/leads: 422',
    });
  });

  test('nothing where it contradicts itself', () => {
    expect(resultOf([refused(422), refused(400), refused(422)])).toMatchObject({
      status: 'unstable',
      reason: 'the traffic shows 422 (2×) and 400 (1×)',
    });
  });
});

describe('drift of a pinned answer', () => {
  const pinned = profileOf('pinned');

  test('is said once', () => {
    const live = createLive(createTrafficSession({ checks, profile: pinned }));
    expect(live(added).lines).toEqual([]);
    expect(live(refused(422)).lines[0]).toContain('drift: failure.validation-status is pinned as 400');
    const again = live(refused(422));
    expect(again.lines).toEqual([]);
    expect(again.judgement.drift).toMatchObject([{ pinned: 400, actual: 422 }]);
  });

  test.each([
    ['the answer that is pinned', pinned, 400],
    ['an answer that was only observed', profileOf('observed'), 422],
  ])('is not %s', (_what, profile, status) => {
    const session = createTrafficSession({ checks, profile });
    expect(session.observe(refused(status)).drift).toEqual([]);
  });
});
