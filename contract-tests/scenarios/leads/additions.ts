import { type Exchange, isSuccess, itemsOf, type JsonObject, sentFields } from '../../exchange/exchange.ts';
import { type Fields, leadFields } from '../../exchange/leads.ts';
import { operationOf } from '../../exchange/operations.ts';
import { getAt } from '../../session/requests.ts';
import type { SendOptions, Session } from '../../session/session.ts';
import { expectAlike, noteAccepted } from '../expect-alike.ts';
import type { Scenario } from '../scenario.ts';
import type { Tools } from '../tools.ts';

/**
 * Leads with texts that no deployment may refuse, because source and note are free text (§2.3). They are as long as the usual ones: a
 * deployment may refuse longer texts (§8).
 */
const freeTexts = (session: Session): readonly Pick<Fields, 'source' | 'note'>[] => {
  const usual = session.leadBody();
  // Several leads may have the same note.
  const note = `5 pm! See a.test/b?c=1, 0170 ${session.runId}`.slice(0, usual.note.length);
  // One is like a tracking parameter.
  const sources = [session.unique('Source'), `ü, web / ref=7 ${session.runId}`];
  return sources.map((source) => ({ source: source.slice(0, usual.source.length), note }));
};

const addFreeTexts = async ({ session, sendAddition }: Tools): Promise<void> => {
  const add = async (texts: JsonObject): Promise<Exchange> => (await sendAddition(texts)).exchange;
  for (const texts of freeTexts(session)) {
    const exchange = await add(texts);
    if (isSuccess(exchange)) {
      noteAccepted(session, exchange, ['leads.add.free-source', 'leads.add.free-note']);
      continue;
    }
    for (const [field, text] of Object.entries(texts))
      await expectAlike(session, {
        check: `leads.add.free-${field}`,
        subject: `any text as ${field}`,
        other: () => add({ [field]: text }),
        usual: () => add({}),
      });
  }
};

const [leadsPath] = operationOf('addLead').paths;

/** Additions that most deployments refuse, made from acceptable fields. One wrong key is enough: many may cause a lock-out. */
const refusedAdditions = (session: Session): readonly SendOptions[] => {
  const body = (): JsonObject => session.leadBody();
  return [
    { body: { ...body(), note: 7 } },
    { body: { ...body(), name: undefined } },
    { raw: JSON.stringify(body()), contentType: 'text/plain' },
    { body: body(), credentials: 'random key' },
  ];
};

/** What was refused is not among the leads that a deployment lists. It deletes what is listed all the same. */
const listRefused = async ({ session, tryAddition }: Tools): Promise<void> => {
  const refused: JsonObject[] = [];
  for (const options of refusedAdditions(session))
    if ((await tryAddition(options)).outcome === 'refusal')
      refused.push(sentFields({ body: options.raw ?? JSON.stringify(options.body) }));
  const list = await getAt(session, leadsPath);
  const texts = refused.flatMap((fields) => leadFields.map((name) => fields[name]));
  for (const { lead_id: id, name, source, note } of itemsOf(list))
    if (typeof id === 'string' && [name, source, note].some((text) => text && texts.includes(text)))
      session.ledger.note(id);
};

/** What shows leads, where a deployment has such operations (§4.8), with the key and without. */
const readLeads = async (tools: Tools): Promise<void> => {
  const { session, add, remove } = tools;
  const lead = await add();
  if (isSuccess(await getAt(session, leadsPath))) await listRefused(tools);
  for (const path of [`${leadsPath}/${encodeURIComponent(lead.id)}`, leadsPath])
    await session.send('listTemplates', { path, credentials: 'none', intent: 'probe' });
  await remove(lead);
};

export const additionScenarios: readonly Scenario[] = [
  {
    id: 'leads.free-texts',
    needs: 'writes',
    leads: 4,
    decides: ['leads.add.free-source', 'leads.add.free-note'],
    run: addFreeTexts,
  },
  {
    id: 'leads.reading',
    needs: 'writes',
    leads: 1,
    triesKeys: true,
    decides: ['leads.add.refused-stores-nothing', 'leads.add.auth.reading'],
    run: readLeads,
  },
];
