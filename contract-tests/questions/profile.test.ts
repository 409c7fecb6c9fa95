import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { expect, test } from 'vitest';
import type { Answer, Profile, QuestionId } from '../../mock/contract/questions.ts';
import { findQuestion, listQuestions } from '../../mock/contract/questions.ts';
import { temporaryFile } from '../../mock/testing/temporary.ts';
import { everythingPermitted } from '../client/permissions.ts';
import schema from '../generated/profile.schema.json' with { type: 'json' };
import { askAgain } from '../library/report-run.ts';
import type { BehaviourOverrides } from '../proof/server/server.ts';
import { inRun, type TargetOptions } from '../runner/run.ts';
import { emptyResult, summarise } from '../runner/summary.ts';
import { profileOf } from '../testing/profile.ts';
import { onService } from '../testing/run-on.ts';
import type { QuestionResult } from './observe.ts';
import { emptyProfile, loadProfile, merge, pin, serialise } from './profile.ts';

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const valid = ajv.compile(schema);

const found = (id: QuestionId, answer: Answer): QuestionResult => {
  const question = findQuestion(id);
  if (!question) throw new Error(id);
  return { question, status: 'answered', answer, evidence: `GET /: ${answer}`, exchange: {} as never };
};

const at = '2026-03-02T10:15:30.000Z';
const begin = emptyProfile('https://staging.example.com');
const observed = (...all: QuestionResult[]): Profile => merge(begin, all, { at, version: '1.0.0' }).profile;
const profile = observed(found('failure.validation-status', 422), found('send.to', 'required'));
const decide = { reason: 'agreed', at: '2026-04-01T00:00:00.000Z', version: '1.1.0' };

test.each([
  ['{', /is not JSON/],
  // One of them would be lost.
  [serialise(profile).replace('"state": "observed",', '$&$&'), /the field "state" twice/],
  ['[]', /is not a profile; email-leads observe --output FILE writes one/],
  [{ answers: {}, questions_digest: 'x' }, /: \/deployment is required/],
  [{ ...begin, answers: { 'lead.nmae': {} } }, /: \/answers\/lead.nmae is not .*; did you mean lead.name\?/],
  [entry({ answer: 'maybe' }), /\/send.to\/answer send.to cannot be "maybe": the answers are optional, /],
  [entry({ state: 'decided' }), /\/state must be one of observed, pinned/],
  [entry({ state: 'pinned' }), /\/reason is missing/],
  [entry({ observed_at: 'yesterday' }), /\/observed_at must match format "date-time"/],
  [entry({ answer: '422' }, 'failure.validation-status'), /\/answer must be 422, not "422"/],
])('a profile file: %j is refused in one line that names the file and the place', (content, said) => {
  const file = temporaryFile(typeof content === 'string' ? content : JSON.stringify(content));
  const before = readFileSync(file, 'utf8');
  expect(() => loadProfile(file)).toThrow(said);
  expect(() => loadProfile(file)).toThrow(file);
  expect(() => loadProfile(file)).not.toThrow(/\n/);
  expect(readFileSync(file, 'utf8')).toBe(before);
  if (typeof content === 'object') expect(valid(content), 'by the published schema').toBe(false);
});

function entry(changes: object, id = 'send.to'): object {
  const written = { observed_at: at, suite_version: '1', evidence: 'x' };
  return { ...begin, answers: { [id]: { answer: 'required', state: 'observed', ...written, ...changes } } };
}

test('the published schema takes what the suite writes', () => {
  const all = observed(...listQuestions().map(({ id, assumed }) => found(id, assumed)));
  expect(valid(JSON.parse(serialise(all))), JSON.stringify(valid.errors)).toBe(true);
  expect(valid(JSON.parse(serialise(pin(all, 'all', decide).profile)))).toBe(true);
});

/** Asks a service for the answers of a profile again; the service has stopped then. */
const gate = async (choices: BehaviourOverrides, profile: Profile, permissions = everythingPermitted) => {
  const ask = (target: TargetOptions) =>
    inRun(target, 'contract', (shared) => askAgain(shared, target, profile, { troubles: [] }));
  const { answers, exchanges, service } = await onService({ behaviour: choices, permissions }, ask);
  expect(service.leads()).toBe(0);
  const of = Object.fromEntries(answers.map((answer) => [answer.question, answer]));
  return { of, requests: exchanges.length };
};

test('each answer is compared, and what cannot be asked says why', async () => {
  const pinned = { 'lead.name': 'required', 'auth.missing-status': 403, 'send.to': 'optional' } as const;
  const known = profileOf({ ...pinned, 'key-scope': 'scoped' }, { 'auth.unknown-key-status': 403 });
  const { of } = await gate({}, known, { ...everythingPermitted, sendTo: undefined });
  expect(of).toMatchObject({
    'lead.name': { status: 'match', actual: 'required' },
    'auth.missing-status': {
      ...{ status: 'drift', expected: 403, actual: 401 },
      ...{ evidence: expect.stringContaining('401'), curl: expect.stringContaining('curl') },
    },
    'auth.unknown-key-status': { status: 'observed', reason: 'it was 403 when it was observed' },
    'send.to': { status: 'skipped', reason: expect.stringContaining('--send-to') },
    'key-scope': { status: 'skipped', reason: 'it cannot be observed from outside' },
  });
});

test('a known limit is tried at its edge, not searched for, unless it moved', async () => {
  const known = profileOf({ 'lead.name-limit': 100 });
  const same = await gate({ limits: { name: 100 } }, known);
  expect(same.of['lead.name-limit']?.status).toBe('match');
  expect(same.requests).toBeLessThan(30);
  const moved = await gate({ limits: { name: 120 } }, known);
  expect(moved.of['lead.name-limit']).toMatchObject({ status: 'drift', actual: 120 });
});

const pinned = { question: 'lead.name', section: '2.3', state: 'pinned', expected: 'required' } as const;
const check = { id: 'x.y', level: 'documented' } as never;
const run = (status: 'pass' | 'fail' | 'inconclusive', discovery: object = { addLead: {} }) => ({
  ...emptyResult,
  verdicts: [{ check, status, reason: 'no' }],
  discovery: new Map(Object.entries(discovery)),
});
const absent = { absent: true };
const severalAbsent = { addLead: absent, listTemplates: absent, sendEmail: { skipped: 'no' } };
const noneExists = 'none of the requested operations exists: check the URL';

test.each([
  [run('pass'), 'match', 0, 'conforms, with 1 of 1 pinned answer matching'],
  [run('pass'), 'drift', 4, 'drift: 1 of 1 pinned answer changed: lead.name'],
  [run('inconclusive'), 'drift', 3, 'not everything could be tested: 1 of 1 check undecided, because no'],
  [run('pass'), 'inconclusive', 3, expect.stringContaining('1 of 1 pinned answer undecided')],
  [run('pass'), 'skipped', 3, expect.stringContaining('none of 1 pinned answer could be asked')],
  [run('fail'), 'drift', 1, 'does not conform: 1 claim is broken'],
  [run('fail', { addLead: absent }), 'match', 1, `does not conform: 1 claim is broken; ${noneExists}`],
  [run('fail', severalAbsent), 'match', 3, `could not test: ${noneExists}`],
] as const)('%#: breaks before could not test before drift', (result, status, exitCode, headline) => {
  const answers = [{ ...pinned, status }];
  expect(summarise(result as never, false, [], answers)).toMatchObject({ exitCode, headline });
});
