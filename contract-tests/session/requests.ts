// Requests in the form that this deployment accepts.

import type { OperationId } from '../../mock/contract/operation-id.ts';
import { type Exchange, isSuccess, itemsOf, type JsonObject } from '../exchange/exchange.ts';
import { CheckInconclusive } from './outcome.ts';
import type { OwnLead, SendOptions, Session } from './session.ts';
import type { ListedTemplate } from './shared.ts';

const htmlOf = ({ requirements }: Session, fragment: string): string =>
  requirements.sendDocuments
    ? `<!doctype html><html><head><title>Contract test</title></head><body>${fragment}</body></html>`
    : fragment;

/** Plain text in subject and HTML, in whose place scenarios put other content of the same length. */
export const laterText = 'later or today';

/** A mail with all fields that §4.1 documents, without `to` if the deployment accepts only that form. */
export const completeEmail = (session: Session): JsonObject => ({
  subject: session.unique(`mail, ${laterText}`),
  from: session.requirements.sender ?? session.sender,
  ...(session.requirements.sendWithoutTo ? {} : { to: session.permissions.sendTo ?? '' }),
  html: htmlOf(session, `<p>Contract test, run ${session.runId}. Please ignore it, ${laterText}.</p>`),
});

/** A plausible value for a variable of this name: some deployments validate values. */
const valueFor = (session: Session, name: string): string => {
  if (/mail/i.test(name)) return session.sender;
  if (/ur[il]|link|href/i.test(name)) return 'https://example.com/contract-test';
  if (/date|day|until|deadline/i.test(name)) return '2030-01-15';
  // A different value in each mail, because a deployment may refuse duplicates.
  return /amount|price|total|count|number|qty/i.test(name) ? '42' : session.unique('').trim();
};

/** A template mail in the form of §4.3. @param hasTo by default if the deployment accepts or requires it */
export const templateEmail = (
  session: Session,
  template: ListedTemplate,
  hasTo = session.requirements.templateTo,
): JsonObject => ({
  template_id: template.id,
  variables: Object.fromEntries(template.variables.map((name) => [name, valueFor(session, name)])),
  ...(hasTo ? { to: session.permissions.sendTo ?? '' } : {}),
});

/** Values that a valid request may depend on. */
type Context = {
  /** The lead that the request concerns, if its path contains an id. */
  readonly lead?: Pick<OwnLead, 'id' | 'expected'> | undefined;
  /** In place of the one that scenarios use. */
  readonly template?: ListedTemplate | undefined;
  /** Number of the request in a series: operations with several valid forms alternate between them. */
  readonly turn?: number;
};

const requests: Readonly<Record<OperationId, (session: Session, context: Context) => SendOptions>> = {
  listTemplates: () => ({}),
  addLead: (session) => ({ body: session.leadBody() }),
  updateLead: (session, { lead }) => ({
    leadId: lead?.id ?? '',
    body: session.updateBody({ note: session.newNote() }, lead),
  }),
  deleteLead: (_session, { lead }) => ({ leadId: lead?.id ?? '' }),
  sendEmail: (session) => ({ body: completeEmail(session) }),
  sendTemplateEmail: (session, { turn = 0, template = session.requirements.template }) => {
    const { templateWithoutTo } = session.requirements;
    if (!template) throw new CheckInconclusive('the deployment lists no template in the documented form');
    const body = templateEmail(session, template);
    // The form of §4.3 names no recipient. If both forms are accepted, the key may be validated in only one of them.
    return { body: templateWithoutTo && turn % 2 === 1 ? { ...body, to: undefined } : body };
  },
};

/**
 * A request to an operation that succeeds with the key.
 * @throws CheckInconclusive if the deployment lacks what the request needs
 */
export const validRequest = (session: Session, id: OperationId, context: Context = {}): SendOptions =>
  requests[id](session, context);

/** An address with a display name, as mail programs write it. A deployment may refuse it. */
const withDisplayName = (sender: string): string =>
  sender.includes('<') ? sender : `"Contract Test, QA" <${sender}>`;

/** What makes a text of the run unique, as numbers below 36. */
export const signsOf = (unique: string): number[] =>
  [...unique.replaceAll(/^Contract test|[^0-9a-z]/g, '')].map((sign) => Number.parseInt(sign, 36));

/** A subject of digits only, made from a unique subject, so that it is unique as well. */
const digitsOf = (subject: string): string =>
  signsOf(subject)
    .map((sign) => String(sign).padStart(2, '0'))
    .join('');

/** An HTML document with several lines around a fragment. One line is a dot, which ends a mail if it is not escaped (SMTP). */
export const asLines = (html: string): string =>
  /^<!doctype/i.test(html)
    ? html.replace('<body>', '<body>\r\n.\r\n')
    : `<!doctype html>\r\n<html>\r\n<body>\r\n.\r\n${html}\r\n</body>\r\n</html>\r\n`;

/**
 * Content of real mails (§4.1: strings), one variation at a time. The variation that is refused most often comes first: the
 * mails after it are accepted in a row, so that an intermittent refusal among them is visible.
 */
const texts: readonly ((mail: JsonObject) => JsonObject)[] = [
  ({ from }) => ({ from: withDisplayName(String(from)) }),
  ({ subject }) => ({
    subject: `${subject}: Zoë’s “naïve” 漢字 🎨 – 100 %, "soon" & 'now', ${'and so on '.repeat(10)}`,
  }),
  ({ subject, html }) => ({
    subject: digitsOf(String(subject)),
    html: asLines(
      `${html}\r\n<p class="a" lang='de' style="width: 100%; margin: 0">Grüße 🎨 &amp; {{name}} \\ \${x}</p>\n<p>${'and so on '.repeat(2000)}</p>`,
    ),
  }),
];

/** Number of mails: one for each kind of unusual text. */
export const mailRounds = texts.length;

/** The body of an update that shows a lead and leaves its note as it is, which is what reads it (§4.8). */
export type ReadForm = (lead: Pick<OwnLead, 'expected'>) => JsonObject;

/** Such bodies. A deployment may refuse some of them: the first group of which it accepts one shows most. */
export const readForms: readonly (readonly ReadForm[])[] = [
  [() => ({})],
  // In turn, because each of them hides what became of the text that it sends.
  [({ expected: { name } }) => ({ name }), ({ expected: { source } }) => ({ source })],
  [({ expected: { name, source } }) => ({ name, source })],
];

/** A mail with an unusual text, of a different kind in each round; with all of them without a round. */
export const unusualEmail = (session: Session, round?: number): JsonObject => {
  const mail = completeEmail(session);
  // Several of them have another subject: that of the first one is the most unusual, so it comes last and replaces the others.
  const chosen = round === undefined ? texts.toReversed() : texts.slice(round, round + 1);
  return Object.assign({ ...mail }, ...chosen.map((change) => change(mail)));
};

/**
 * The templates as listed now, or `undefined` if the request fails. Scenarios keep their template, so that they can repeat what they
 * found, as long as it is listed.
 */
export const listAgain = async (session: Session): Promise<readonly ListedTemplate[] | undefined> => {
  if (!session.can('listTemplates')) return undefined;
  const reply = await session.send('listTemplates');
  if (!isSuccess(reply)) return undefined;
  const { requirements } = session;
  const templates = templatesIn(reply);
  const isListed = templates.some(({ id }) => id === requirements.template?.id);
  const newest = templates.at(-1);
  if (!isListed && newest) requirements.template = newest;
  return templates;
};

export const templatesIn = (reply: Exchange | undefined): ListedTemplate[] => {
  const items = reply ? itemsOf(reply) : [];
  return items.flatMap(({ id, body, variables }: JsonObject) =>
    typeof id === 'string' && id !== '' && typeof body === 'string' && Array.isArray(variables)
      ? [
          {
            id,
            body,
            variables: variables.filter((variable): variable is string => typeof variable === 'string'),
          },
        ]
      : [],
  );
};

/** A path below `/api/v1/email` that exists on no deployment. */
export const unknownPath = ({ unique }: Session): string =>
  `/api/v1/email/${unique('nothing').replaceAll(' ', '-').toLowerCase()}`;

/** A path that exists, but does not have the method GET. */
export const wrongMethodPath = '/api/v1/email/send';

/** A GET of a path that is not documented. */
export const getAt = (session: Session, path: string): Promise<Exchange> =>
  session.send('listTemplates', { path, intent: 'probe' });

/**
 * Control responses of a path that does not exist and of a wrong method. Some deployments
 * answer any path or any method with a success.
 */
export const controls = async (session: Session): Promise<readonly Exchange[]> => [
  await getAt(session, unknownPath(session)),
  await getAt(session, wrongMethodPath),
];
