// Apart from the rules, which the client for browsers does not need.

/** The rules for messages, in the order in which a message lists its warnings. */
export const warningIds = [
  'unresolved-placeholder',
  'empty-link',
  'image-without-alt',
  'no-text',
  'subject-missing',
] as const;

/** A rule for messages. Ids do not change. */
export type WarningId = (typeof warningIds)[number];

/** What a rule found in a message. */
export type MessageWarning = {
  readonly id: WarningId;
  /** What was found, and where. */
  readonly what: string;
  /** The reason for the rule. */
  readonly why: string;
  /** URL of a page that explains it. */
  readonly more: string;
};
