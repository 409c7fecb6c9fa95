import {
  describeRefusal,
  type Exchange,
  type JsonObject,
  responseFingerprint,
} from '../../exchange/exchange.ts';
import { routes } from '../../exchange/operations.ts';
import { controls, unknownPath } from '../../session/availability.ts';
import { completeEmail, templateEmail } from '../../session/requests.ts';
import type { Session } from '../../session/session.ts';
import type { ListedTemplate } from '../../session/shared.ts';
import { formAnswer } from './paths.ts';
import {
  type Ask,
  answerFrom,
  inconclusive,
  oneRequestEach,
  type Probe,
  type ProbeAnswer,
  type ProbeContext,
  rejected,
  required,
} from './probe.ts';

/** Sends a complete mail with one field that is missing or invalid. */
export const mailWith =
  (changes: JsonObject): Ask =>
  (session) =>
    session.send('sendEmail', { body: { ...completeEmail(session), ...changes }, intent: 'probe' });

/** §4.1: a complete mail with one missing or invalid field each. */
export const emailProbes = oneRequestEach({ needs: 'send', uses: ['sendEmail'], mails: 1 }, [
  ['send.from', 'POST a mail without `from`', mailWith({ from: undefined }), required],
  ['send.subject', 'POST a mail without `subject`', mailWith({ subject: undefined }), required],
  ['send.html', 'POST a mail without `html`', mailWith({ html: undefined }), required],
  [
    'send.address-format',
    'POST a mail `from: "not an address"`',
    mailWith({ from: 'not an address' }),
    ['unchecked', 'checked'],
  ],
]);

/** §4.1: a mail without a recipient; the service decides who receives it. */
export const unaddressedEmailProbes = oneRequestEach(
  { needs: 'unaddressed', uses: ['sendEmail'], mails: 1 },
  [['send.to', 'POST a mail without `to`', mailWith({ to: undefined }), required]],
);

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
    const isAccepted = answerFrom(without) === 'accepted';
    if (answerFrom(exchange) === 'accepted')
      return { answer: isAccepted ? 'optional' : 'required', exchange: without };
    return isAccepted
      ? { answer: 'rejected', exchange }
      : inconclusive(`refused with a recipient and without one: ${describeRefusal(exchange)}`);
  },
};

/** A success at a path form counts only if it differs from the response to any path or any method. */
const sendPath = async (session: Session, body: JsonObject): Promise<ProbeAnswer> => {
  const [listed, example] = routes.sendTemplateEmail.paths;
  const replies = [await post(session, body, listed), await post(session, body, example)] as const;
  const nothing = [...(await controls(session)), await post(session, body, unknownPath(session))];
  const generic = new Set(nothing.filter(({ outcome }) => outcome === 'success').map(responseFingerprint));
  const sends = (reply: Exchange): boolean =>
    reply.outcome === 'success' && !generic.has(responseFingerprint(reply));
  return formAnswer(replies, ['template', 'send-template'], sends, nothing);
};

const afterRecipient = {
  needs: 'unaddressed',
  uses: templateMail,
  mails: 1,
  dependsOn: ['template-send.to'],
} as const satisfies Partial<Probe>;

/** §4.3 and §4.4. */
export const templateEmailProbes: readonly Probe[] = [
  {
    ...afterRecipient,
    question: 'templates.send-path',
    description:
      'POST a complete template mail at both path forms; a form exists when its response differs from that of a random path',
    mails: 3,
    probe: (session, known) => sendPath(session, mail(session, known, anyTemplate(session))),
  },
  ...oneRequestEach(afterRecipient, [
    [
      'template-send.missing-variable',
      'POST a template mail that leaves out one variable of the template',
      (session, known) => {
        const template = withVariables(session);
        const [, ...others] = template.variables;
        const variables = valuesFor(session, { ...template, variables: others });
        return post(session, mail(session, known, template, { variables }));
      },
      rejected,
    ],
    [
      'template-send.extra-variable',
      'POST a template mail with a variable `contract_test` that the template does not list',
      (session, known) => {
        const template = anyTemplate(session);
        const variables = { ...valuesFor(session, template), contract_test: 'Contract test' };
        return post(session, mail(session, known, template, { variables }));
      },
      rejected,
    ],
    [
      'template-send.variables',
      'POST a mail from a template without variables, leaving `variables` out',
      (session, known) => {
        const lenient = known.answers.get('template-send.missing-variable') === 'accepted';
        const template =
          session.templates.find(({ variables }) => variables.length === 0) ??
          // If a missing variable is accepted, any template is suitable.
          (lenient ? anyTemplate(session) : undefined) ??
          inconclusive('every template has variables, and a missing variable is refused anyway');
        return post(session, mail(session, known, template, { variables: undefined }));
      },
      required,
      { dependsOn: ['template-send.to', 'template-send.missing-variable'] },
    ],
    [
      'failure.unknown-template-status',
      'POST a valid template mail with an unknown `template_id`',
      (session, known) => {
        const template_id = session.unique('template').replaceAll(' ', '-').toLowerCase();
        return post(session, { template_id, variables: {}, ...recipient(session, known) });
      },
    ],
  ]),
];
