import { describeRefusal, type Exchange, isRefusal } from '../client/exchange.ts';
import type { ActiveCheck } from '../session/check.ts';
import { listAgain, requireList, templateEmail } from '../session/email-requests.ts';
import { claimOf } from '../session/operations.ts';
import { CheckFailed, CheckInconclusive, CheckSkipped, fail, show } from '../session/outcome.ts';
import type { Session } from '../session/session.ts';
import type { ListedTemplate } from '../session/shared.ts';
import { changedBySending } from './template-history.ts';

const template = claimOf('sendTemplateEmail');

/** Number of mails for the listed templates. Templates are repeated if there are fewer. */
const mailCount = 7;

/**
 * Selects templates evenly from the list, including both ends: a fault may concern a single
 * template, and each one costs a mail.
 */
const sample = (templates: readonly ListedTemplate[], size = mailCount): ListedTemplate[] => {
  const count = templates.length;
  const step = Math.max(1, (count - 1) / (size - 1));
  return Array.from(
    { length: Math.min(size, count) },
    (_, index) => templates[Math.round(index * step)],
  ).filter((template) => template !== undefined);
};

/** Repeats templates up to the number of mails, so that an intermittent fault is visible. */
const rounds = (templates: readonly ListedTemplate[]): ListedTemplate[] => {
  const chosen = sample(templates);
  return Array.from(
    { length: chosen.length === 0 ? 0 : mailCount },
    (_, index) => chosen[index % chosen.length],
  ).filter((template) => template !== undefined);
};

const sendFrom = (
  session: Session,
  path: string,
  template: ListedTemplate,
  intent: Exchange['intent'] = 'complete',
): Promise<Exchange> =>
  session.send('sendTemplateEmail', { path, body: templateEmail(session, template), intent });

/** The first two mails are sent concurrently, to find a server that mixes up the state of two requests. */
const inBatches = (templates: readonly ListedTemplate[]): ListedTemplate[][] => [
  templates.slice(0, 2),
  ...templates.slice(2).map((template) => [template]),
];

const expectTemplateAccepted = async (
  session: Session,
  path: string,
  listed: ListedTemplate,
  known: ListedTemplate | undefined,
  exchange: Exchange,
): Promise<boolean> => {
  const send = (template = listed, intent: Exchange['intent'] = 'complete'): Promise<Exchange> =>
    sendFrom(session, path, template, intent);
  // Repeats the mail after a server error: one error may be a coincidence, two count in `email.template.success`.
  if (exchange.status >= 500 && exchange.outcome !== 'gateway') {
    await send();
    // If another template succeeds, this template fails, and not the operation.
    const { template: other } = session.requirements;
    if (other && other.id !== listed.id) await send(other);
  }
  if (!isRefusal(exchange)) return exchange.outcome === 'success';
  // A second attempt: an intermittent refusal is reported by `email.template.every-time`.
  const repeat = { path, raw: exchange.body ?? '', intent: 'probe' } as const;
  if ((await session.send('sendTemplateEmail', repeat)).outcome === 'success') return true;
  const unknown = await session.send('sendTemplateEmail', {
    path,
    body: unknownTemplate(session),
    intent: 'probe',
  });
  const sameResponse =
    exchange.status === unknown.status && masked(exchange, listed.id) === masked(unknown, session.unknownId);
  if (exchange.status !== 404 && !sameResponse) return false;
  // An exhausted quota refuses every template, including one that was sent before.
  if (known && (await send(known)).outcome === 'refusal')
    throw new CheckInconclusive(`template mails are refused now: ${describeRefusal(exchange)}`);
  if (await isStillListed(session, listed))
    fail('a listed template to be known', `refused: ${describeRefusal(exchange)}`, exchange);
  return false;
};

/** Whether the template is still listed: another user may have deleted it. */
const isStillListed = async (session: Session, { id }: ListedTemplate): Promise<boolean> =>
  (await requireList(session)).some((template) => template.id === id);

const templateSends = ({ client }: Session): readonly Exchange[] =>
  client.exchanges.filter(
    ({ operation, intent, outcome }) =>
      operation === 'sendTemplateEmail' && intent === 'complete' && outcome === 'success',
  );

export const emailChecks: readonly ActiveCheck[] = [
  {
    id: 'email.send.as-documented',
    title: 'a mail with a subject, a sender, a recipient and some HTML is accepted',
    level: 'derived',
    ...claimOf('sendEmail'),
    run: async ({ requirements }) => {
      const { sendRefused } = requirements;
      if (sendRefused)
        fail(
          'a mail as the document shows it to be accepted',
          `accepted ${sendRefused.accepted}: ${describeRefusal(sendRefused.exchange)}`,
          sendRefused.exchange,
        );
    },
  },
  // Before the following checks, so that valid mails come directly after it.
  {
    id: 'email.template.refuses-unknown',
    title: 'an unknown template gets an error response',
    level: 'derived',
    ...template,
    mails: 2,
    run: async (session) => {
      for (const path of session.pathForms('sendTemplateEmail'))
        await expectUnknown(session, path, session.unknownId);
    },
  },
  {
    id: 'email.template.listed-ids-known',
    title: 'every listed template id is accepted',
    level: 'documented',
    ...template,
    mails: mailCount + 2,
    run: async (session) => {
      for (const [index, path] of session.pathForms('sendTemplateEmail').entries()) {
        const templates = rounds(session.templates);
        // An alias is most likely to differ for the last templates of the list; each one costs a mail.
        let known: ListedTemplate | undefined;
        // Lists the templates before each mail and after the last one, to see what a mail changes.
        await listAgain(session);
        for (const batch of inBatches(index === 0 ? templates : session.templates.slice(-2))) {
          const exchanges = await Promise.all(batch.map((listed) => sendFrom(session, path, listed)));
          for (const [position, exchange] of exchanges.entries()) {
            const listed = batch[position];
            if (listed && (await expectTemplateAccepted(session, path, listed, known, exchange)))
              known = listed;
          }
          await listAgain(session);
        }
      }
    },
  },
  {
    id: 'email.template.refuses-longer-id',
    title: 'a template id with characters added or removed at its end gets an error response',
    level: 'derived',
    ...template,
    mails: 2,
    // After all checks that send mail from templates.
    alone: true,
    run: async (session) => {
      const [path] = session.pathForms('sendTemplateEmail');
      const [listed] = session.templates;
      if (!listed) throw new CheckSkipped('no template is listed');
      if (path) await expectUnknown(session, path, `${listed.id}-${session.unknownId}`);
      const cut = session.templates
        .map(({ id }) => id)
        .find(isLongWord)
        ?.slice(0, -1);
      if (path && cut !== undefined && !session.templates.some(({ id }) => id === cut))
        await expectUnknown(session, path, cut);
    },
  },
  {
    id: 'email.template.keeps-templates',
    title: 'sending from templates does not change the list of templates',
    level: 'documented',
    ...template,
    // After all checks that send mail from templates.
    alone: true,
    run: async (session) => {
      const [first, ...others] = await changedBySending(session);
      if (first)
        throw new CheckFailed({
          expected: 'each template that was used for a mail to be listed unchanged',
          actual: `${first}, of ${others.length + 1} templates that were used`,
          exchange: session.client.exchanges.findLast(({ check }) => check === session.check),
          causes: templateSends(session),
        });
    },
  },
];

/** Whether an id is long enough that it is unlikely to be another template's id without its last letter. */
const isLongWord = (id: string): boolean => id.length > 8 && /[a-z]$/i.test(id);

const unknownTemplate = (session: Session, id = session.unknownId): object =>
  templateEmail(session, {
    id,
    body: '',
    variables: session.requirements.template?.variables ?? [],
  });

const expectUnknown = async (session: Session, path: string, id: string): Promise<void> => {
  const exchange = await session.send('sendTemplateEmail', {
    path,
    body: unknownTemplate(session, id),
    intent: 'probe',
  });
  if (exchange.outcome === 'success')
    fail('an error response', `success for the unknown template ${show(id)}`, exchange);
};

const masked = (exchange: Exchange, id: string): string => exchange.rawText.replaceAll(id, '');
