/** A message captured instead of sent (§4.1, §4.3): exactly what the request carried and what was rendered from it. */
export type Message = {
  readonly id: string;
  readonly operation: 'sendEmail' | 'sendTemplateEmail';
  /** `null` where the request named none. */
  readonly from: string | null;
  readonly to: string | null;
  readonly subject: string | null;
  readonly html: string | null;
  readonly template_id: string | null;
  readonly variables: Readonly<Record<string, string>> | null;
  /** ISO 8601, UTC. */
  readonly created_at: string;
};

/** What a message must have: an address without regard to case, a text within the subject, a template. */
export type MessageFilter = {
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  readonly template_id?: string | undefined;
  /** Words within recipient, sender, subject, template or text, without regard to case. */
  readonly q?: string | undefined;
};
