// Requests that must not affect leads that they are not about.

import { completeEmail } from '../../session/requests.ts';
import type { SendOptions, Session } from '../../session/session.ts';
import type { Scenario } from '../scenario.ts';
import { listMeanwhile, mailFromUnused, tryUnknown } from '../templates.ts';
import type { Lead, Tools } from '../tools.ts';

const probe = { intent: 'probe' } as const;

/**
 * Leads in every relation to a request: the newest shares its note with the oldest, its name and source with another one, and all
 * of them with one that the scenarios add and delete.
 */
const addLeads = async ({ add, addAlike }: Tools) => {
  const [oldest, other] = [await add(), await add()];
  const newest = await addAlike({ expected: { ...other.expected, note: oldest.expected.note } });
  return { oldest, other, newest };
};

/** Bodies of leads that most deployments refuse, in additions and in updates. */
const refusedBodies = ({ session }: Tools): readonly SendOptions[] => {
  const fields = session.leadBody();
  return [
    { raw: JSON.stringify(fields).slice(0, -1) },
    { body: { ...fields, note: 7 } },
    { body: { ...fields, name: { text: 'x' } } },
    { body: { ...fields, name: '' } },
    { raw: JSON.stringify(fields), contentType: 'text/plain' },
    { body: { ...fields, note: null } },
    { raw: '' },
  ];
};

type Requests = readonly (() => Promise<unknown>)[];

const refusedLeads = (tools: Tools, { id: leadId }: Lead): Requests => {
  const bodies = refusedBodies(tools);
  // An update comes first, because the first request comes again before the lead is read. It has fields: what is no JSON may not reach
  // the operation.
  return bodies.flatMap((options, at) => [
    () => tools.session.send('updateLead', { ...probe, ...bodies[(at + 1) % bodies.length], leadId }),
    () => tools.tryAddition(options),
  ]);
};

const unknownIds = ({ session }: Tools): Requests => {
  const unknown = { ...probe, leadId: session.unknownId };
  const body = session.updateBody({ note: session.newNote() });
  return [
    () => session.send('listTemplates', probe),
    () => session.send('updateLead', { ...unknown, body }),
    () => session.send('deleteLead', unknown),
  ];
};

/**
 * Requests of each kind come directly before an addition, an update, a deletion and a read; then all leads are read. A usual run sends
 * those of both kinds at the same places.
 */
const isolation = async (tools: Tools): Promise<void> => {
  const { addAlike, update, tryToUpdate, read, remove, session, isThorough } = tools;
  const { oldest, other, newest } = await addLeads(tools);
  const kinds = [refusedLeads(tools, newest), unknownIds(tools)];
  for (const all of isThorough ? kinds.map((kind) => [kind]) : [kinds]) {
    const send = async (at: number): Promise<void> => {
      for (const requests of all) await requests[at % requests.length]?.();
    };
    const rounds = isThorough ? Math.max(...all.map(({ length }) => length)) : 1;
    for (let round = 0; round < rounds; round += 1) {
      await send(round);
      const late = await addAlike(newest);
      await send(round + 1);
      await update(other);
      await send(round + 2);
      await remove(late);
      await send(round);
      await read(newest, oldest, other, late);
    }
  }
  // The same texts in two leads, and each field alone.
  const { name, source, note } = session.newFields();
  await update(newest, note);
  for (const lead of [newest, other]) await tryToUpdate(lead, { note });
  await update(other);
  for (const texts of [{ name }, { source }]) await tryToUpdate(other, texts);
  await remove(other);
  await read(newest, oldest, other);
};

/** A mail in the form of §4.1 that names no recipient; a complete one if that is not permitted, or refused. */
const sendUnaddressed = async (session: Session): Promise<void> => {
  const mail = completeEmail(session);
  if (session.permissions.unaddressed) {
    const body = { ...mail, to: undefined };
    const { outcome } = await session.send('sendEmail', { body, intent: 'text' });
    if (outcome !== 'refusal') return;
  }
  await session.send('sendEmail', { body: mail });
};

/** Mails, and mails that are refused, after the deletion of a lead and the update of another one; then all leads are read. */
const isolationFromMails = async (tools: Tools): Promise<void> => {
  const { add, addAlike, update, read, remove, session, waitForEffects, isThorough } = tools;
  const { oldest, other, newest } = await addLeads(tools);
  const sendMail = async (): Promise<void> => {
    // Neither a list nor a single refused request affects the mail after it.
    await session.send('listTemplates', probe);
    await session.send('updateLead', { ...probe, leadId: newest.id, body: { note: 7 } });
    await sendUnaddressed(session);
    await session.send('sendEmail', { ...probe, body: [] });
    await session.send('sendEmail', { ...probe, raw: '{"subject":' });
  };
  const sendTemplateMail = async (): Promise<void> => {
    await mailFromUnused(session, 'simplest', () => listMeanwhile(session));
    await tryUnknown(session, session.unknownId);
  };
  const kinds = [
    ...(session.can('sendEmail') ? [sendMail] : []),
    ...(session.can('sendTemplateEmail') ? [sendTemplateMail] : []),
  ];
  for (const mails of isThorough ? kinds.map((kind) => [kind]) : [kinds]) {
    const late = await addAlike(newest);
    await remove(late);
    await update(other);
    for (const send of mails) await send();
    await read(newest, oldest, other, late);
  }
  await waitForEffects();
  await read(newest, oldest, await add());
};

const decidesOnLeads = [
  'leads.update.lasts',
  'leads.update.keeps-other-fields',
  'leads.delete.nothing-else',
] as const;

export const isolationScenarios: readonly Scenario[] = [
  {
    id: 'leads.isolation',
    needs: 'writes',
    leads: 5,
    decides: [
      ...decidesOnLeads,
      'leads.add.every-time',
      'leads.update.every-time',
      'leads.update.refuses-unknown',
      'leads.update.repeatable',
      'leads.update.field-by-field',
      'leads.delete.every-time',
      'templates.list.every-time',
    ],
    run: isolation,
  },
  {
    id: 'leads.isolation-from-mails',
    needs: 'mail',
    leads: 5,
    mails: 2,
    decides: [
      ...decidesOnLeads,
      'email.send.every-time',
      'email.template.every-time',
      'email.template.keeps-templates',
    ],
    run: isolationFromMails,
  },
];
