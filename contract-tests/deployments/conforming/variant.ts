import type { SomeChoices } from '../service.ts';

/** What a request needs beyond the documented fields before this deployment takes it; never asked by the document. */
export type Demands = {
  readonly mail?: object;
  readonly templateMail?: object;
  readonly lead?: object;
  readonly update?: object;
  /** How long to wait between two writes that depend on each other. */
  readonly settleMs?: number;
};

/** A conforming deployment as data: how its choices differ from the defaults. */
export type Variant = {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly choices: SomeChoices;
  readonly demands: Demands;
};

export const variants =
  (group: string) =>
  (id: string, title: string, choices: SomeChoices, demands: Demands = {}): Variant => ({
    id,
    title,
    group,
    choices,
    demands,
  });
