import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Profile, type ProfileEntry, ProfileError, parseProfile, readProfile } from '../mock/profile.ts';
import {
  type Answer,
  findQuestion,
  listQuestions,
  type Question,
  type QuestionId,
} from '../mock/questions.ts';
import type { Found } from './observe.ts';
import { repeatedName } from './repeated-name.ts';

export { type Profile, type ProfileEntry, ProfileError } from '../mock/profile.ts';

/** What becomes of the entry of one question when it is observed again. */
export type Change = {
  readonly id: QuestionId;
  readonly kind: 'new' | 'changed' | 'same' | 'pinned' | 'drift';
  readonly before?: Answer;
  readonly after: Answer;
};

/** Of ids and answer spaces: another digest means that the suite asks other questions than the file was made with. */
export const questionsDigest = (): string => {
  const spaces = listQuestions().map(({ id, answers }) => [id, answers] as const);
  const text = JSON.stringify(spaces.sort(([one], [other]) => (one < other ? -1 : 1)));
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
};

/** @throws ProfileError */
export const loadProfile = (file: string): Profile => {
  const profile = readProfile(file);
  const repeated = repeatedName(readFileSync(file, 'utf8'));
  if (repeated !== undefined) throw new ProfileError(`${file} has ${repeated}: one of them would be lost`);
  return profile;
};

/** The profile in the file, or an empty one where there is none yet. @throws ProfileError */
export const loadOrBegin = (file: string, deployment: string): Profile => {
  if (!existsSync(file)) return emptyProfile(deployment);
  const profile = loadProfile(file);
  if (profile.deployment === deployment) return profile;
  throw new ProfileError(
    `${file} is about ${profile.deployment}, and this is ${deployment}: write another file, or change "deployment" in it if it moved`,
  );
};

export const emptyProfile = (deployment: string): Profile => ({
  deployment,
  questions_digest: questionsDigest(),
  answers: {},
});

type Made = { readonly at: string; readonly version: string };

/** The profile with what was found. An entry changes only where its answer does, and a pinned one never. */
export const merge = (
  profile: Profile,
  found: readonly Found[],
  { at, version }: Made,
): { readonly profile: Profile; readonly changes: readonly Change[] } => {
  const answers: Partial<Record<QuestionId, ProfileEntry>> = { ...profile.answers };
  const changes: Change[] = [];
  for (const one of found) {
    if (one.status !== 'answered') continue;
    const { id } = one.question;
    const change = changeOf(id, answers[id], one.answer);
    changes.push(change);
    if (change.kind !== 'new' && change.kind !== 'changed') continue;
    const { answer, evidence } = one;
    answers[id] = { answer, state: 'observed', observed_at: at, suite_version: version, evidence };
  }
  return { profile: { ...profile, questions_digest: questionsDigest(), answers }, changes };
};

const changeOf = (id: QuestionId, before: ProfileEntry | undefined, after: Answer): Change => {
  if (!before) return { id, kind: 'new', after };
  const same = before.answer === after;
  if (before.state === 'pinned') return { id, kind: same ? 'pinned' : 'drift', before: before.answer, after };
  return { id, kind: same ? 'same' : 'changed', before: before.answer, after };
};

const sectionParts = ({ section }: Question): number => {
  const [chapter = 0, part = 0] = section.split('.').map(Number);
  return chapter * 100 + part;
};

/** By section of the document, then by id: the order of every list of questions. */
export const inOrder = (one: Question, other: Question): number =>
  sectionParts(one) - sectionParts(other) || (one.id < other.id ? -1 : 1);

/** The file as it is written: the same answers give the same text. */
export const serialise = ({ answers, ...head }: Profile): string => {
  const ids = Object.keys(answers) as QuestionId[];
  const order = ids.flatMap((id) => findQuestion(id) ?? []).sort(inOrder);
  const sorted = Object.fromEntries(order.map(({ id }) => [id, answers[id]]));
  return `${JSON.stringify({ ...head, answers: sorted }, null, 2)}\n`;
};

/**
 * Writes the file whole or not at all, and leaves one alone that says the same.
 * @returns whether it was written
 * @throws ProfileError
 */
export const writeProfile = (file: string, profile: Profile): boolean => {
  const text = serialise(profile);
  parseProfile(text, file); // what this suite writes, it can read
  try {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
    const target = existsSync(file) ? realpathSync(file) : file;
    replace(target, text);
    return true;
  } catch (error) {
    throw new ProfileError(`${file} cannot be written: ${(error as Error).message}`);
  }
};

const replace = (target: string, text: string): void => {
  const made = join(dirname(target), `.${basename(target)}.${process.pid}`);
  try {
    writeFileSync(made, text);
    renameSync(made, target);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
};
