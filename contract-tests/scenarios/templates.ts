import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, isSuccess, templateIdOf } from '../exchange/exchange.ts';
import { listAgain, templateEmail } from '../session/requests.ts';
import type { Session } from '../session/session.ts';
import type { ListedTemplate } from '../session/shared.ts';
import { repeatMail } from './expect-alike.ts';
import type { Scenario } from './scenario.ts';
import type { Tools } from './tools.ts';

/** The list again and again, under every path form, and twice at the same time. */
const list = async ({ session }: Tools): Promise<void> => {
  const forms = session.pathForms('listTemplates');
  const ask = (path = forms[0] ?? ''): Promise<Exchange> => session.send('listTemplates', { path });
  // The last form twice in a row: that one list differs from the list before it is then not due to the form.
  for (let count = 0; count < 2; count += 1) await ask(forms.at(-1));
  // Twice, because somebody may edit a template once and undo it.
  await Promise.all([ask(), ask()]);
  await ask();
  await Promise.all([ask(), ask()]);
};

/** Number of mails from different templates. They are repeated if there are fewer. */
const mails = 7;

/** Templates at equal distances, both ends of the list included: a fault may concern a single template. */
const sample = (templates: readonly ListedTemplate[]): readonly ListedTemplate[] =>
  Array.from({ length: mails }, (_, turn) =>
    Math.round((turn * (templates.length - 1)) / (mails - 1)),
  ).flatMap((at) => templates[at] ?? []);

/** Milliseconds of real time in which a request reaches the deployment, which has not responded to it yet. */
const onItsWayMs = 10;

/** The list while a mail is being sent. */
export const listMeanwhile = async (session: Session): Promise<Exchange> => {
  await sleep(onItsWayMs);
  return session.send('listTemplates');
};

/** Another mail, or a list, at the same time as the mails of a scenario. */
type Beside = () => Promise<unknown>;

/** Mails from templates at the same time, beside another request if there is one, and the list after them. */
const mailFrom = async (
  session: Session,
  templates: readonly ListedTemplate[],
  { form, beside }: { readonly form?: string; readonly beside?: Beside } = {},
): Promise<void> => {
  const path = form ?? session.pathForms('sendTemplateEmail')[0] ?? '';
  const sendFrom = (template: ListedTemplate): Promise<Exchange> =>
    session.send('sendTemplateEmail', { path, body: templateEmail(session, template) });
  await Promise.all([beside?.(), ...templates.map(sendFrom)]);
  await listAgain(session);
};

/**
 * Mail from a template that no mail was sent from yet, if there is one: what it changes may happen only once. The simplest one has
 * the fewest variables, because a fault may concern a template without any. The last one is, before others, one that was refused.
 */
export const mailFromUnused = async (
  session: Session,
  place: 'simplest' | 'last',
  beside?: Beside,
): Promise<void> => {
  const listed = (await listAgain(session)) ?? [];
  const mails = session.client.exchanges.filter(({ operation }) => operation === 'sendTemplateEmail');
  const [tried, accepted] = [mails, mails.filter(isSuccess)].map((some) => new Set(some.map(templateIdOf)));
  const unused = listed.filter(({ id }) => !accepted?.has(id));
  const all = unused.length > 0 ? unused : listed;
  const [simplest] = all.toSorted((left, right) => left.variables.length - right.variables.length);
  const last = unused.find(({ id }) => tried?.has(id)) ?? all.at(-1);
  const chosen = place === 'simplest' ? simplest : last;
  await mailFrom(session, chosen ? [chosen] : [], beside && { beside });
};

/** Mail from as many templates as a thorough run may use. */
const mailEach = async ({ session }: Tools): Promise<void> => {
  const listed = (await listAgain(session)) ?? [];
  for (const template of sample(listed)) await mailFrom(session, [template]);
  // Another path form is most likely to differ for the last templates of the list.
  const [, ...otherForms] = session.pathForms('sendTemplateEmail');
  for (const form of otherForms) await mailFrom(session, listed.slice(-2), { form });
};

/** A mail from a template that does not exist. */
export const tryUnknown = (
  session: Session,
  id: string,
  path = session.pathForms('sendTemplateEmail')[0] ?? '',
): Promise<Exchange> => {
  const { template } = session.requirements;
  const body = templateEmail(session, { id, body: '', variables: template?.variables ?? [] });
  return session.send('sendTemplateEmail', { path, body, intent: 'probe' });
};

/** Whether an id is long enough that it is unlikely to be another template's id without its last letter. */
const isLongWord = (id: string): boolean => id.length > 8 && /[a-z]$/i.test(id);

/** Unknown ids; some begin or end like the one of a template, also for software that reads numbers, or are its beginning. */
const tryUnknownIds = async ({ session }: Tools): Promise<void> => {
  const listed = ((await listAgain(session)) ?? []).map(({ id }) => id);
  for (const path of session.pathForms('sendTemplateEmail'))
    await tryUnknown(session, session.unknownId, path);
  const [first] = listed;
  if (first !== undefined) {
    await tryUnknown(session, `${first}-${session.unknownId}`);
    if (!listed.includes(`0${first}`)) await tryUnknown(session, `0${first}`);
  }
  const cut = listed.find(isLongWord)?.slice(0, -1);
  if (cut !== undefined && !listed.includes(cut)) await tryUnknown(session, cut);
};

export const templateScenarios: readonly Scenario[] = [
  {
    id: 'templates.list',
    needs: 'read',
    decides: ['templates.list.agrees', 'templates.list.same-created-at', 'templates.list.every-time'],
    run: list,
  },
  {
    id: 'email.template.unknown',
    needs: 'mail',
    mails: 5,
    decides: ['email.template.refuses-unknown'],
    run: tryUnknownIds,
  },
  // After refusals of unknown templates: a success shows that they are no outage.
  {
    id: 'email.template.listed',
    needs: 'mail',
    mails: 2,
    decides: [
      'email.template.listed-ids-known',
      'email.template.keeps-templates',
      'email.template.every-time',
      'email.template.repeatable',
    ],
    run: async ({ session }) => {
      await tryUnknown(session, session.unknownId);
      await mailFromUnused(session, 'last', () => repeatMail(session, 'sendTemplateEmail'));
    },
  },
  {
    id: 'email.template.every',
    needs: 'mail',
    mails: mails + 2,
    thorough: true,
    decides: ['email.template.listed-ids-known', 'email.template.every-time'],
    run: mailEach,
  },
];
