import {
  after,
  afterwards,
  fieldsOf,
  inData,
  isKeyRefused,
  layers,
  onSuccess,
  showLate,
  storeOtherwise,
  withData,
  withoutAccents,
} from '../../server/mutation.ts';
import type { Mutation, Reply } from '../../server/types.ts';
import { type BrokenDeployment, server } from '../mutation.ts';

const asFloat = (text: string): string => (/^\d{16,}$/.test(text) ? BigInt(Number(text)).toString() : text);
const folded = (text: string): string => withoutAccents(text).toLowerCase();

type Row = readonly [title: string, change: Parameters<typeof storeOtherwise>[2]];

/** An update shows its note, and stores another one. */
const notes: readonly Row[] = [
  ['Update lead shows the change and does not keep it', (_, before) => before],
  ['Shows a very long note and stores 4,096 characters', (note) => note.slice(0, 4096)],
  ['Shows an empty note and keeps the old one', (note, before) => note || before],
  [
    'Does not store a note that differs in letter case only',
    (note, before) => (note.toLowerCase() === before.toLowerCase() ? before : note),
  ],
];

/** Two faults that look alike: updates show late, which is no fault, and some of them never. */
const loseSomeOfLate = layers(
  afterwards(after('updateLead'), ({ call, own, memory }) => {
    const isLost = call.nth % 4 === 0 && typeof fieldsOf(call).note === 'string';
    if (isLost) Object.assign(memory.get(`written ${call.id}`) ?? {}, { note: own?.note });
  }),
  showLate(300),
);

/** An update that comes soon after another one of the lead is taken for the same. */
const updatesSoon: Mutation = {
  handle: (call, next, { memory }) => {
    if (call.operation !== 'updateLead' || isKeyRefused(call, next)) return next(call);
    const first = memory.get(call.id) as { readonly reply: Reply; readonly at: number } | undefined;
    if (first && call.at - first.at < 3000) return first.reply;
    const reply = next(call);
    if (!reply.refused) memory.set(call.id, { reply, at: call.at });
    return reply;
  },
};

/** Of updates that are under way at once, those that come later get a response without data. */
const updatesTogether: Mutation = {
  handle: async (call, next, { memory, sleep }) => {
    if (call.operation !== 'updateLead') return next(call);
    const name = `updates of ${call.id}`;
    const others = Number(memory.get(name) ?? 0);
    memory.set(name, others + 1);
    await sleep(10);
    const reply = next(call);
    memory.set(name, Number(memory.get(name)) - 1);
    return reply.refused || others === 0 ? reply : { ...reply, body: { ...reply.body, data: null } };
  },
};

/** §4.5, §4.6: the response shows what is stored, and §2.3: as it was sent. */
export const stored: readonly BrokenDeployment[] = [
  ...notes.map(([title, change]) =>
    server(title, 'leads.update.lasts').with(storeOtherwise('updateLead', 'note', change)),
  ),
  server('Add lead keeps the name in capitals, and shows it as sent', 'leads.update.keeps-other-fields').with(
    storeOtherwise('addLead', 'name', (name) => name.toUpperCase()),
  ),
  server(
    'Add lead stores 40 characters of a name, and reads must change something',
    'leads.update.keeps-other-fields',
    'update-refuses-nothing',
  ).with(storeOtherwise('addLead', 'name', (name) => name.slice(0, 40))),
  server('An update within three seconds of another is answered like it', 'leads.update.echoes-note').with(
    updatesSoon,
  ),
  server('Stores long numbers as floating point', 'leads.update.keeps-other-fields').with(
    storeOtherwise('addLead', 'source', asFloat),
  ),
  server('Add lead shows the note and stores its beginning', [
    'leads.add.stores-note',
    'leads.update.lasts',
  ]).with(storeOtherwise('addLead', 'note', (note) => note.slice(0, 10))),
  server('Add lead loses a note, as reading it shows', 'leads.add.stores-note', 'python-style').with(
    storeOtherwise('addLead', 'note', () => ''),
  ),
  server('Add lead confirms and keeps nothing', 'leads.update.success').with(
    afterwards(after('addLead'), ({ store }) => store.leads.pop()),
  ),
  server('Takes sources for one that differ in case and accents', 'leads.update.keeps-other-fields').with(
    afterwards(after('addLead'), ({ newest, memory }) => {
      if (!newest) return;
      const key = folded(newest.source);
      newest.source = String(memory.get(key) ?? newest.source);
      memory.set(key, newest.source);
    }),
  ),
  server(
    'A lead without a source gets that of the last one',
    'leads.add.omitted-fields',
    'lead-needs-nothing',
  ).with(
    onSuccess('addLead', (reply, { call, memory, newest }) => {
      const source = fieldsOf(call).source ?? memory.get('source') ?? '';
      memory.set('source', source);
      Object.assign(newest ?? {}, { source });
      return withData(reply, { source });
    }),
  ),
  server('Shows updates late, and every fourth never', 'leads.update.lasts').with(loseSomeOfLate),
  server('Updates of one lead at once get null', 'leads.update.data', 'update-refuses-name').with(
    updatesTogether,
  ),
  server('A name of digits is a number', 'leads.add.name').with(
    inData('addLead', (data) =>
      /^[1-9]\d*$/.test(String(data.name)) ? { ...data, name: Number(data.name) } : data,
    ),
  ),
  server('A note that is JSON is an object', 'leads.update.note').with(
    inData('updateLead', (data) =>
      /^\{/.test(String(data.note)) ? { ...data, note: JSON.parse(String(data.note)) } : data,
    ),
  ),
  server('Reverses right-to-left text', 'leads.update.keeps-letters').with(
    inData('updateLead', (data) =>
      /[\u0590-\u06ff]/.test(String(data.note))
        ? { ...data, note: [...String(data.note)].reverse().join('') }
        : data,
    ),
  ),
  server(
    'A lead with an empty name is called Unnamed, until its first update',
    'leads.update.keeps-other-fields',
    'lead-needs-nothing',
  ).with(inData('addLead', (data) => (data.name === '' ? { ...data, name: 'Unnamed' } : data))),
];
