import { type Exchange, type JsonObject, responseFingerprint } from '../../exchange/exchange.ts';
import { operationOf } from '../../exchange/operations.ts';
import { completeEmail, controls, templateEmail, unknownPath } from '../../session/requests.ts';
import type { Session } from '../../session/session.ts';
import type { ListedTemplate } from '../../session/shared.ts';
import { formAnswer } from './paths.ts';
import { type Ask, expectAccepted, inconclusive, isAccepted, probesOf, rejected, required } from './probe.ts';

/** Sends a complete mail with one field that is missing or invalid. */
export const mailWith =
  (changes: JsonObject): Ask =>
  (session) =>
    session.send('sendEmail', { body: { ...completeEmail(session), ...changes }, intent: 'probe' });

/** §4.1: a complete mail with one missing or invalid field each. */
export const emailProbes = probesOf({ needs: 'mail', uses: ['sendEmail'], mails: 1 }, [
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

const post = (session: Session, body: JsonObject, path?: string): Promise<Exchange> =>
  session.send('sendTemplateEmail', { body, intent: 'probe', ...(path === undefined ? {} : { path }) });

const anyTemplate = ({ requirements, templates }: Session): ListedTemplate =>
  requirements.template ?? templates[0] ?? inconclusive('the deployment lists no template');

/** The template that could be sent, if it has variables; otherwise the first one that has variables. */
const withVariables = (session: Session): ListedTemplate =>
  [anyTemplate(session), ...session.templates].find(({ variables }) => variables.length > 0) ??
  inconclusive('the deployment lists no template with variables');

/** §4.1, §4.3 and §4.4: mails whose recipient the service may choose. */
export const unaddressedProbes = probesOf({ needs: 'unaddressed', uses: ['sendTemplateEmail'], mails: 1 }, [
  [
    // The other probes name a recipient if discovery found that it is accepted; the deployment may ignore it.
    'template-send.to',
    'POST a template mail with `to` and without it',
    async (session) => {
      const body = { ...templateEmail(session, anyTemplate(session)), to: undefined };
      const without = await post(session, body);
      const exchange = await post(session, { ...body, to: session.permissions.sendTo ?? '' });
      if (!isAccepted(without)) {
        expectAccepted(exchange, 'a template mail with a recipient, and without one,');
        return { answer: 'required', exchange: without };
      }
      return isAccepted(exchange)
        ? { answer: 'optional', exchange: without }
        : { answer: 'rejected', exchange };
    },
    undefined,
    { mails: 2 },
  ],
  [
    'templates.send-path',
    'POST a complete template mail at both path forms; a form exists when its response differs from that of a random path',
    async (session) => {
      const body = templateEmail(session, anyTemplate(session));
      const [listed, example] = operationOf('sendTemplateEmail').paths;
      const replies = [await post(session, body, listed), await post(session, body, example)] as const;
      const nothing = [...(await controls(session)), await post(session, body, unknownPath(session))];
      const generic = new Set(
        nothing.filter(({ outcome }) => outcome === 'success').map(responseFingerprint),
      );
      const sends = (reply: Exchange): boolean =>
        reply.outcome === 'success' && !generic.has(responseFingerprint(reply));
      return formAnswer(replies, ['template', 'send-template'], sends, nothing);
    },
    undefined,
    { mails: 3 },
  ],
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
    async (session, known) => {
      const plain = session.templates.find(({ variables }) => variables.length === 0);
      const template = plain ?? anyTemplate(session);
      const exchange = await post(session, { ...templateEmail(session, template), variables: undefined });
      // If a missing variable is accepted, any template is suitable.
      const isDecided = plain !== undefined || known.get('template-send.missing-variable') === 'accepted';
      return isDecided || isAccepted(exchange)
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
  ['send.to', 'POST a mail without `to`', mailWith({ to: undefined }), required, { uses: ['sendEmail'] }],
]);
