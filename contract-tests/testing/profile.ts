import type { Answer, Answers, Profile, ProfileEntry } from '../../mock/contract/questions.ts';
import { emptyProfile } from '../questions/profile.ts';

/** A profile of answers that were pinned, and of others that were only observed. */
export const profileOf = (
  pinned: Partial<Answers>,
  observed: Partial<Answers> = {},
  url = 'https://staging.example.com',
): Profile => {
  const written = { observed_at: '2026-03-02T10:15:30.000Z', suite_version: '1', evidence: 'x', reason: 'x' };
  const entries = (answers: object, state: ProfileEntry['state']): [string, ProfileEntry][] =>
    Object.entries(answers).map(([id, answer]: [string, Answer]) => [id, { answer, state, ...written }]);
  const answers = Object.fromEntries([...entries(pinned, 'pinned'), ...entries(observed, 'observed')]);
  return { ...emptyProfile(url), answers };
};
