import { type ActiveCheck, fail, show } from '../check.ts';
import { type Exchange, wordsOf } from '../exchange.ts';
import type { ListedTemplate, Session } from '../session.ts';
import { templateEmail } from '../survey.ts';

const template = { operation: 'sendTemplateEmail', needs: 'mail', section: '4.3' } as const;

/** A few from both ends of the list: the last of many is where a fault hides, and each costs a mail. */
const sample = (templates: readonly ListedTemplate[]): ListedTemplate[] =>
  templates.length <= 5 ? [...templates] : [...templates.slice(0, 3), ...templates.slice(-2)];

const expectKnown = async (
  session: Session,
  path: string,
  templates: readonly ListedTemplate[],
): Promise<void> => {
  const unknown = await session.send('sendTemplateEmail', {
    path,
    body: unknownTemplate(session),
    intent: 'probe',
  });
  for (const listed of templates) {
    const exchange = await session.send('sendTemplateEmail', { path, body: templateEmail(session, listed) });
    if (exchange.outcome !== 'refusal' || exchange.status >= 500) continue;
    const alike =
      exchange.status === unknown.status &&
      masked(exchange, listed.id) === masked(unknown, unknownId(session));
    if (exchange.status === 404 || alike) {
      fail('a template that the list names to be known', `refused: ${wordsOf(exchange)}`, exchange);
    }
  }
};

export const emailChecks: readonly ActiveCheck[] = [
  {
    id: 'email.template.listed-ids-known',
    title: 'the id of a listed template is known',
    level: 'documented',
    ...template,
    mails: 9,
    run: async (session) => {
      const ability = session.abilities.get('sendTemplateEmail');
      for (const [index, path] of (ability?.usable ? ability.forms : []).entries()) {
        const templates = sample(session.templates);
        // The last of them is where an alias is most likely to differ; each costs a mail.
        await expectKnown(session, path, index === 0 ? templates : templates.slice(-2));
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
