import { type Exchange, itemsOf, type JsonObject, sentFields } from '../../exchange/exchange.ts';
import { leadFields } from '../../exchange/leads.ts';
import { operationOf } from '../../exchange/operations.ts';
import { getAt } from '../../session/requests.ts';
import type { SendOptions, Session } from '../../session/session.ts';
import { expectAlike } from '../expect-alike.ts';
import type { Scenario } from '../scenario.ts';
import type { Tools } from '../tools.ts';

/**
 * Texts that no deployment may refuse, because source and note are free text (§2.3). They are as long as the usual ones: a
 * deployment may refuse longer texts (§8).
 */
const freeTexts = (session: Session): readonly (readonly [field: 'source' | 'note', text: string])[] => {
  const usual = session.leadBody();
  const like = (field: 'source' | 'note', text: string) =>
    [field, text.slice(0, usual[field].length)] as const;
  const note = `5 pm! See a.test/b?c=1, 0170 ${session.runId}`;
  return [
    like('source', session.unique('Source')),
    // Like a tracking parameter.
    like('source', `ü, web / ref=7 ${session.runId}`),
    like('note', note),
    // Several leads may have the same note.
    like('note', note),
  ];
};

const addFreeTexts = async ({ session, sendAddition }: Tools): Promise<void> => {
  const add = async (texts: JsonObject): Promise<Exchange> => (await sendAddition(texts)).exchange;
  for (const [field, text] of freeTexts(session))
    await expectAlike(session, {
      check: `leads.add.free-${field}`,
      subject: `any text as ${field}`,
      other: () => add({ [field]: text }),
      usual: () => add({}),
    });
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

/**
 * What shows leads, where a deployment has such operations, with the key and without: what was refused is not among them. It
 * deletes what is listed all the same.
 */
const readLeads = async ({ session, add, remove, tryAddition }: Tools): Promise<void> => {
  const refused: JsonObject[] = [];
  for (const options of refusedAdditions(session))
    if ((await tryAddition(options)).outcome === 'refusal')
      refused.push(sentFields({ body: options.raw ?? JSON.stringify(options.body) }));
  const lead = await add();
  const list = await getAt(session, leadsPath);
  const texts = refused.flatMap((fields) => leadFields.map((name) => fields[name]));
  for (const { lead_id: id, name, source, note } of itemsOf(list))
    if (typeof id === 'string' && [name, source, note].some((text) => text && texts.includes(text)))
      session.ledger.note(id);
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
