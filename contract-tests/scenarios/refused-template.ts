import { type Exchange, isRefusal, type JsonObject, templateIdOf } from '../exchange/exchange.ts';
import { placeholdersIn } from '../facts/replies/templates.ts';
import { listAgain, templateEmail } from '../session/requests.ts';
import type { ListedTemplate } from '../session/shared.ts';
import { expectAlike } from './expect-alike.ts';
import type { Scenario } from './scenario.ts';
import type { Tools } from './tools.ts';

/** Whether §2.2 describes this template: the deployment may refuse an empty one, or one in another template language. */
const isUsable = ({ body, variables }: ListedTemplate): boolean => {
  const names = body.trim() === '' ? undefined : placeholdersIn(body);
  return names?.every((name) => variables.includes(name)) ?? false;
};

const documentedFields = new Set(['id', 'name', 'body', 'variables', 'created_at']);

/** Whether an undocumented field, such as the state of a draft (§3), tells two templates apart. */
const hasOtherState = (left: JsonObject = {}, right: JsonObject = {}): boolean =>
  Object.keys({ ...left, ...right }).some(
    (name) => !documentedFields.has(name) && JSON.stringify(left[name]) !== JSON.stringify(right[name]),
  );

/** A template that mails were refused for, where a mail from another template was accepted with the same variables or more. */
const sendRefused = async ({ session }: Tools): Promise<void> => {
  const { template: accepted } = session.requirements;
  const mails = session.client.exchanges.filter(
    ({ operation, credentials, intent }) =>
      operation === 'sendTemplateEmail' && credentials === 'key' && intent === 'complete',
  );
  const sent = new Set(mails.filter(({ outcome }) => outcome === 'success').map(templateIdOf));
  const refusals = new Map(
    mails
      .filter((mail) => isRefusal(mail) && mail.status !== 404 && !sent.has(templateIdOf(mail)))
      .map((mail) => [templateIdOf(mail), mail]),
  );
  if (!accepted || refusals.size === 0) return;
  const listed = (await listAgain(session)) ?? [];
  const { latest } = session.history.model.templates;
  const refused = listed.find(
    (one) =>
      refusals.has(one.id) &&
      isUsable(one) &&
      // The deployment may refuse only the values, which the suite chose.
      one.variables.every((name) => accepted.variables.includes(name)) &&
      !hasOtherState(latest.get(one.id), latest.get(accepted.id)),
  );
  if (!refused) return;
  const path = refusals.get(refused.id)?.path ?? '';
  const send = (template: ListedTemplate): Promise<Exchange> =>
    session.send('sendTemplateEmail', { path, body: templateEmail(session, template), intent: 'text' });
  await expectAlike(session, {
    check: 'email.template.any-listed',
    subject: 'a documented mail from a listed template',
    other: () => send(refused),
    usual: () => send(accepted),
  });
};

/** It causes mails only if another scenario got a refusal. */
export const refusedTemplate: Scenario = {
  id: 'email.template.any-listed',
  needs: 'mail',
  decides: ['email.template.any-listed'],
  run: sendRefused,
};
