import type { Exchange } from '../exchange.ts';
import type { OwnLead, Session } from '../session.ts';

/** A request that a deployment may take or refuse as it likes. */
export type Probe = { readonly what: string; readonly send: (session: Session) => Promise<Exchange> };

export const probe = { intent: 'probe' } as const;

const deep = `${'['.repeat(200)}${']'.repeat(200)}`;

const adding = (what: string, body: unknown): Probe => ({
  what,
  send: (session) => session.send('addLead', { ...probe, body }),
});

/** A lead that is as this deployment wants it, but for the fields named. */
const addingWith = (what: string, wrong: Readonly<Record<string, unknown>>): Probe => ({
  what,
  send: (session) =>
    session.send('addLead', {
      ...probe,
      body: { ...session.newFields(), ...session.demands.leadExtra, ...wrong },
    }),
});

const texts = ['name', 'source', 'note'] as const;

export const leadProbes: readonly Probe[] = [
  adding('an empty object', {}),
  adding('an array', []),
  adding('null', null),
  { what: 'no body', send: (session) => session.send('addLead', { ...probe, raw: '' }) },
  { what: 'malformed JSON', send: (session) => session.send('addLead', { ...probe, raw: '{"name":' }) },
  // Each field alone: what is wrong with one of them hides what would become of the others.
  ...texts.map((field) => addingWith(`a lead without ${field}`, { [field]: undefined })),
  ...texts.map((field) => addingWith(`null for ${field}`, { [field]: null })),
  ...texts.map((field) => addingWith(`a number for ${field}`, { [field]: 7 })),
  addingWith('an object for note', { note: { text: 'x' } }),
  addingWith('empty texts', { source: '', note: '' }),
  addingWith('a note of 10,000 characters', { note: 'long '.repeat(2000) }),
  {
    what: 'JSON labelled as text',
    send: (session) =>
      session.send('addLead', {
        ...probe,
        raw: JSON.stringify(session.newFields()),
        contentType: 'text/plain',
      }),
  },
  { what: 'deep nesting', send: (session) => session.send('addLead', { ...probe, raw: `{"name":${deep}}` }) },
];

const updating = (lead: OwnLead, what: string, options: object): Probe => ({
  what,
  send: (session) => session.send('updateLead', { ...probe, leadId: lead.id, ...options }),
});

const updatingWith = (
  session: Session,
  lead: OwnLead,
  what: string,
  wrong: Readonly<Record<string, unknown>>,
): Probe =>
  updating(lead, what, { body: { ...(session.demands.updateInFull ? lead.expected : {}), ...wrong } });

/** All of one lead, of which nothing is expected any more. */
export const updateProbes = async (session: Session): Promise<readonly Probe[]> => {
  const lead = await session.ownLead();
  lead.plain = false;
  return [
    updating(lead, 'an array', { body: [] }),
    updating(lead, 'null', { body: null }),
    updating(lead, 'malformed JSON', { raw: '{"note":' }),
    updating(lead, 'no body', { raw: '' }),
    updatingWith(session, lead, 'null for note', { note: null }),
    updatingWith(session, lead, 'an array for note', { note: ['x'] }),
    ...texts.map((field) => updatingWith(session, lead, `a number for ${field}`, { [field]: 7 })),
    ...oddIds('updateLead'),
  ];
};

const deletedBefore: Probe = {
  what: 'a lead deleted before',
  send: async (session) => {
    const lead = await session.ownLead();
    await session.deleteLead(lead);
    return session.send('deleteLead', { ...probe, leadId: lead.id });
  },
};

/** Ids that cannot be anybody's: they carry the id of the run. */
const oddIds = (operation: 'updateLead' | 'deleteLead'): Probe[] => {
  const ids: Readonly<Record<string, (runId: string) => string>> = {
    'an unknown id': (runId) => `contract-test-${runId}-none`,
    'an id of 300 characters': (runId) => `contract-test-${runId}-`.padEnd(300, 'x'),
    'an id beyond ASCII': (runId) => `contract-test-${runId}-ü漢🎨`,
    'an id with a percent sign': (runId) => `contract-test-${runId}-50%zz`,
    'an id with a slash and a quote': (runId) => `contract-test-${runId}/'"`,
  };
  return Object.entries(ids).map(([what, id]) => ({
    what,
    send: (session) =>
      session.send(operation, {
        ...probe,
        leadId: id(session.runId),
        ...(operation === 'updateLead' ? { body: { note: 'x' } } : {}),
      }),
  }));
};

export const deleteProbes: readonly Probe[] = [deletedBefore, ...oddIds('deleteLead')];
