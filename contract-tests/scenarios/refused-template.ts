import {
  type Exchange,
  isRefusal,
  itemsOf,
  type JsonObject,
  responseFingerprint,
  templateIdOf,
} from '../exchange/exchange.ts';
import { placeholdersIn } from '../facts/replies/templates.ts';
import { listAgain, templateEmail } from '../session/requests.ts';
import type { Session } from '../session/session.ts';
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

/**
 * Whether an undocumented field, such as the state of a draft (§3), tells a template from one that was sent. A field with a
 * different value in every template is a name, not a state.
 */
const hasOtherState = (items: readonly JsonObject[], id: string, sentId: string): boolean => {
  const valueIn = (name: string, item: JsonObject | undefined): string => JSON.stringify(item?.[name]) ?? '';
  const itemOf = (wanted: string): JsonObject | undefined => items.find((item) => item.id === wanted);
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  return [...names].some((name) => {
    if (documentedFields.has(name)) return false;
    const values = items.map((item) => valueIn(name, item));
    const isName = items.length > 2 && new Set(values).size === items.length;
    return !isName && valueIn(name, itemOf(id)) !== valueIn(name, itemOf(sentId));
  });
};

/**
 * Whether the deployment may refuse only the values, which the suite chose: without them the response differs, or wrong values
 * get the same response.
 */
const mayBeValues = async (
  session: Session,
  { refused, accepted, refusal }: { refused: ListedTemplate; accepted: ListedTemplate; refusal: Exchange },
): Promise<boolean> => {
  if (refused.variables.length === 0) return false;
  const responseTo = async (template: ListedTemplate, variables: JsonObject): Promise<string> => {
    const body = { ...templateEmail(session, template), variables };
    const { path } = refusal;
    return responseFingerprint(await session.send('sendTemplateEmail', { path, body, intent: 'probe' }));
  };
  const own = responseFingerprint(refusal);
  return (
    (await responseTo(refused, {})) !== own || (await responseTo(accepted, { contract_test: 7 })) === own
  );
};

/** A template that mails were refused for, where a mail from another template was accepted. */
const sendRefused = async ({ session }: Tools): Promise<void> => {
  const { template: accepted } = session.requirements;
  const mails = session.client.exchanges.filter(
    ({ operation, credentials, intent }) =>
      operation === 'sendTemplateEmail' && credentials === 'key' && intent === 'complete',
  );
  const sent = new Set(mails.filter(({ outcome }) => outcome === 'success').map(templateIdOf));
  const refusals = mails.filter(
    (mail) => isRefusal(mail) && mail.status !== 404 && !sent.has(templateIdOf(mail)),
  );
  if (!accepted || refusals.length === 0) return;
  const listed = (await listAgain(session)) ?? [];
  const list = session.client.exchanges.findLast(({ operation }) => operation === 'listTemplates');
  const items = list ? itemsOf(list) : [];
  const refusalOf = ({ id }: ListedTemplate): Exchange | undefined =>
    refusals.find((mail) => templateIdOf(mail) === id);
  // Values cannot be the reason for a template without variables.
  const [refused] = listed
    .filter((one) => refusalOf(one) && isUsable(one) && !hasOtherState(items, one.id, accepted.id))
    .sort((left, right) => left.variables.length - right.variables.length);
  const refusal = refused && refusalOf(refused);
  if (!refusal || (await mayBeValues(session, { refused, accepted, refusal }))) return;
  const { path } = refusal;
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
  leads: 0,
  decides: ['email.template.any-listed'],
  run: sendRefused,
};
