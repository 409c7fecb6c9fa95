import type { JsonObject } from './exchange.ts';
import type { ListedTemplate, Session } from './session.ts';

/** A mail with everything §4.1 documents, without `to` where the deployment takes only the shape that lacks it. */
export const completeEmail = (session: Session): JsonObject => ({
  subject: session.unique('mail'),
  from: session.sender,
  ...(session.demands.sendWithoutTo ? {} : { to: session.permissions.sendTo ?? '' }),
  html: `<p>Contract test, run ${session.runId}. Please ignore.</p>`,
});

/** A value that a variable of this name may want: some deployments check. */
const valueFor = (session: Session, name: string): string => {
  if (/mail/i.test(name)) return session.sender;
  if (/ur[il]|link|href/i.test(name)) return 'https://example.com/contract-test';
  if (/date|day|until|deadline/i.test(name)) return '2030-01-15';
  return /amount|price|total|count|number|qty/i.test(name) ? '42' : 'Contract test';
};

/** A template mail in §4.3's own shape, with `to` where the deployment takes or wants it, or the permission demands it. */
export const templateEmail = (
  session: Session,
  template: ListedTemplate,
  values: JsonObject = {},
): JsonObject => ({
  template_id: template.id,
  variables: {
    ...Object.fromEntries(template.variables.map((name) => [name, valueFor(session, name)])),
    ...values,
  },
  ...(session.demands.templateTo ? { to: session.permissions.sendTo ?? '' } : {}),
});
