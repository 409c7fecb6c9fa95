import type { QuestionId } from '../../mock/questions.ts';
import type { JsonObject } from '../exchange.ts';
import { completeEmail } from '../mails.ts';
import { needUsable, type Probe, told } from './probe.ts';

const mailProbe = (
  question: QuestionId,
  needs: Probe['needs'],
  asks: string,
  changes: JsonObject,
  [taken, refused]: readonly [string, string] = ['optional', 'required'],
): Probe => ({
  question,
  needs,
  asks,
  mails: 1,
  probe: async (session, known) => {
    needUsable(session, known, 'sendEmail');
    const body = { ...completeEmail(session), ...changes };
    return told(await session.send('sendEmail', { body, intent: 'probe' }), taken, refused);
  },
});

/** §4.1: a complete mail, one field left out or wrong at a time. */
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

/** §4.1: a mail that names nobody; the service decides who gets it. */
export const unaddressedEmailProbe: Probe = mailProbe('send.to', 'unaddressed', 'POST a mail without `to`', {
  to: undefined,
});
