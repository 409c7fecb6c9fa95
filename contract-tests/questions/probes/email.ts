import {
  describeRefusal,
  type Exchange,
  type JsonObject,
  responseFingerprint,
} from '../../exchange/exchange.ts';
import { routes } from '../../exchange/operations.ts';
import { completeEmail, controls, templateEmail, unknownPath } from '../../session/requests.ts';
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

const post = (session: Session, body: JsonObject, path?: string): Promise<Exchange> =>
  session.send('sendTemplateEmail', { body, intent: 'probe', ...(path === undefined ? {} : { path }) });

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

const sending = { needs: 'unaddressed', uses: ['sendTemplateEmail'], mails: 1 } as const;

/** §4.3: the other probes name a recipient if discovery found that it is accepted; the deployment may ignore it. */
const recipientProbe: Probe = {
  ...sending,
  question: 'template-send.to',
  description: 'POST a template mail with `to` and without it',
  mails: 2,
  probe: async (session) => {
    const body = { ...templateEmail(session, anyTemplate(session)), to: undefined };
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

/** §4.3 and §4.4. */
export const templateEmailProbes: readonly Probe[] = [
  recipientProbe,
  {
    ...sending,
    question: 'templates.send-path',
    description:
      'POST a complete template mail at both path forms; a form exists when its response differs from that of a random path',
    mails: 3,
    probe: (session) => sendPath(session, templateEmail(session, anyTemplate(session))),
  },
  ...oneRequestEach(sending, [
    [
      'template-send.missing-variable',
      'POST a template mail that leaves out one variable of the template',
      (session) => {
        const template = withVariables(session);
        return post(session, templateEmail(session, { ...template, variables: template.variables.slice(1) }));
      },
      rejected,
    ],
    [
      'template-send.extra-variable',
      'POST a template mail with a variable `contract_test` that the template does not list',
      (session) => {
        const template = anyTemplate(session);
        const variables = [...template.variables, 'contract_test'];
        return post(session, templateEmail(session, { ...template, variables }));
      },
      rejected,
    ],
    [
      'template-send.variables',
      'POST a mail from a template without variables, leaving `variables` out',
      async (session, answers) => {
        const plain = session.templates.find(({ variables }) => variables.length === 0);
        const template = plain ?? anyTemplate(session);
        const mail = { ...templateEmail(session, template), variables: undefined };
        const exchange = await post(session, mail);
        // If a missing variable is accepted, any template is suitable.
        const isDecided = plain !== undefined || answers.get('template-send.missing-variable') === 'accepted';
        return isDecided || answerFrom(exchange) === 'accepted'
          ? exchange
          : inconclusive('every template has variables, and a missing variable may be the reason');
      },
      required,
    ],
    [
      'failure.unknown-template-status',
      'POST a valid template mail with an unknown `template_id`',
      (session) => {
        const id = session.unique('template').replaceAll(' ', '-').toLowerCase();
        return post(session, templateEmail(session, { id, body: '', variables: [] }));
      },
    ],
  ]),
];
