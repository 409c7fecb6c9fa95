import type { QuestionId } from '../../../mock/contract/questions.ts';
import {
  describeRefusal,
  type Exchange,
  type JsonObject,
  responseFingerprint,
} from '../../exchange/exchange.ts';
import { routes } from '../../exchange/operations.ts';
import { controls, saysNothingIsThere, unknownPath } from '../../session/availability.ts';
import { completeEmail, templateEmail } from '../../session/email-requests.ts';
import type { Session } from '../../session/session.ts';
import type { ListedTemplate } from '../../session/shared.ts';
import {
  answerFrom,
  byOutcome,
  inconclusive,
  type Probe,
  type ProbeAnswer,
  type ProbeContext,
  statusProbe,
} from './probe.ts';

const mailProbe = (
  question: QuestionId,
  needs: Probe['needs'],
  description: string,
  changes: JsonObject,
  [acceptedAnswer, refused]: readonly [string, string] = ['optional', 'required'],
): Probe => ({
  question,
  needs,
  description,
  uses: ['sendEmail'],
  mails: 1,
  probe: async (session) => {
    const body = { ...completeEmail(session), ...changes };
    return byOutcome(await session.send('sendEmail', { body, intent: 'probe' }), acceptedAnswer, refused);
  },
});

/** §4.1: a complete mail with one missing or invalid field each. */
export const emailProbes: readonly Probe[] = [
  mailProbe('send.from', 'send', 'POST a mail without `from`', { from: undefined }),
  mailProbe('send.subject', 'send', 'POST a mail without `subject`', { subject: undefined }),
  mailProbe('send.html', 'send', 'POST a mail without `html`', { html: undefined }),
  mailProbe(
    'send.address-format',
    'send',
    'POST a mail `from: "not an address"`',
    { from: 'not an address' },
    ['unchecked', 'checked'],
  ),
];

/** §4.1: a mail without a recipient; the service decides who receives it. */
export const unaddressedEmailProbe: Probe = mailProbe('send.to', 'unaddressed', 'POST a mail without `to`', {
  to: undefined,
});

/** A value for each variable, as in discovery. */
const valuesFor = (session: Session, template: ListedTemplate): JsonObject =>
  templateEmail(session, template).variables as JsonObject;

/** §4.3: with `to`, unless the deployment is known to reject it. */
const recipient = ({ permissions }: Session, { answers }: ProbeContext): JsonObject =>
  answers.get('template-send.to') === 'rejected' ? {} : { to: permissions.sendTo ?? '' };

const post = (session: Session, body: JsonObject, path?: string): Promise<Exchange> =>
  session.send('sendTemplateEmail', { body, intent: 'probe', ...(path === undefined ? {} : { path }) });

const mail = (
  session: Session,
  known: ProbeContext,
  template: ListedTemplate,
  changes: JsonObject = {},
): JsonObject => ({
  template_id: template.id,
  variables: valuesFor(session, template),
  ...recipient(session, known),
  ...changes,
});

const anyTemplate = ({ requirements, templates }: Session): ListedTemplate =>
  requirements.template ?? templates[0] ?? inconclusive('the deployment lists no template');

/** The template that could be sent, if it has variables; otherwise the first one that has variables. */
const withVariables = (session: Session): ListedTemplate => {
  const candidates = [anyTemplate(session), ...session.templates];
  return (
    candidates.find(({ variables }) => variables.length > 0) ??
    inconclusive('the deployment lists no template with variables')
  );
};

const templateMail = ['sendTemplateEmail'] as const;

/** §4.3: runs before the other probes, which name a recipient unless that is rejected; the deployment may ignore it. */
export const recipientProbe: Probe = {
  question: 'template-send.to',
  needs: 'unaddressed',
  uses: templateMail,
  description: 'POST a template mail with `to` and without it',
  mails: 2,
  probe: async (session) => {
    const template = anyTemplate(session);
    const body = { template_id: template.id, variables: valuesFor(session, template) };
    const without = await post(session, body);
    const exchange = await post(session, { ...body, to: session.permissions.sendTo ?? '' });
    const [named, unnamed] = [answerFrom(exchange), answerFrom(without)];
    if (named === 'accepted')
      return unnamed === 'accepted'
        ? { answer: 'optional', exchange: without }
        : { answer: 'required', exchange: without };
    return unnamed === 'accepted'
      ? { answer: 'rejected', exchange }
      : inconclusive(`refused with a recipient and without one: ${describeRefusal(exchange)}`);
  },
};

/**
 * Finds the path forms that send template mail. A success at a path form counts only if it differs
 * from the response to any path or any method.
 */
const formAnswer = async (session: Session, body: JsonObject): Promise<ProbeAnswer> => {
  const replies: Exchange[] = [];
  for (const path of routes.sendTemplateEmail.paths) replies.push(await post(session, body, path));
  const nothing = [...(await controls(session)), await post(session, body, unknownPath(session))];
  const generic = new Set(nothing.filter(({ outcome }) => outcome === 'success').map(responseFingerprint));
  const sends = (reply: Exchange | undefined): boolean =>
    reply?.outcome === 'success' && !generic.has(responseFingerprint(reply));
  const [listed, example] = replies as [Exchange, Exchange];
  if (sends(listed) && sends(example))
    return { answer: 'both', exchange: example, detail: 'sent at both paths' };
  const [here, there] = sends(listed) ? [listed, example] : [example, listed];
  if (sends(here) && saysNothingIsThere(there, nothing))
    return { answer: here === listed ? 'template' : 'send-template', exchange: there };
  return inconclusive(
    sends(here)
      ? `${there.path} neither sends nor reports that it does not exist: ${describeRefusal(there)}`
      : 'its success response is the same as the response of any path',
  );
};

const recipientFirst: readonly QuestionId[] = ['template-send.to'];

const variablesProbe = (
  question: QuestionId,
  description: string,
  ask: (session: Session, known: ProbeContext) => JsonObject,
  [acceptedAnswer, refused]: readonly [string, string] = ['accepted', 'rejected'],
  dependsOn: readonly QuestionId[] = recipientFirst,
): Probe => ({
  question,
  needs: 'unaddressed',
  uses: templateMail,
  description,
  mails: 1,
  dependsOn,
  probe: async (session, known) =>
    byOutcome(await post(session, ask(session, known)), acceptedAnswer, refused),
});

/** §4.3 and §4.4. */
export const templateEmailProbes: readonly Probe[] = [
  {
    question: 'templates.send-path',
    needs: 'unaddressed',
    uses: templateMail,
    description:
      'POST a complete template mail at both path forms; a form exists when its response differs from that of a random path',
    mails: 3,
    dependsOn: recipientFirst,
    probe: (session, known) => formAnswer(session, mail(session, known, anyTemplate(session))),
  },
  variablesProbe(
    'template-send.missing-variable',
    'POST a template mail that leaves out one variable of the template',
    (session, known) => {
      const template = withVariables(session);
      const [, ...others] = template.variables;
      return mail(session, known, template, {
        variables: valuesFor(session, { ...template, variables: others }),
      });
    },
  ),
  variablesProbe(
    'template-send.extra-variable',
    'POST a template mail with a variable `contract_test` that the template does not list',
    (session, known) => {
      const template = anyTemplate(session);
      return mail(session, known, template, {
        variables: { ...valuesFor(session, template), contract_test: 'Contract test' },
      });
    },
  ),
  variablesProbe(
    'template-send.variables',
    'POST a mail from a template without variables, leaving `variables` out',
    (session, known) => {
      const lenient = known.answers.get('template-send.missing-variable') === 'accepted';
      const template =
        session.templates.find(({ variables }) => variables.length === 0) ??
        // If a missing variable is accepted, any template is suitable.
        (lenient ? anyTemplate(session) : undefined) ??
        inconclusive('every template has variables, and a missing variable is refused anyway');
      return mail(session, known, template, { variables: undefined });
    },
    ['optional', 'required'],
    [...recipientFirst, 'template-send.missing-variable'],
  ),
  statusProbe({
    question: 'failure.unknown-template-status',
    needs: 'unaddressed',
    uses: templateMail,
    description: 'POST a valid template mail with an unknown `template_id`',
    mails: 1,
    dependsOn: recipientFirst,
    ask: (session, known) => {
      const template_id = session.unique('template').replaceAll(' ', '-').toLowerCase();
      return post(session, { template_id, variables: {}, ...recipient(session, known) });
    },
  }),
];
