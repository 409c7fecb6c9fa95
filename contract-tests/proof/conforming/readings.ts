import type { Behaviour } from '../server/behaviour.ts';
import { inData, showLate } from '../server/mutation.ts';
import { manyTemplates } from '../server/templates.ts';
import type { Fields, Mutation, Reply } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { conformingWith } from './deployment.ts';

const cachedMs = 60_000;
const pageLength = 20;

/** What was read of a lead is read again for a minute, whatever was updated meanwhile. */
const cacheReadings: Mutation = {
  handle: (call, next, { memory }) => {
    const name = `read ${call.path}`;
    const cached = memory.get(name) as { readonly at: number; readonly reply: Reply } | undefined;
    const reply = next(call);
    if (call.method !== 'GET' || !/\/leads\/./.test(call.path) || reply.refused) return reply;
    if (cached && Date.now() - cached.at < cachedMs) return cached.reply;
    memory.set(name, { at: Date.now(), reply });
    return reply;
  },
};

const shuffle = (data: Fields): unknown =>
  (data as unknown as Fields[])
    .map((item) => ({ item, place: Math.random() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item)
    .slice(0, pageLength);

/** A list of leads is answered with what was added of it. */
const addSeveral: Mutation = {
  handle: (call, next) => {
    if (call.operation !== 'addLead' || !Array.isArray(call.body)) return next(call);
    const refusal = next({ ...call, operation: undefined });
    if (refusal.refused === 'key') return refusal;
    return { status: 200, body: { success: true, error: '', data: [], message: 'none of them is a lead' } };
  },
};

/** Shows which of its fields a lead has not. @param shown what is left of its data without those */
const showMissing = (shown: (data: Fields, missing: readonly string[]) => Fields): Mutation => ({
  handle: (call, next, { memory }) => {
    const reply = next(call);
    if (reply.refused || (call.operation !== 'addLead' && call.operation !== 'updateLead')) return reply;
    const data = reply.body.data as Fields;
    const sent = isObject(call.body) ? call.body : {};
    const before = memory.get(`missing ${data.lead_id}`) as readonly string[] | undefined;
    const missing = (before ?? ['name', 'source', 'note']).filter((name) => sent[name] === undefined);
    memory.set(`missing ${data.lead_id}`, missing);
    return { ...reply, body: { ...reply.body, data: shown(data, missing) } };
  },
});

/** What is shown of what is stored and how soon, and of requests that are not documented. */
export const readings = (behaviour: Partial<Behaviour>) => [
  {
    ...conformingWith(
      'updates-show-late',
      'Shows an update in the responses to others 500 ms later',
      'freshness',
      behaviour,
      showLate(500),
    ),
    requirements: { settleMs: 600 },
  },
  conformingWith(
    'readings-cached',
    `Caches what is read of a lead for ${cachedMs} ms`,
    'freshness',
    { ...behaviour, leadReading: 'present' },
    cacheReadings,
  ),
  conformingWith(
    'templates-random-page',
    `Lists ${pageLength} of 300 templates, others each time`,
    'templates',
    { ...behaviour, templates: manyTemplates(300) },
    inData('listTemplates', shuffle),
  ),
  conformingWith(
    'several-leads-at-once',
    'Takes a list of leads in one addition',
    'lead-fields',
    behaviour,
    addSeveral,
  ),
  conformingWith(
    'missing-fields-null',
    'Shows null for a name, a source or a note that a lead was added without',
    'lead-fields',
    { ...behaviour, leadRequires: [] },
    showMissing((data, missing) => ({ ...data, ...Object.fromEntries(missing.map((name) => [name, null])) })),
  ),
  conformingWith(
    'missing-fields-absent',
    'Shows no source and no note where a lead was added without',
    'lead-fields',
    behaviour,
    showMissing((data, missing) =>
      Object.fromEntries(Object.entries(data).filter(([name]) => !missing.includes(name))),
    ),
  ),
];
