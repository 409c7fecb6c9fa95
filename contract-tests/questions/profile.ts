import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import {
  type Answer,
  type Answers,
  assumedAnswers,
  listQuestions,
  type Profile,
  type ProfileEntry,
  parseAnswers,
  type Question,
  type QuestionId,
} from '../../mock/contract/questions.ts';
import { readFileFor, UsageError } from '../../mock/contract/system-errors.ts';
import { parseProfile } from '../../mock/validation/profile.ts';
import { curlFor } from '../client/curl.ts';
import type { Address } from '../client/gateway.ts';
import { expectWritable, writeOutput } from '../client/output-file.ts';
import { repeatedName } from '../exchange/exchange.ts';
import type { AnswerVerdict } from '../runner/summary.ts';
import type { QuestionResult } from './observe.ts';

/** The change of one profile entry after a new observation. */
export type Change = {
  readonly id: QuestionId;
  readonly kind: 'new' | 'changed' | 'same' | 'pinned' | 'drift';
  readonly before?: Answer;
  readonly after: Answer;
};

/** Digest of ids and answer spaces. A different digest in a file means that it was made with another set of questions. */
export const questionsDigest = (): string => {
  const spaces = listQuestions().map(({ id, answers }) => [id, answers] as const);
  const text = JSON.stringify(spaces.sort(([left], [right]) => (left < right ? -1 : 1)));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
};

/** @throws UsageError */
export const loadProfile = (file: string): Profile => {
  const text = readFileFor(file).toString();
  const profile = parseProfile(text, file);
  const repeated = repeatedName(text);
  if (repeated !== undefined) throw new UsageError(`${file} has ${repeated}: one of them would be lost`);
  return profile;
};

/** Loads the profile in the file, or creates an empty one if the file does not exist. @throws UsageError */
export const loadOrCreate = (file: string, deployment: string): Profile => {
  // Its answers must not be lost after the run.
  expectWritable(file);
  if (!existsSync(file)) return emptyProfile(deployment);
  const profile = loadProfile(file);
  if (profile.deployment === deployment) return profile;
  throw new UsageError(
    `${file} is the profile of ${profile.deployment}, and this is ${deployment}: write to another file, or change "deployment" in it if the deployment moved`,
  );
};

export const emptyProfile = (deployment: string): Profile => ({
  deployment,
  questions_digest: questionsDigest(),
  answers: {},
});

type Provenance = { readonly at: string; readonly version: string };

/** Merges new results into the profile. An entry changes only if its answer changes, and a pinned entry never changes. */
export const merge = (
  profile: Profile,
  results: readonly QuestionResult[],
  { at, version }: Provenance,
): { readonly profile: Profile; readonly changes: readonly Change[] } => {
  const answers: Partial<Record<QuestionId, ProfileEntry>> = { ...profile.answers };
  const changes: Change[] = [];
  for (const result of results) {
    if (result.status !== 'answered') continue;
    const { answer, evidence, question } = result;
    const { id } = question;
    const change = changeOf(id, answers[id], answer);
    changes.push(change);
    if (change.kind === 'new' || change.kind === 'changed')
      answers[id] = { answer, state: 'observed', observed_at: at, suite_version: version, evidence };
  }
  return { profile: { ...profile, questions_digest: questionsDigest(), answers }, changes };
};

const changeOf = (id: QuestionId, before: ProfileEntry | undefined, after: Answer): Change => {
  if (!before) return { id, kind: 'new', after };
  const [same, changed] =
    before.state === 'pinned' ? (['pinned', 'drift'] as const) : (['same', 'changed'] as const);
  return { id, kind: before.answer === after ? same : changed, before: before.answer, after };
};

/** Compares by section of the document, then by id: the order of every list of questions. */
const bySection = (left: Question, right: Question): number =>
  left.section.localeCompare(right.section, 'en', { numeric: true }) || (left.id < right.id ? -1 : 1);

/** The entries of a profile with their questions, in the order of the document. */
const entriesOf = ({ answers }: Profile): (readonly [Question, ProfileEntry])[] =>
  listQuestions()
    .sort(bySection)
    .flatMap((question) => {
      const entry = answers[question.id];
      return entry ? [[question, entry] as const] : [];
    });

/** The text of the file: the same answers always give the same text. */
export const serialise = (profile: Profile): string => {
  const answers = Object.fromEntries(entriesOf(profile).map(([{ id }, entry]) => [id, entry]));
  return `${JSON.stringify({ ...profile, answers }, null, 2)}\n`;
};

/**
 * Writes the file atomically, and only if its text changes.
 * @returns whether it was written
 * @throws UsageError
 */
export const writeProfile = (file: string, profile: Profile): boolean => {
  const text = serialise(profile);
  parseProfile(text, file); // the suite must be able to read what it writes
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
  writeOutput(file, text);
  return true;
};

/** The answers that differ between two profiles, in the order of the document. A missing answer is the assumed one. */
export const differencesOf = (from: Readonly<Partial<Answers>>, to: Readonly<Partial<Answers>>) => {
  const assumed = assumedAnswers();
  return listQuestions()
    .sort(bySection)
    .map(({ id, section, subject }) => ({
      question: id,
      section,
      subject,
      from: { answer: from[id] ?? assumed[id], assumed: from[id] === undefined },
      to: { answer: to[id] ?? assumed[id], assumed: to[id] === undefined },
    }))
    .filter((difference) => difference.from.answer !== difference.to.answer);
};

type Difference = ReturnType<typeof differencesOf>[number];

/** A difference in a sentence: `validation failures: 400 → 422`. */
export const differenceText = ({ question, section, subject, from, to }: Difference): string => {
  const text = ({ answer, assumed }: Difference['from']): string => `${answer}${assumed ? ' (assumed)' : ''}`;
  return `${subject}: ${text(from)} → ${text(to)}  (${question}, §${section})`;
};

/** The question of `QUESTION`, or of `QUESTION=ANSWER`, with that answer. @throws UsageError */
const parsePin = (text: string): { readonly id: QuestionId; readonly stated?: Answer | undefined } => {
  const [id = '', ...rest] = text.split('=');
  try {
    const answers = parseAnswers({ [id]: rest.length === 0 ? undefined : rest.join('=') });
    return { id: id as QuestionId, stated: answers[id as QuestionId] };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
};

/**
 * Pins answers: all of the selected ones, or none if one is invalid.
 * @param selection question ids, some with `=ANSWER`; `'all'` for every observed answer
 * @throws UsageError
 */
export const pin = (
  profile: Profile,
  selection: readonly string[] | 'all',
  { reason, at, version }: Provenance & { readonly reason: string },
): { readonly profile: Profile; readonly lines: readonly string[] } => {
  const observed = entriesOf(profile).filter(([, { state }]) => state === 'observed');
  const requests = selection === 'all' ? observed.map(([{ id }]) => ({ id })) : selection.map(parsePin);
  if (requests.length === 0)
    return { profile, lines: ['nothing to pin: the profile has no observed answer that is not pinned'] };
  const answers: Partial<Record<QuestionId, ProfileEntry>> = { ...profile.answers };
  const lines = requests.map(({ id, stated }: ReturnType<typeof parsePin>) => {
    const before = answers[id];
    const answer = stated ?? before?.answer;
    if (answer === undefined)
      throw new UsageError(`${id} has no answer in the file: observe it first, or set one with ${id}=ANSWER`);
    if (before?.answer === answer) {
      answers[id] = { ...before, state: 'pinned', reason };
      const isKnown = before.state === 'pinned';
      return `pinned ${id} = ${answer} (${isKnown ? 'was pinned: the reason is new' : `observed ${before.observed_at}`})`;
    }
    const evidence = 'stated, not observed';
    const written = { observed_at: at, suite_version: version, evidence, reason };
    answers[id] = { answer, state: 'pinned', ...written };
    return `pinned ${id} = ${answer} (${before ? `instead of ${before.answer}` : evidence})`;
  });
  return { profile: { ...profile, answers }, lines };
};

/** Compares the answers of a profile with the results of the probes. */
export const compareAnswers = (
  profile: Profile,
  results: readonly QuestionResult[],
  target: Address,
): AnswerVerdict[] =>
  entriesOf(profile).map(([{ id, section, observable }, { answer: expected, state }]) => {
    const about = { question: id, section, state, expected };
    const result = results.find(({ question }) => question.id === id);
    if (result === undefined) {
      const reason = observable ? 'the run ended before it was asked' : 'it cannot be observed from outside';
      return { ...about, status: 'skipped', reason };
    }
    if (result.status !== 'answered') return { ...about, status: result.status, reason: result.reason };
    const { answer: actual, evidence, exchange } = result;
    const base = { ...about, actual, evidence };
    if (actual === expected) return { ...base, status: state === 'pinned' ? 'match' : 'observed' };
    const shown = { ...base, ...(exchange && { curl: curlFor(target, exchange) }) };
    if (state === 'pinned') return { ...shown, status: 'drift' };
    return { ...shown, status: 'observed', reason: `it was ${expected} when it was observed` };
  });
