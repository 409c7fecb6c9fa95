import { type Exchange, itemsOf } from '../../client/exchange.ts';
import { hasList, listLeads, retrieveLead } from '../../session/availability.ts';
import type { ActiveCheck } from '../../session/check.ts';
import type { SendOptions } from '../../session/lead-requests.ts';
import { claimOf } from '../../session/operations.ts';
import { CheckSkipped, fail, RefusalAllowed } from '../../session/outcome.ts';
import { leadFields } from '../../session/own-lead.ts';
import type { Session } from '../../session/session.ts';
import { type Fields, uniqueTexts } from '../support/lead-assertions.ts';
import { expectUnchanged, knownLead, watchLead } from '../support/lead-state.ts';

/** A lead request that most deployments refuse, made from acceptable fields. */
export type RefusedBody = { readonly label: string; readonly optionsOf: (fields: Fields) => SendOptions };

/** Invalid bodies for both new leads and updates. */
export const refusedBodies: readonly RefusedBody[] = [
  { label: 'a number for note', optionsOf: (fields) => ({ body: { ...fields, note: 7 } }) },
  { label: 'an object for name', optionsOf: (fields) => ({ body: { ...fields, name: { text: 'x' } } }) },
  {
    label: 'another media type',
    optionsOf: (fields) => ({ raw: JSON.stringify(fields), contentType: 'text/plain' }),
  },
  { label: 'malformed JSON', optionsOf: (fields) => ({ raw: JSON.stringify(fields).slice(0, -1) }) },
];

/** Only one wrong key: many may cause a lock-out. */
export const withWrongKey: RefusedBody = {
  label: 'a wrong key',
  optionsOf: (fields) => ({ body: fields, credentials: 'random key' }),
};

const noName: RefusedBody = {
  label: 'no name',
  optionsOf: (fields) => ({ body: { ...fields, name: undefined } }),
};

/** Records a lead that was stored in spite of the refusal, so that the run deletes it. */
const noteStored = (session: Session, list: Exchange, texts: readonly string[]): void => {
  for (const item of itemsOf(list))
    if (leadFields.some((name) => texts.includes(String(item[name]))) && typeof item.lead_id === 'string')
      session.ledger.note(item.lead_id);
};

const shows = ({ rawText }: Exchange, texts: readonly string[]): boolean =>
  texts.some((text) => rawText.includes(JSON.stringify(text)));

const expectNoLeadStored = async (session: Session, bodies: readonly RefusedBody[]): Promise<void> => {
  if (!hasList(await listLeads(session))) throw new RefusalAllowed('this deployment lists no leads');
  const refused: { readonly label: string; readonly texts: readonly string[] }[] = [];
  for (const { label, optionsOf } of bodies) {
    const fields = session.leadBody();
    const exchange = await session.send('addLead', { ...optionsOf(fields), intent: 'probe' });
    if (exchange.outcome === 'refusal') refused.push({ label, texts: uniqueTexts(session, fields) });
  }
  const own = await session.ownLead();
  const list = await listLeads(session);
  if (!shows(list, uniqueTexts(session, own.expected)))
    throw new CheckSkipped('the list does not show the newest lead');
  for (const { label, texts } of refused) {
    if (!shows(list, texts)) continue;
    noteStored(session, list, texts);
    fail(`no lead of an addition that was refused (${label})`, 'the list of leads shows one', list);
  }
};

/** Tests the newest lead, because an erroneous change is most likely to affect it. */
const expectNewestKept = async (session: Session): Promise<void> => {
  if (!session.can('updateLead')) return;
  const watched = await watchLead(session, await knownLead(session));
  const run = (): Promise<Exchange> =>
    session.send('addLead', { ...withWrongKey.optionsOf(session.leadBody()), intent: 'probe' });
  await run();
  await expectUnchanged(session, watched, { label: 'an addition with a wrong key', run });
};

/** §1: all operations need a key; this includes undocumented operations (§4.8). */
const expectReadingRefused = async (session: Session): Promise<void> => {
  const lead = await session.ownLead();
  const shown = await retrieveLead(session, lead);
  if (!shown) throw new RefusalAllowed('this deployment shows no leads');
  const { path } = shown.exchange;
  const exchange = await session.send('listTemplates', { path, credentials: 'none', intent: 'probe' });
  if (exchange.rawText.includes(JSON.stringify(shown.data.name)))
    fail('an error response', `${exchange.status} with the lead, sent with no key`, exchange);
};

export const refusedAddChecks: readonly ActiveCheck[] = [
  {
    id: 'leads.add.refused-stores-nothing',
    title: 'a refused addition stores no lead (checked where leads can be listed)',
    level: 'documented',
    ...claimOf('addLead'),
    run: (session) => expectNoLeadStored(session, [...refusedBodies, noName]),
  },
  {
    id: 'leads.add.auth.stores-nothing',
    title: 'an addition with a wrong key changes no lead, and stores none (where leads can be listed)',
    level: 'documented',
    ...claimOf('addLead'),
    section: '5',
    run: async (session) => {
      await expectNewestKept(session);
      await expectNoLeadStored(session, [withWrongKey]);
    },
  },
  {
    id: 'leads.add.auth.reading',
    title: 'leads are not shown without a key, where a deployment shows leads at all',
    level: 'derived',
    ...claimOf('addLead'),
    section: '1',
    run: expectReadingRefused,
  },
];
