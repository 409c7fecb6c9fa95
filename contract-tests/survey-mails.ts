import type { Exchange } from './exchange.ts';
import { conclude, type Finding, isPlainRefusal, persistently, succeeded, unable } from './finding.ts';
import { completeEmail, templateEmail } from './mails.ts';
import { type ListedTemplate, paths, type Session } from './session.ts';
import { inOurTerms, listAgain, told } from './survey-list.ts';

export const surveySend = async (session: Session): Promise<Finding> => {
  const ask = (): Promise<Exchange> =>
    persistently(() => session.send('sendEmail', { body: completeEmail(session) }));
  const addressed = await ask();
  if (isPlainRefusal(addressed) && session.permissions.unaddressed) {
    session.demands.sendWithoutTo = true;
    const unaddressed = await ask();
    if (!isPlainRefusal(unaddressed)) return conclude(session, 'sendEmail', [unaddressed]);
    session.demands.sendWithoutTo = false;
  }
  return conclude(session, 'sendEmail', [addressed], 'another sender may help: --from ADDRESS');
};

const sendAtEveryForm = async (session: Session, template: ListedTemplate): Promise<Exchange[]> => {
  const replies: Exchange[] = [];
  for (const path of paths.sendTemplateEmail) {
    const body = templateEmail(session, template);
    replies.push(await persistently(() => session.send('sendTemplateEmail', { path, body })));
  }
  return replies;
};

const works = (replies: readonly Exchange[]): boolean =>
  replies.some(({ outcome }) => outcome === 'success' || outcome === 'broken');

/** Templates to try before a refusal counts: the first may be a draft, or want values of a kind nobody told us. */
export const templatesTried = 2;

export const surveyTemplateSend = async (session: Session): Promise<Finding> => {
  if (session.templates.length === 0)
    return unable(session, 'sendTemplateEmail', { skipped: 'the deployment lists no template' });
  const hint = session.permissions.unaddressed ? '' : 'it may not take a recipient: --allow-unaddressed';
  const replies = await tryTemplates(session);
  if (works(replies) || !(await renewed(session)))
    return conclude(session, 'sendTemplateEmail', onlyForms(replies), hint);
  return conclude(session, 'sendTemplateEmail', onlyForms(await tryTemplates(session)), hint);
};

/** Whether the first template tried is listed no longer, and others are: somebody may delete one at any time. */
const renewed = async (session: Session): Promise<boolean> => {
  const [tried] = session.templates;
  const now = (await listAgain(session)) ?? [];
  if (now.length === 0 || now.some(({ id }) => id === tried?.id)) return false;
  session.templates.splice(0, session.templates.length, ...now);
  return true;
};

/** The replies of the first template that can be sent, or of the first. */
const tryTemplates = async (session: Session): Promise<readonly Exchange[]> => {
  let first: readonly Exchange[] | undefined;
  for (const template of session.templates.slice(0, templatesTried)) {
    const replies = await tryTemplate(session, template);
    session.demands.template = template;
    if (works(replies)) return replies;
    first ??= replies;
    // Absent or failing is not for the template to change.
    if (!replies.some(isPlainRefusal)) break;
  }
  return first ?? [];
};

const tryTemplate = async (session: Session, template: ListedTemplate): Promise<Exchange[]> => {
  const { unaddressed } = session.permissions;
  session.demands.templateTo = !unaddressed;
  const stated = await sendAtEveryForm(session, template);
  const own = await told(session, stated);
  session.demands.templateWithoutTo = unaddressed && own.some(succeeded);
  if (!unaddressed) return works(own) ? own : stated;
  // With a recipient from here on, where that is taken: a mail that names nobody may reach anybody.
  session.demands.templateTo = true;
  const working = own.find(succeeded);
  if (works(own)) {
    const { path } = working ?? own[0] ?? { path: paths.sendTemplateEmail[0] };
    const body = templateEmail(session, template);
    const addressed = await session.send('sendTemplateEmail', { path, body, intent: 'probe' });
    session.demands.templateTo = addressed.outcome === 'success';
    return own;
  }
  // Absent or not: a deployment may say 404 of a body that lacks its recipient.
  const addressed = await sendAtEveryForm(session, template);
  const ownAddressed = await told(session, addressed);
  return works(ownAddressed) ? ownAddressed : addressed;
};

/** Of several path forms, those that exist; an absent one is no finding while another answers. */
const onlyForms = (replies: readonly Exchange[]): readonly Exchange[] => {
  const existing = replies.filter(
    (reply) => reply.outcome === 'success' || (reply.outcome === 'broken' && inOurTerms(reply)),
  );
  return existing.length > 0 ? existing : replies;
};
