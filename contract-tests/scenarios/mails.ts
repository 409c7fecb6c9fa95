import { show } from '../exchange/describe.ts';
import { describeRefusal, type Exchange, isRefusal, type JsonObject } from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { holds } from '../facts/fact.ts';
import {
  asLines,
  completeEmail,
  digitsOf,
  laterText,
  listAgain,
  mailRounds,
  sendMail,
  unusualEmail,
} from '../session/email-requests.ts';
import { CheckInconclusive, CheckSkipped } from '../session/outcome.ts';
import type { SendOptions, Session } from '../session/session.ts';
import { validRequest } from '../session/valid-request.ts';
import { expectAlike } from './expect-alike.ts';
import { inOtherWords, otherWords } from './other-words.ts';
import type { Scenario } from './scenario.ts';
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

const [letterCheck, formCheck] = ['email.send.letters', 'email.send.any-json-form'] as const;

/** All content in one mail, in equivalent JSON; both alone if it is refused. In a thorough run also each content alone. */
const sendContents = async ({ session, isThorough }: Tools): Promise<void> => {
  const withAll = (): JsonObject => {
    const mail = completeEmail(session);
    for (const { change } of contents) Object.assign(mail, change(mail));
    return mail;
  };
  const expectAccepted = (check: string, words: string, request: () => SendOptions): Promise<void> =>
    expectAlike(session, {
      check,
      subject: words,
      other: () => session.send('sendEmail', { ...request(), intent: 'text' }),
      usual: () => sendUsual(session),
    });
  const all = await session.send('sendEmail', { ...inOtherWords({ body: withAll() }), intent: 'text' });
  if (all.outcome === 'success')
    session.history.add({ exchange: all, results: [holds(letterCheck), holds(formCheck)] });
  else {
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

/** Two different mails at the same time: a refusal of one of them, if there is one. */
const sendTwo = async (session: Session): Promise<Exchange> => {
  const both = await Promise.all([sendUsual(session), sendUsual(session)]);
  return both.find(isRefusal) ?? both[0];
};

/** §4.1, §4.3: the document does not limit how often a mail may be sent. */
const repeat =
  (id: 'sendEmail' | 'sendTemplateEmail') =>
  async ({ session }: Tools): Promise<void> => {
    const { area } = operationOf(id);
    const first = await session.send(id, validRequest(session, id));
    if (first.outcome !== 'success') throw new CheckSkipped('no mail was accepted that could be repeated');
    const { path, body = '' } = first;
    await expectAlike(session, {
      check: `${area}.repeatable`,
      subject: 'a mail that was accepted before',
      other: () => session.send(id, { path, raw: body, intent: 'text' }),
      usual: () => session.send(id, { ...validRequest(session, id), path, intent: 'text' }),
    });
  };

const [templateForm, templateLetters] = ['email.template.any-json-form', 'email.template.letters'] as const;

/** The same mail with other values, where they are no numbers, dates or addresses: a deployment may validate those. */
const withValues = ({ body, ...rest }: SendOptions, change: (value: string) => string): SendOptions => {
  const { variables, ...mail } = body as JsonObject & { readonly variables: JsonObject };
  const values = Object.entries(variables).map(([name, value]) => [name, change(String(value))]);
  return { ...rest, body: { ...mail, variables: Object.fromEntries(values) } };
};

/** A template mail with letters and signs in its values, in equivalent JSON; each alone if it is refused. */
const sendTemplateContents = async ({ session }: Tools): Promise<void> => {
  // Somebody may have deleted the template.
  await listAgain(session);
  const valid = (): SendOptions => validRequest(session, 'sendTemplateEmail');
  const send = (request: SendOptions): Promise<Exchange> =>
    session.send('sendTemplateEmail', { ...request, intent: 'text' });
  const withSigns = (value: string): string =>
    value === withLetters(value) ? value : `${withLetters(value)} ${quotes} ${signs}`;
  const all = await send(inOtherWords(withValues(valid(), withSigns)));
  if (all.outcome === 'success')
    return session.history.add({ exchange: all, results: [templateForm, templateLetters].map(holds) });
  const expectAccepted = (check: string, subject: string, request: () => SendOptions): Promise<void> =>
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
        await sendMail(session, unusualEmail(session, round), 'text');
    }),
    decides: ['email.send.letters'],
  },
  {
    ...mailScenario('send.letters', contents.length + 2, sendContents, 1),
    decides: [letterCheck, formCheck],
  },
  mailScenario('send.repeatable', 2, repeat('sendEmail')),
  {
    ...mailScenario('template.letters', 1, sendTemplateContents, 1),
    decides: [templateForm, templateLetters],
  },
  mailScenario('template.repeatable', 2, repeat('sendTemplateEmail')),
  mailScenario('send.together', 2, ({ session }) =>
    expectAlike(session, {
      check: 'email.send.together',
      subject: 'two mails that are sent at the same time',
      other: () => sendTwo(session),
      usual: () => sendUsual(session),
    }),
  ),
];
