import { show } from '../exchange/describe.ts';
import {
  describeRefusal,
  type Exchange,
  isSuccess,
  type JsonObject,
  sentFields,
} from '../exchange/exchange.ts';
import { type Operation, operations } from '../exchange/operations.ts';
import { holds } from '../facts/fact.ts';
import { CheckInconclusive } from '../session/outcome.ts';
import {
  asLines,
  completeEmail,
  digitsOf,
  laterText,
  listAgain,
  mailRounds,
  unusualEmail,
  validRequest,
} from '../session/requests.ts';
import type { SendOptions, Session } from '../session/session.ts';
import { expectAlike } from './expect-alike.ts';
import { inOtherWords, otherWords } from './other-words.ts';
import { repeatMail } from './repeat-mail.ts';
import type { Scenario } from './scenario.ts';
import { tryUnknown } from './templates.ts';
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
    if (accepted) session.history.add({ exchange: accepted, results: [holds(check)] });
    return;
  }
  const { exchange, hint } = sendRefused;
  if (hint !== undefined)
    throw new CheckInconclusive(`the recipient may be the reason (${describeRefusal(exchange)}); ${hint}`);
  await expectAlike(session, {
    check,
    subject: `a mail as the document shows it (${sendRefused.accepted})`,
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
const quotes = `"soon" & 'now'`;
const withQuotes = (text: unknown): string => String(text).replace(laterText, quotes);
/** A deployment may refuse them in a template. */
const signs = '$1 {x} <b>%s</b> \\ 🎨';

/** A change of the usual mail. */
type Change = { readonly words: string; readonly change: (mail: JsonObject) => JsonObject };

/** Content that ordinary mails have. Emoji and markup may be refused, but not letters of languages other than English. */
const contents: readonly Change[] = [
  { words: `${show(letters)} in subject`, change: ({ subject }) => ({ subject: withLetters(subject) }) },
  { words: `${show(letters)} in html`, change: ({ html }) => ({ html: withLetters(html) }) },
  { words: `${quotes} in subject`, change: ({ subject }) => ({ subject: withQuotes(subject) }) },
  { words: `${quotes} in html`, change: ({ html }) => ({ html: withQuotes(html) }) },
  { words: 'a line that consists of a dot in html', change: ({ html }) => ({ html: asLines(String(html)) }) },
];

/** It replaces what others change. */
const digits: Change = {
  words: 'only digits in subject',
  change: ({ subject }) => ({ subject: digitsOf(String(subject)) }),
};

const letterCheck = 'email.send.letters';
const formCheck = 'email.send.any-json-form';
const togetherCheck = 'email.send.together';

/** Sends requests that are refused, and that must not affect the mail after them; first those of its own operation. */
const tryRefused = async (session: Session, own: Operation['id']): Promise<void> => {
  const requests: Partial<Record<Operation['id'], () => Promise<Exchange>>> = {
    sendEmail: () => session.send('sendEmail', { raw: '{"subject":', intent: 'probe' }),
    sendTemplateEmail: () => tryUnknown(session, session.unknownId),
    updateLead: () => {
      const body = session.updateBody({ note: session.newNote() });
      return session.send('updateLead', { leadId: session.unknownId, body, intent: 'probe' });
    },
  };
  for (const id of new Set([own, ...operations.map((operation) => operation.id)]))
    if (session.can(id)) await requests[id]?.();
};

/**
 * After refused requests, a mail that was accepted before and one with all content, in equivalent JSON, at the same time; content and
 * form alone if that is refused. In a thorough run also each content alone.
 */
const sendContents = async ({ session, isThorough }: Tools): Promise<void> => {
  const withAll = (): JsonObject => {
    const mail = completeEmail(session);
    for (const { change } of contents) Object.assign(mail, change(mail));
    return mail;
  };
  const expectAccepted = (check: string, words: string, request: () => SendOptions): Promise<Exchange> =>
    expectAlike(session, {
      check,
      subject: words,
      other: () => session.send('sendEmail', { ...request(), intent: 'text' }),
      usual: () => sendUsual(session),
    });
  await tryRefused(session, 'sendEmail');
  const [again, all] = await Promise.all([
    repeatMail(session, 'sendEmail'),
    session.send('sendEmail', { ...inOtherWords({ body: withAll() }), intent: 'text' }),
  ]);
  if (all.outcome === 'success') {
    const holding = [letterCheck, formCheck, ...(isSuccess(again) ? [togetherCheck] : [])];
    session.history.add({ exchange: all, results: holding.map(holds) });
  } else {
    await expectAccepted(formCheck, otherWords, () => inOtherWords({ body: completeEmail(session) }));
    const words = `a mail with ${contents[0]?.words} and other ordinary content`;
    await expectAccepted(letterCheck, words, () => ({ body: withAll() }));
  }
  for (const { words, change } of isThorough ? [...contents, digits] : [])
    await expectAccepted(letterCheck, `a mail with ${words}`, () => {
      const mail = completeEmail(session);
      return { body: { ...mail, ...change(mail) } };
    });
};

const [templateForm, templateLetters] = ['email.template.any-json-form', 'email.template.letters'] as const;

/** The same mail with other values, where they are no numbers, dates or addresses: a deployment may validate those. */
const withValues = ({ body, ...rest }: SendOptions, change: (value: string) => string): SendOptions => {
  const { variables, ...mail } = body as JsonObject & { readonly variables: JsonObject };
  const values = Object.entries(variables).map(([name, value]) => [name, change(String(value))]);
  return { ...rest, body: { ...mail, variables: Object.fromEntries(values) } };
};

const hasLetters = (mail: Exchange): boolean => JSON.stringify(sentFields(mail)).includes(letters);

/** A template mail with letters and signs in its values, in equivalent JSON; each alone if it is refused. */
const sendTemplateContents = async ({ session }: Tools): Promise<void> => {
  // Somebody may have deleted the template.
  await listAgain(session);
  const valid = (): SendOptions => validRequest(session, 'sendTemplateEmail');
  const send = (request: SendOptions): Promise<Exchange> =>
    session.send('sendTemplateEmail', { ...request, intent: 'text' });
  const withSigns = (value: string): string =>
    value === withLetters(value) ? value : `${withLetters(value)} ${quotes} ${signs}`;
  await tryRefused(session, 'sendTemplateEmail');
  const all = await send(inOtherWords(withValues(valid(), withSigns)));
  if (all.outcome === 'success')
    return session.history.add({
      exchange: all,
      results: [templateForm, ...(hasLetters(all) ? [templateLetters] : [])].map(holds),
    });
  const expectAccepted = (check: string, subject: string, request: () => SendOptions): Promise<Exchange> =>
    expectAlike(session, { check, subject, other: () => send(request()), usual: () => send(valid()) });
  await expectAccepted(templateForm, otherWords, () => inOtherWords(valid()));
  const words = `${show(letters)} in the values of variables`;
  await expectAccepted(templateLetters, words, () => withValues(valid(), withLetters));
};

const mailScenario = (name: string, mails: number, run: Scenario['run'], usual = 0): Scenario => ({
  id: `email.${name}`,
  needs: 'mail',
  leads: 0,
  mails: { usual, thorough: mails },
  decides: [`email.${name}`],
  run,
});

export const mailScenarios: readonly Scenario[] = [
  mailScenario('send.as-documented', 0, sendAsDocumented),
  {
    // Mails that are accepted in a row show refusals of some of them.
    ...mailScenario('send.texts', mailRounds, async ({ session, isThorough }) => {
      if (!isThorough) return;
      for (let round = 0; round < mailRounds; round += 1)
        await session.send('sendEmail', { body: unusualEmail(session, round), intent: 'text' });
    }),
    decides: ['email.send.letters'],
  },
  {
    ...mailScenario('send.letters', contents.length + 3, sendContents, 2),
    decides: [letterCheck, formCheck, togetherCheck, 'email.send.repeatable', 'email.send.every-time'],
  },
  {
    ...mailScenario('template.letters', 1, sendTemplateContents, 1),
    decides: [templateForm, templateLetters],
  },
];
