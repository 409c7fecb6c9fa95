import { show } from '../exchange/describe.ts';
import {
  describeRefusal,
  type Exchange,
  isSuccess,
  type JsonObject,
  sentFields,
} from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { CheckInconclusive } from '../session/outcome.ts';
import {
  asLines,
  completeEmail,
  laterText,
  listAgain,
  mailRounds,
  unusualEmail,
  validRequest,
} from '../session/requests.ts';
import type { SendOptions, Session } from '../session/session.ts';
import { expectAlike, noteAccepted, repeatMail } from './expect-alike.ts';
import { inOtherWords, otherWords } from './requests.ts';
import type { Scenario } from './scenario.ts';
import { listMeanwhile, tryUnknown } from './templates.ts';
import type { Tools } from './tools.ts';

const sendUsual = (session: Session): Promise<Exchange> =>
  session.send('sendEmail', { body: completeEmail(session) });

/** The mail of §4.1, if discovery had to send another one. */
const sendAsDocumented = async ({ session }: Tools): Promise<void> => {
  const { sendRefused } = session.requirements;
  const check = 'email.send.as-documented';
  const accepted = session.client.exchanges.find(
    ({ operation, outcome }) => operation === 'sendEmail' && outcome === 'success',
  );
  if (!sendRefused) {
    if (accepted) noteAccepted(session, accepted, [check]);
    return;
  }
  const { exchange, hint } = sendRefused;
  if (hint !== undefined)
    throw new CheckInconclusive(`the recipient may be the reason (${describeRefusal(exchange)}); ${hint}`);
  await expectAlike(session, {
    check,
    subject: `a mail ${sendRefused.form}`,
    other: () => session.send('sendEmail', { raw: exchange.body ?? '', intent: 'text' }),
    usual: () => sendUsual(session),
  });
};

/**
 * Ordinary content. It takes the place of plain text in the usual mail and has its length, because a deployment may refuse longer
 * texts (§8).
 */
const letters = 'Größe, Оксана';
const withLetters = (text: unknown): string => String(text).replace('Contract test', letters);
const quotes = `it's "5" & 9 %`;
const withQuotes = (text: unknown): string => String(text).replace(laterText, quotes);
/** A deployment may refuse them in a template, and must not fail. */
const signs = '$1 {x} <b>%s</b> \\ 🎨';

/** Content that ordinary mails have. Emoji and markup may be refused, but not letters of languages other than English. */
const mailWithContent = ({ body }: SendOptions): SendOptions => {
  const mail = body as JsonObject;
  const change = (text: unknown): string => withQuotes(withLetters(text));
  return { body: { ...mail, subject: change(mail.subject), html: asLines(change(mail.html)) } };
};

/** The same mail with other values, where they are no numbers, dates or addresses: a deployment may validate those. */
const templateMailWith =
  (more: string) =>
  ({ body }: SendOptions): SendOptions => {
    const { variables, ...mail } = body as JsonObject & { readonly variables: JsonObject };
    const values = Object.entries(variables).map(([name, value]) => {
      const text = withLetters(value);
      return [name, text === value ? text : `${text} ${more}`.trim()];
    });
    return { body: { ...mail, variables: Object.fromEntries(values) } };
  };

type MailOperation = 'sendEmail' | 'sendTemplateEmail';

type Content = {
  readonly words: string;
  readonly withContent: (request: SendOptions) => SendOptions;
  /** With more, which a deployment may refuse. */
  readonly withAll?: (request: SendOptions) => SendOptions;
};

const hasLetters = (mail: Exchange): boolean => JSON.stringify(sentFields(mail)).includes(letters);

/** A request that is refused, and that must not affect the mail after it. */
const tryRefused = (session: Session, id: MailOperation): Promise<Exchange> =>
  id === 'sendEmail'
    ? session.send('sendEmail', { raw: '{"subject":', intent: 'probe' })
    : tryUnknown(session, session.unknownId);

/**
 * After a refused request, a mail with ordinary content in equivalent JSON, beside a mail of Send email that was accepted before, or
 * beside the list of templates; content and form alone if it is refused.
 */
const sendContent = async (
  session: Session,
  id: MailOperation,
  { words, withContent, withAll = withContent }: Content,
): Promise<void> => {
  const { area } = operationOf(id);
  const [form, content] = [`${area}.any-json-form`, `${area}.letters`];
  // Discovery sends at every path form once, and other scenarios at the first one.
  const path = session.pathForms(id).at(-1) ?? '';
  const valid = (): SendOptions => validRequest(session, id);
  const send = (request: SendOptions): Promise<Exchange> =>
    session.send(id, { ...request, path, intent: 'text' });
  await tryRefused(session, id);
  // First of all, because it may throw.
  const whole = inOtherWords(withAll(valid()));
  const [other, mail] = await Promise.all([
    id === 'sendEmail' ? repeatMail(session, id) : listMeanwhile(session),
    send(whole),
  ]);
  const beside = id === 'sendEmail' && isSuccess(other) ? other : undefined;
  if (mail.outcome === 'success') {
    return noteAccepted(session, mail, [
      form,
      ...(hasLetters(mail) ? [content] : []),
      ...(beside ? ['email.send.together'] : []),
    ]);
  }
  const expectAccepted = (check: string, subject: string, request: SendOptions): Promise<Exchange> =>
    expectAlike(session, {
      check,
      subject,
      other: () => send(request),
      // The mail beside it was accepted: another one would cost one more.
      usual: async () => beside ?? session.send(id, { ...valid(), path }),
    });
  await expectAccepted(form, otherWords, inOtherWords(valid()));
  await expectAccepted(content, words, withContent(valid()));
};

const mailsInARow = 3 * mailRounds;

export const mailScenarios: readonly Scenario[] = [
  {
    id: 'email.send.as-documented',
    needs: 'mail',
    decides: ['email.send.as-documented'],
    run: sendAsDocumented,
  },
  {
    // Mails that are accepted in a row show refusals of some of them.
    id: 'email.send.texts',
    needs: 'mail',
    mails: mailsInARow,
    thorough: true,
    decides: ['email.send.letters'],
    run: async ({ session }) => {
      for (let turn = 0; turn < mailsInARow; turn += 1)
        await session.send('sendEmail', { body: unusualEmail(session, turn % mailRounds), intent: 'text' });
    },
  },
  {
    id: 'email.send.letters',
    needs: 'mail',
    mails: 2,
    decides: [
      'email.send.letters',
      'email.send.any-json-form',
      'email.send.together',
      'email.send.repeatable',
      'email.send.every-time',
    ],
    run: ({ session }) =>
      sendContent(session, 'sendEmail', {
        words: `a mail with ${show(letters)}, quotes and a line that consists of a dot`,
        withContent: mailWithContent,
      }),
  },
  {
    id: 'email.template.letters',
    needs: 'mail',
    mails: 1,
    decides: ['email.template.any-json-form', 'email.template.letters'],
    run: async ({ session }) => {
      // Somebody may have deleted the template.
      await listAgain(session);
      await sendContent(session, 'sendTemplateEmail', {
        words: `${show(letters)} in the values of variables`,
        withContent: templateMailWith(''),
        withAll: templateMailWith(`${quotes} ${signs}`),
      });
    },
  },
];
