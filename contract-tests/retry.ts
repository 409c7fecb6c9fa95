import type { Answer, Call } from './exchange.ts';
import { isReset, NoAnswer } from './no-answer.ts';

/** How long one request waits in all for a deployment that asks for pauses, before it counts as a gateway's answer. */
const patience = 60_000;
/** A deployment that says "at once" and means it not is not asked a thousand times. */
const shortestPause = 50;

/** Milliseconds a 429 or 503 asks to wait; nothing where it does not ask. */
const pauseAsked = ({ status, headers }: Answer): number | undefined => {
  if (status !== 429 && status !== 503) return undefined;
  const after = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(after)) return Number(after) * 1000;
  // A date is by the deployment's clock, and so is its `Date`.
  const now = Date.parse(String(headers.date ?? ''));
  const until = Date.parse(after);
  return Number.isNaN(until) ? undefined : until - (Number.isNaN(now) ? Date.now() : now);
};

/** Milliseconds until the next attempt, or `undefined` where the answer stands. */
const pauseBefore = (answer: Answer, attempt: number): number | undefined => {
  const growing = shortestPause * 2 ** attempt;
  const asked = pauseAsked(answer);
  if (asked !== undefined) return Math.max(asked, growing);
  return answer.status === 429 ? 1000 * 2 ** attempt : undefined;
};

/** Asks until the deployment no longer asks for a pause, or asks for more than is reasonable: never a finding. */
export const patiently = async (
  attempt: () => Promise<Answer>,
  hold: (ms: number) => void,
): Promise<Answer> => {
  let waited = 0;
  for (let count = 0; ; count += 1) {
    const answer = await attempt();
    const pause = pauseBefore(answer, count);
    if (pause === undefined || waited + pause > patience) return answer;
    waited += pause;
    hold(pause);
  }
};

/** A connection that broke is tried once more where asking twice does no harm: a POST may have been carried out. */
export const onceMore = async (call: Call, attempt: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await attempt();
  } catch (error) {
    const torn = error instanceof NoAnswer && error.kind === 'closed' && isReset(error.cause);
    if (call.method === 'POST' || !torn) throw error;
    return attempt();
  }
};
