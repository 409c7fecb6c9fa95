export type Summary = {
  readonly id: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly subject: string | null;
  readonly template_id: string | null;
  readonly created_at: string;
  /** How the text begins. */
  readonly snippet: string;
};

export type Message = Summary & {
  readonly html: string | null;
  readonly variables: Readonly<Record<string, string>> | null;
  readonly links: readonly string[];
  readonly codes: readonly string[];
};

export type Page = {
  readonly messages: readonly Summary[];
  readonly total: number;
  readonly dropped?: number;
};

export const recipientOf = ({ to }: Summary): string => to || 'no recipient named';

/** A template mail has no subject of its own (§4.3). */
export const subjectOf = ({ subject, template_id }: Summary, templateName?: string): string => {
  if (subject) return subject;
  return template_id === null ? '(no subject)' : (templateName ?? `Template ${template_id}`);
};
