/** A stored template (§2.2). */
export type Template = {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly variables: readonly string[];
  readonly created_at: string;
};
