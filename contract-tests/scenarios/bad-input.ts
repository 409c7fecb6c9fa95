// Requests that a deployment may accept or refuse, and that must not make the service fail.

import type { JsonObject } from '../exchange/exchange.ts';
import { leadFields, madeUpMark } from '../exchange/leads.ts';
import { completeEmail, templateEmail } from '../session/requests.ts';
import type { SendOptions, Session } from '../session/session.ts';
import type { Scenario } from './scenario.ts';
import type { Tools } from './tools.ts';
import { tryAlmostId } from './whole-id.ts';

const deep = `${'['.repeat(200)}${']'.repeat(200)}`;

/** One field at a time: an error in one field hides how the deployment treats the others. */
const eachField = (value: unknown): readonly JsonObject[] => leadFields.map((field) => ({ [field]: value }));

const additions = ({ session, isThorough }: Tools): readonly SendOptions[] => [
  // First what is no JSON: only a body parser refuses it, and perhaps null with the same status.
  ...['', `{"name":${deep}}`].map((raw) => ({ raw })),
  { body: null },
  ...[
    ...eachField(undefined),
    ...(isThorough ? eachField(null) : [{ source: null }]),
    ...eachField(7),
    ...['one\u0000two', 'long '.repeat(2000)].map((note) => ({ note })),
  ].map((wrong) => ({ body: session.leadBody(wrong) })),
  // Other scenarios send the like.
  ...(isThorough
    ? [
        { raw: '{"name":' },
        ...[{}, []].map((body) => ({ body })),
        { body: session.leadBody({ note: { text: 'x' } }) },
        { raw: JSON.stringify(session.newFields()), contentType: 'text/plain' },
      ]
    : []),
];

/** Ids that cannot exist, and that contain nothing that a router interprets, such as an encoded slash. */
const oddIds = ({ session: { runId }, isThorough }: Tools): readonly string[] => {
  const letters = `${madeUpMark}${runId}-ü漢🎨`;
  return [letters.padEnd(300, 'x'), ...(isThorough ? [letters] : [])];
};

/** Sends requests that a deployment may refuse. */
const probeOf =
  (session: Session): Session['send'] =>
  (operation, options) =>
    session.send(operation, { intent: 'probe', ...options });

/** Updates and deletions. */
const tryRequests = async (tools: Tools): Promise<void> => {
  const { session, add, update, read, remove, isThorough } = tools;
  const send = probeOf(session);
  const lead = await add();
  const raw = JSON.stringify(session.updateBody({ note: session.newNote() }));
  for (const options of [
    { raw: '' },
    { raw: '{"note":' },
    { body: null },
    { raw, contentType: 'text/plain' },
    // `leads.idle` sends the like.
    ...(isThorough ? [{ body: [] }] : []),
  ])
    await send('updateLead', { ...options, leadId: lead.id });
  // A deployment may store some of the others.
  await tryAlmostId(tools, lead);
  // The last one empties the note if it takes effect all the same, and the others store theirs.
  for (const wrong of [
    { note: ['x'] },
    { source: '' },
    ...(isThorough ? [{ name: 7 }, { source: 7 }] : [{ name: 7, source: 7 }]),
    { name: '' },
    { note: null },
  ]) {
    const body = session.updateBody({ note: session.newNote(), ...wrong }, lead);
    await send('updateLead', { body, leadId: lead.id });
  }
  await read(lead);
  await update(lead);
  for (const leadId of oddIds(tools)) await send('updateLead', { leadId, body: { note: 'x' } });
  await remove(lead);
  for (const leadId of [lead.id, ...oddIds(tools)]) await send('deleteLead', { leadId });
};

// Mails go to the permitted address, or name no recipient. An invalid recipient is a number, never another address. Each
// request may cause a mail, so each one tests something different.

/** Those that most deployments refuse come first: they cost no mail. */
const wrongMails: readonly JsonObject[] = [
  { html: null },
  { to: 7 },
  { from: undefined },
  { from: 'not an address' },
  { subject: undefined },
];

/** In a thorough run only. Most deployments accept the last one, a form of §4.1, so that it costs a mail. */
const moreWrongMails: readonly JsonObject[] = [
  { html: undefined },
  { subject: 7 },
  { from: 7 },
  { to: undefined },
];

const tryMails = async ({ session, isThorough }: Tools): Promise<void> => {
  const send = probeOf(session);
  await send('sendEmail', { raw: '{"subject":' });
  await send('sendEmail', { body: null });
  for (const wrong of isThorough ? [...wrongMails, ...moreWrongMails] : wrongMails)
    await send('sendEmail', { body: { ...completeEmail(session), ...wrong } });
};

const wrongTemplateMails: readonly JsonObject[] = [
  { variables: undefined },
  { variables: null },
  { variables: [7] },
  { template_id: 7 },
];

const tryTemplateMails = async ({ session }: Tools): Promise<void> => {
  const { template } = session.requirements;
  if (!template) return;
  const send = probeOf(session);
  const forms = session.pathForms('sendTemplateEmail');
  const valid = (): JsonObject => templateEmail(session, template);
  const bodies: readonly unknown[] = [
    { to: session.permissions.sendTo ?? '' },
    null,
    ...wrongTemplateMails.map((wrong) => ({ ...valid(), ...wrong })),
  ];
  // The requests alternate between the path forms.
  for (const [turn, body] of bodies.entries())
    await send('sendTemplateEmail', { path: forms[turn % forms.length] ?? '', body });
};

export const badInputScenarios: readonly Scenario[] = [
  {
    id: 'leads.add.bad-input',
    needs: 'writes',
    leads: 1,
    decides: ['leads.add.survives-bad-input', 'leads.add.omitted-fields'],
    run: async (tools) => {
      for (const options of additions(tools)) await tools.tryAddition(options);
    },
  },
  {
    id: 'leads.bad-input',
    needs: 'writes',
    leads: 2,
    decides: ['leads.update.survives-bad-input', 'leads.delete.survives-bad-input', 'leads.update.whole-id'],
    run: tryRequests,
  },
  {
    id: 'email.send.bad-input',
    needs: 'mail',
    mails: 10,
    decides: ['email.send.survives-bad-input'],
    run: tryMails,
  },
  {
    id: 'email.template.bad-input',
    needs: 'mail',
    mails: 6,
    decides: ['email.template.survives-bad-input'],
    run: tryTemplateMails,
  },
];
