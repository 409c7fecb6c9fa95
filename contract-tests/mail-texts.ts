import type { JsonObject } from './exchange.ts';
import { completeEmail } from './mails.ts';
import type { Session } from './session.ts';

/** An address with a name, as mail programs write it. To refuse it is a deployment's choice. */
const named = (sender: string): string => (sender.includes('<') ? sender : `"Contract Test, QA" <${sender}>`);

/** What mails hold in real life (§4.1: strings), one thing at a time. */
const texts: readonly ((mail: JsonObject) => JsonObject)[] = [
  ({ subject }) => ({ subject: `${subject}: Zoë’s “naïve” 漢字 🎨 – 100 %` }),
  ({ html }) => ({ html: `${html}\r\n<p class="a" lang='de'>Grüße 🎨 &amp; {{name}} \\ \${x}</p>\n` }),
  ({ from }) => ({ from: named(String(from)) }),
  () => ({}),
];

/** As many mails as there are rounds, the last of them plain. */
export const mailRounds = texts.length;

/** A mail with unusual texts, another kind in each round. */
export const unusualEmail = (session: Session, round: number): JsonObject => {
  const mail = completeEmail(session);
  return { ...mail, ...texts[round]?.(mail) };
};
