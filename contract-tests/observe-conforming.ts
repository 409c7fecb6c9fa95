import { truthOf } from './conforming-truth.ts';
import type { ConformingDeployment } from './deployments/index.ts';
import { observe } from './observe.ts';
import { everythingPermitted } from './permissions.ts';
import { probes } from './probes/index.ts';
import { outcomeOf } from './round-trip.ts';
import { inRun } from './run.ts';

/** What observing one conforming deployment came to, held against how it is built. */
export type Score = {
  readonly id: string;
  readonly right: number;
  /** Answers that are not the true ones. */
  readonly wrong: readonly string[];
  /** Questions that have an answer there, and were told to be undecided. */
  readonly undecided: readonly string[];
  /** Leads the deployment still holds. */
  readonly left: number;
};

export const scoreOf = async ({ id, start, demands }: ConformingDeployment): Promise<Score> => {
  const { from: sender } = { ...demands.mail } as { from?: unknown };
  const running = await start();
  try {
    const { found } = await inRun(
      { ...running, permissions: everythingPermitted, ...(typeof sender === 'string' ? { sender } : {}) },
      'observe',
      (shared) => observe(shared, probes),
    );
    const truth = truthOf(id);
    const lines = found.map((one) => {
      const known = truth[one.question.id];
      const right = one.status === 'answered' && one.answer === known;
      // Where there is no answer, none is right.
      if (right || (known === undefined && one.status !== 'answered'))
        return { right, kind: 'right', line: '' };
      const line = `${one.question.id} is ${known ?? 'none of the answers'}, found ${outcomeOf(one)}`;
      return { right, kind: one.status === 'answered' ? 'wrong' : 'undecided', line };
    });
    return {
      id,
      right: lines.filter(({ right }) => right).length,
      wrong: lines.filter(({ kind }) => kind === 'wrong').map(({ line }) => line),
      undecided: lines.filter(({ kind }) => kind === 'undecided').map(({ line }) => line),
      left: running.leads(),
    };
  } finally {
    await running.close();
  }
};
