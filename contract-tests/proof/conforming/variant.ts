import type { BehaviourOverrides } from '../server/server.ts';
import type { Mutation } from '../server/types.ts';

/** What a request needs beyond the documented fields before this deployment takes it; never asked by the document. */
export type Requirements = {
  readonly mail?: object;
  readonly templateMail?: object;
  readonly lead?: object;
  readonly update?: object;
  /** How long to wait between two writes that depend on each other. */
  readonly settleMs?: number;
  /** It lacks what an operation needs, so that a run must not be green: exit code 3. */
  readonly leavesUntested?: true;
};

/** A conforming deployment as data: how its behaviour differs from the default, and what it does besides. */
export type Variant = {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly behaviour: BehaviourOverrides;
  readonly requirements: Requirements;
  readonly habit?: Mutation;
};

export const variants =
  (group: string) =>
  (id: string, title: string, behaviour: BehaviourOverrides, requirements: Requirements = {}): Variant => ({
    id,
    title,
    group,
    behaviour,
    requirements,
  });

/** Declares conforming deployments of a group with a habit, which are as usual in everything else. */
export const habits =
  (group: string) =>
  (
    id: string,
    title: string,
    habit: Mutation,
    behaviour: BehaviourOverrides = {},
    requirements: Requirements = {},
  ): Variant => ({ id, title, group, behaviour, requirements, habit });
