import {
  describeRefusal,
  type Exchange,
  isRefusal,
  itemsOf,
  type JsonObject,
  responseFingerprint,
} from '../client/exchange.ts';
import type { ActiveCheck } from '../session/check.ts';
import {
  asLines,
  completeEmail,
  digitsOf,
  listAgain,
  sendMail,
  templateEmail,
  templateIdOf,
} from '../session/email-requests.ts';
import { claimOf } from '../session/operations.ts';
import { CheckInconclusive, fail, show } from '../session/outcome.ts';
import type { Session } from '../session/session.ts';
import type { ListedTemplate } from '../session/shared.ts';
import { placeholdersIn } from './templates.ts';

const sendsWithKey = ({ client }: Session): readonly Exchange[] =>
  client.exchanges.filter(
    ({ operation, credentials }) => operation === 'sendTemplateEmail' && credentials === 'key',
  );

/** The templates of accepted mails with any content. An equal mail may be refused the next time. */
const sentTemplates = (session: Session): ReadonlySet<unknown> =>
  new Set(
    sendsWithKey(session)
      .filter(({ outcome }) => outcome === 'success')
      .map(templateIdOf),
  );

type Refused = { readonly template: ListedTemplate; readonly refusal: Exchange };

/** The templates that other checks have requested without success. Another check reports templates that are unknown. */
const refusedTemplates = (session: Session): readonly Refused[] =>
  session.templates.flatMap((template): Refused[] => {
    const refusal = sendsWithKey(session).find(
      (exchange) =>
        exchange.intent === 'complete' && templateIdOf(exchange) === template.id && isRefusal(exchange),
    );
    return refusal && !sentTemplates(session).has(template.id) && refusal.status !== 404
      ? [{ template, refusal }]
      : [];
  });

/** Whether §2.2 describes this template: the deployment may refuse an empty one, or one in another template language. */
const isUsable = ({ body, variables }: ListedTemplate): boolean => {
  const names = body.trim() === '' ? undefined : placeholdersIn(body);
  return names?.every((name) => variables.includes(name)) ?? false;
};

const documentedFields = new Set(['id', 'name', 'body', 'variables', 'created_at']);

/**
 * Whether the list shows a difference between a template and those that were sent, in an undocumented field, such as the state
 * of a draft (§3). A field with a different value in every template is a name, not a state.
 */
const hasOwnState = (items: readonly JsonObject[], id: string, sent: ReadonlySet<unknown>): boolean => {
  const own = items.find((item) => item.id === id) ?? {};
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  return [...names].some((name) => {
    if (documentedFields.has(name)) return false;
    const values = items.map((item) => JSON.stringify(item[name]));
    const isName = items.length > 2 && new Set(values).size === items.length;
    const value = JSON.stringify(own[name]);
    return !isName && !items.some((item, index) => sent.has(item.id) && values[index] === value);
  });
};

/**
 * Whether the deployment may refuse only the values, which the suite chose: without them the response
 * differs, or wrong values get the same response.
 */
const mayBeValues = async (
  session: Session,
  { template, refusal }: Refused,
  accepted: ListedTemplate,
): Promise<boolean> => {
  if (template.variables.length === 0) return false;
  const answerTo = (listed: ListedTemplate, variables: JsonObject): Promise<Exchange> =>
    session.send('sendTemplateEmail', {
      path: refusal.path,
      body: { ...templateEmail(session, listed), variables },
      intent: 'probe',
    });
  const isSame = (other: Exchange): boolean => responseFingerprint(other) === responseFingerprint(refusal);
  if (!isSame(await answerTo(template, {}))) return true;
  return isSame(await answerTo(accepted, { contract_test: 7 }));
};

const expectSent = async (session: Session, refused: Refused, accepted: ListedTemplate): Promise<void> => {
  const { template, refusal } = refused;
  if (!isUsable(template)) return;
  const sent = sentTemplates(session);
  const listed = await listAgain(session);
  const list = session.client.exchanges.findLast(({ operation }) => operation === 'listTemplates');
  // Another user may have deleted the template.
  if (!list || !listed?.some(({ id }) => id === template.id)) return;
  if (hasOwnState(itemsOf(list), template.id, sent) || (await mayBeValues(session, refused, accepted)))
    return;
  // An exhausted quota refuses every template, including one that was sent before.
  const { path, body = '' } = refusal;
  const other = await session.send('sendTemplateEmail', { path, body: templateEmail(session, accepted) });
  if (other.outcome !== 'success')
    throw new CheckInconclusive(`template mails are refused now: ${describeRefusal(other)}`);
  // An intermittent refusal is reported by `email.template.every-time`.
  if (!isRefusal(await session.send('sendTemplateEmail', { path, raw: body }))) return;
  fail(
    'a listed template to be accepted in a documented mail, like another listed template',
    `refused: ${describeRefusal(refusal)}`,
    refusal,
  );
};

/** Maximum number of refused templates to examine. Each one costs mails, and most have the same reason as the first. */
const maxExamined = 2;

const anyListedTemplate: ActiveCheck = {
  id: 'email.template.any-listed',
  title: 'if one listed template can be sent, the other listed templates can be sent too',
  level: 'derived',
  ...claimOf('sendTemplateEmail'),
  // It requests mails only if an earlier check got a refusal.
  run: async (session) => {
    const { template: accepted } = session.requirements;
    const refused = refusedTemplates(session).filter(({ template }) => template.id !== accepted?.id);
    if (accepted) for (const each of refused.slice(0, maxExamined)) await expectSent(session, each, accepted);
  },
};

/** Content that ordinary mails have in a field: its name in messages, a pattern to find it, and a function to add it. */
type Habit = {
  readonly field: 'subject' | 'html';
  readonly words: string;
  readonly pattern: RegExp;
  readonly change: (text: string) => string;
};

const letters = 'Größe für Zoë';
const quotes = `"soon" & 'now'`;

/** Emoji and markup may be refused, but not letters of languages other than English. */
const habits: readonly Habit[] = [
  {
    field: 'subject',
    words: show(letters),
    pattern: /\P{ASCII}/u,
    change: (text) => `${text}: ${letters}`,
  },
  {
    field: 'html',
    words: show(letters),
    pattern: /\P{ASCII}/u,
    change: (text) => text.replace('</p>', ` ${letters}</p>`),
  },
  { field: 'subject', words: quotes, pattern: /"soon"/, change: (text) => `${text}: ${quotes}` },
  { field: 'subject', words: 'only digits', pattern: /^\d+$/, change: digitsOf },
  { field: 'html', words: 'a line that consists of a dot', pattern: /\n\.\r/, change: asLines },
];

/** Whether an earlier mail with this content in the field was accepted. */
const wasTaken = ({ client }: Session, { field, pattern }: Habit): boolean =>
  client.exchanges.some(
    ({ operation, intent, outcome, body = '' }) =>
      operation === 'sendEmail' &&
      intent === 'text' &&
      outcome === 'success' &&
      pattern.test(String((JSON.parse(body) as JsonObject)[field])),
  );

const expectTaken = async (session: Session, habit: Habit): Promise<void> => {
  if (wasTaken(session, habit)) return;
  const { field, words, change } = habit;
  const mail = completeEmail(session);
  const exchange = await sendMail(session, { ...mail, [field]: change(String(mail[field])) }, 'text');
  if (exchange.outcome !== 'refusal') return;
  const usual = await sendMail(session, mail);
  if (usual.outcome !== 'success')
    throw new CheckInconclusive(`the deployment also refuses other mails: ${describeRefusal(usual)}`);
  fail(
    `a mail with ${words} in ${field} to be accepted, like the same mail without this text`,
    `refused: ${describeRefusal(exchange)}`,
    exchange,
  );
};

/** Refusals of documented requests, while nearly the same request is accepted. */
export const refusedMailChecks: readonly ActiveCheck[] = [
  anyListedTemplate,
  {
    id: 'email.send.letters',
    title: 'letters beyond ASCII, quotes, digits and lines are accepted in subject and html',
    level: 'derived',
    ...claimOf('sendEmail'),
    // No mails if `email.send.success` has sent such mails and they were accepted.
    mails: habits.length,
    run: async (session) => {
      for (const habit of habits) await expectTaken(session, habit);
    },
  },
];
