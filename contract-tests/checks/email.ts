import { type ActiveCheck, CheckInconclusive, fail, show } from '../check.ts';
import { type Exchange, wordsOf } from '../exchange.ts';
import { templateEmail } from '../mails.ts';
import type { ListedTemplate, Session } from '../session.ts';
import { listAgain } from '../survey-list.ts';

const template = { operation: 'sendTemplateEmail', needs: 'mail', section: '4.3' } as const;

/** Mails for the templates of a list: as many templates, and where there are fewer, those again. */
const tried = 9;

/** From both ends of the list and from between, because a fault may be one template's own, and each costs a mail. */
const sample = (templates: readonly ListedTemplate[], size = tried): ListedTemplate[] => {
  const count = templates.length;
  const step = Math.max(1, (count - 1) / (size - 1));
  return Array.from(
    { length: Math.min(size, count) },
    (_, index) => templates[Math.round(index * step)],
  ).filter((one) => one !== undefined);
};

/** As many sends as there are mails for: a fault that comes and goes shows in them. */
const rounds = (templates: readonly ListedTemplate[]): ListedTemplate[] => {
  const chosen = sample(templates);
  return Array.from(
    { length: chosen.length === 0 ? 0 : tried },
    (_, index) => chosen[index % chosen.length],
  ).filter((one) => one !== undefined);
};

const expectKnown = async (
  session: Session,
  path: string,
  listed: ListedTemplate,
  known: ListedTemplate | undefined,
): Promise<boolean> => {
  const send = (template = listed): Promise<Exchange> =>
    session.send('sendTemplateEmail', { path, body: templateEmail(session, template) });
  const exchange = await send();
  // Where it failed, it is asked for again: once may be chance, twice is how it works (`email.template.success`).
  if (exchange.status >= 500 && exchange.outcome !== 'gateway') await send();
  if (exchange.outcome !== 'refusal' || exchange.status >= 500) return exchange.outcome === 'success';
  const unknown = await session.send('sendTemplateEmail', {
    path,
    body: unknownTemplate(session),
    intent: 'probe',
  });
  const alike =
    exchange.status === unknown.status && masked(exchange, listed.id) === masked(unknown, unknownId(session));
  if (exchange.status !== 404 && !alike) return false;
  // A quota that is used up refuses any template, one that was sent before too.
  if (known && (await send(known)).outcome === 'refusal')
    throw new CheckInconclusive(`template mails are refused by now: ${wordsOf(exchange)}`);
  if (await isListedStill(session, listed))
    fail('a template that the list names to be known', `refused: ${wordsOf(exchange)}`, exchange);
  return false;
};

/** Somebody may have deleted it since it was listed. */
const isListedStill = async (session: Session, { id }: ListedTemplate): Promise<boolean> => {
  const templates = await listAgain(session);
  return templates === undefined || templates.some((one) => one.id === id);
};

export const emailChecks: readonly ActiveCheck[] = [
  {
    id: 'email.template.listed-ids-known',
    title: 'the id of a listed template is known',
    level: 'documented',
    ...template,
    mails: tried + 2,
    run: async (session) => {
      const ability = session.abilities.get('sendTemplateEmail');
      for (const [index, path] of (ability?.usable ? ability.forms : []).entries()) {
        const templates = rounds(session.templates);
        // The last of a list is where an alias is most likely to differ; each costs a mail.
        let known: ListedTemplate | undefined;
        for (const listed of index === 0 ? templates : session.templates.slice(-2))
          if (await expectKnown(session, path, listed, known)) known = listed;
      }
    },
  },
  {
    id: 'email.template.refuses-unknown',
    title: 'a template that does not exist is refused',
    level: 'derived',
    ...template,
    mails: 2,
    run: async (session) => {
      const ability = session.abilities.get('sendTemplateEmail');
      for (const path of ability?.usable ? ability.forms : []) {
        const exchange = await session.send('sendTemplateEmail', {
          path,
          body: unknownTemplate(session),
          intent: 'probe',
        });
        if (exchange.outcome === 'success')
          fail('a refusal', `success for the unknown template ${show(unknownId(session))}`, exchange);
      }
    },
  },
];

const unknownId = ({ runId }: Session): string => `contract-test-${runId}-unknown`;

const unknownTemplate = (session: Session): object =>
  templateEmail(session, {
    id: unknownId(session),
    body: '',
    variables: session.demands.template?.variables ?? [],
  });

const masked = (exchange: Exchange, id: string): string => exchange.rawText.replaceAll(id, '');
