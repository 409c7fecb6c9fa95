import { describe, expect, test } from 'vitest';
import type { Profile, ProfileEntry } from '../../mock/contract/profile.ts';
import { type Answer, type Answers, findQuestion, type QuestionId } from '../../mock/contract/questions.ts';
import { everythingPermitted, type Permissions } from '../client/permissions.ts';
import { askAgain } from '../library/report-run.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import { inRun } from '../runner/run.ts';
import { type AnswerVerdict, emptyResult, summarise } from '../runner/summary.ts';
import { emptyProfile } from './profile.ts';

const profileOf = (pinned: Partial<Answers>, observed: Partial<Answers> = {}): Profile => {
  const written = { observed_at: '2026-03-02T10:15:30.000Z', suite_version: '1', evidence: 'x', reason: 'x' };
  const entries = (answers: object, state: ProfileEntry['state']): [string, ProfileEntry][] =>
    Object.entries(answers).map(([id, answer]: [string, Answer]) => [id, { answer, state, ...written }]);
  const answers = Object.fromEntries([...entries(pinned, 'pinned'), ...entries(observed, 'observed')]);
  return { ...emptyProfile('https://staging.example.com'), answers };
};

/** The answers of a service that has stopped since. */
const gate = async (
  choices: BehaviourOverrides,
  profile: Profile,
  permissions: Permissions = everythingPermitted,
) => {
  const service = await createService(choices).start();
  const { url, key } = service;
  const result = await inRun({ url, key, permissions }, 'contract', (shared) =>
    askAgain(shared, { url }, profile, { discovery: new Map(), troubles: [] }),
  ).finally(service.close);
  return { ...result, service };
};

const of = (
  { answers }: { readonly answers: readonly AnswerVerdict[] },
  id: QuestionId,
): AnswerVerdict | undefined => answers.find(({ question }) => question === id);

test('a pinned answer that holds is a match, one that changed is drift with what shows it', async () => {
  const result = await gate({}, profileOf({ 'lead.name': 'required', 'auth.missing-status': 403 }));
  expect(of(result, 'lead.name')).toMatchObject({ status: 'match', actual: 'required' });
  expect(of(result, 'auth.missing-status')).toMatchObject({
    status: 'drift',
    expected: 403,
    actual: 401,
    evidence: expect.stringContaining('401'),
    curl: expect.stringContaining('curl'),
  });
  expect(result.service.leads()).toBe(0);
});

test('an observed answer informs and never gates', async () => {
  const result = await gate({}, profileOf({}, { 'auth.missing-status': 403 }));
  expect(of(result, 'auth.missing-status')).toMatchObject({
    status: 'observed',
    actual: 401,
    reason: 'it was 403 when it was observed',
  });
});

test('a known limit is tried at its edge, not searched for, unless it moved', async () => {
  const known = profileOf({ 'lead.name-limit': 100 });
  const same = await gate({ limits: { name: 100 } }, known);
  expect(of(same, 'lead.name-limit')?.status).toBe('match');
  expect(same.exchanges.length).toBeLessThan(30);
  const moved = await gate({ limits: { name: 120 } }, known);
  expect(of(moved, 'lead.name-limit')).toMatchObject({ status: 'drift', actual: 120 });
});

test('what may not be asked, and what cannot be, gates nothing and says why', async () => {
  const readOnly = { writes: false, sendTo: undefined, unaddressed: false, maxSends: 0 };
  const result = await gate({}, profileOf({ 'lead.name': 'optional', 'key-scope': 'scoped' }), readOnly);
  expect(of(result, 'lead.name')).toMatchObject({
    status: 'skipped',
    reason: expect.stringContaining('--allow-writes'),
  });
  expect(of(result, 'key-scope')).toMatchObject({
    status: 'skipped',
    reason: 'it cannot be observed from outside',
  });
});

describe('the exit code', () => {
  const verdict = (status: AnswerVerdict['status']): AnswerVerdict => ({
    question: 'lead.name',
    section: findQuestion('lead.name')?.section ?? '',
    state: 'pinned',
    status,
    expected: 'required',
  });
  const check = { id: 'x.y', level: 'documented' } as never;
  const run = (status: 'pass' | 'fail' | 'inconclusive', discovery: object = { addLead: {} }) => ({
    ...emptyResult,
    verdicts: [{ check, status, reason: 'no' }],
    discovery: new Map(Object.entries(discovery)),
  });
  const absent = { absent: true };

  test.each([
    [run('pass'), 'match', 0, 'conforms, with 1 of 1 pinned answer matching'],
    [run('pass'), 'drift', 4, 'drift: 1 of 1 pinned answer changed: lead.name'],
    [run('inconclusive'), 'drift', 3, 'not everything could be tested: 1 of 1 check undecided, because no'],
    [run('pass'), 'inconclusive', 3, expect.stringContaining('1 of 1 pinned answer undecided')],
    [run('pass'), 'skipped', 3, expect.stringContaining('none of 1 pinned answer could be asked')],
    [run('fail'), 'drift', 1, 'does not conform: 1 claim is broken'],
    [
      run('fail', { addLead: absent }),
      'match',
      1,
      'does not conform: 1 claim is broken; none of the requested operations exists: check the URL',
    ],
    [
      run('fail', { addLead: absent, listTemplates: absent, sendEmail: { skipped: 'no' } }),
      'match',
      3,
      'could not test: none of the requested operations exists: check the URL',
    ],
  ] as const)('%#: breaks before could not test before drift', (result, status, exitCode, headline) => {
    expect(summarise(result as never, false, [], [verdict(status)])).toMatchObject({ exitCode, headline });
  });
});
