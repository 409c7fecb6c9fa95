import { CheckInconclusive } from '../check.ts';
import type { JsonObject } from '../exchange.ts';
import { completeEmail, templateEmail } from '../mails.ts';
import type { Session } from '../session.ts';
import { type Probe, probe } from './bad-leads.ts';

// A mail goes to the permitted address, or names nobody: a recipient that is no address is a number, never another's name.
// Each request may cause a mail, so that each has to show something of its own.

const mailing = (what: string, wrong: (session: Session) => unknown): Probe => ({
  what,
  send: (session) => session.send('sendEmail', { ...probe, body: wrong(session) }),
});

const mailingWith = (what: string, wrong: Readonly<Record<string, unknown>>): Probe =>
  mailing(what, (session) => ({ ...completeEmail(session), ...wrong }));

export const mailProbes: readonly Probe[] = [
  mailing('null', () => null),
  { what: 'malformed JSON', send: (session) => session.send('sendEmail', { ...probe, raw: '{"subject":' }) },
  // §4.1's own shape: whatever the answer is, it is a success or a refusal.
  mailingWith('no recipient', { to: undefined }),
  mailingWith('no subject', { subject: undefined }),
  mailingWith('no sender', { from: undefined }),
  mailingWith('no html', { html: undefined }),
  mailingWith('a number for subject', { subject: 7 }),
  mailingWith('a number for from', { from: 7 }),
  mailingWith('null for html', { html: null }),
  mailingWith('a number for to', { to: 7 }),
  mailingWith('a sender that is no address', { from: 'not an address' }),
];

const to = (session: Session): JsonObject => ({ to: session.permissions.sendTo ?? '' });

/** @param form which of the path forms that exist is asked, so that the requests go round them */
const sendingAt = (form: number, what: string, body: (session: Session) => unknown): Probe => ({
  what,
  send: (session) => {
    const ability = session.abilities.get('sendTemplateEmail');
    const forms = ability?.usable ? ability.forms : [];
    const path = forms[form % forms.length];
    return session.send('sendTemplateEmail', { ...probe, body: body(session), ...(path ? { path } : {}) });
  },
});

const sendingWith = (form: number, what: string, wrong: Readonly<Record<string, unknown>>): Probe =>
  sendingAt(form, what, (session) => {
    const { template } = session.demands;
    if (!template) throw new CheckInconclusive('the deployment lists no template');
    return { ...templateEmail(session, template), ...wrong };
  });

export const templateProbes: readonly Probe[] = [
  sendingAt(0, 'only a recipient', to),
  sendingAt(1, 'null', () => null),
  sendingWith(0, 'no variables', { variables: undefined }),
  sendingWith(1, 'null for variables', { variables: null }),
  sendingWith(0, 'an array for variables', { variables: [7] }),
  sendingWith(1, 'a number for template_id', { template_id: 7 }),
];
