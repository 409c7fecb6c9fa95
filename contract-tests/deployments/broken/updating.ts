import type { Call, Fault, Fields, Reply, Tools } from '../exchange.ts';
import { isObject } from '../rules.ts';
import type { StoredLead } from '../store.ts';
import { breaking, documented } from './breaking.ts';
import { everyNth } from './faults.ts';

const broken = breaking('update-effect');

export const fields = ({ body }: Call): Fields => (isObject(body) ? body : {});
export const texts = ({ name, source, note }: StoredLead) => ({ name, source, note });

type Scene = Tools & {
  readonly call: Call;
  readonly lead: StoredLead;
  readonly before: ReturnType<typeof texts>;
};

/** Lets an update happen, then interferes with the store, the reply or both. */
export const afterUpdate = (interfere: (reply: Reply, scene: Scene) => Reply | undefined): Fault => ({
  around: (call, next, tools) => {
    const lead = tools.store.find(call.id);
    const before = lead && texts(lead);
    const reply = next(call);
    if (call.operation !== 'updateLead' || reply.refused || !lead || !before) return reply;
    return interfere(reply, { ...tools, call, lead, before }) ?? reply;
  },
});

export const showing = (reply: Reply, data: Fields): Reply => ({
  ...reply,
  body: { ...reply.body, data: { ...(reply.body.data as Fields), ...data } },
});

/** §4.6: an update changes what is sent, lastingly. */
export const updates = [
  broken(
    'update-not-stored',
    'Update lead shows the change and does not keep it',
    'plain',
    documented('4.6'),
    afterUpdate((_, { lead, before }) => void Object.assign(lead, before)),
  ),
  broken(
    'update-shows-old',
    'Update lead keeps the change and shows the old text',
    'integer-ids',
    documented('4.6'),
    afterUpdate((reply, { before }) => showing(reply, before)),
  ),
  broken(
    'update-ignored',
    'Update lead confirms, shows the old text and keeps it',
    'uuid-ids',
    documented('4.6'),
    afterUpdate((reply, { lead, before }) => showing(reply, Object.assign(lead, before) && before)),
  ),
  broken(
    'update-resets-others',
    'Update lead empties the fields not sent',
    'refusals-at-200',
    documented('4.6'),
    afterUpdate((reply, { lead, call }) => {
      for (const field of ['name', 'source', 'note'] as const) if (!(field in fields(call))) lead[field] = '';
      return showing(reply, texts(lead));
    }),
  ),
  broken(
    'update-resets-others-later',
    'Empties the fields not sent, after its reply',
    'plain',
    documented('4.6'),
    afterUpdate((_, { lead, call }) => {
      for (const field of ['name', 'source', 'note'] as const) if (!(field in fields(call))) lead[field] = '';
      return undefined;
    }),
  ),
  broken(
    'update-resets-source',
    'Update lead sets source to "api"',
    'behind-a-proxy',
    documented('4.6'),
    afterUpdate((reply, { lead, call }) => {
      if (!('source' in fields(call))) lead.source = 'api';
      return showing(reply, texts(lead));
    }),
  ),
  broken(
    'update-appends',
    'Update lead appends the note to the old one',
    'bodies-422',
    documented('4.6'),
    afterUpdate((reply, { lead, before, call }) => {
      if ('note' in fields(call)) lead.note = `${before.note}\n${lead.note}`;
      return showing(reply, texts(lead));
    }),
  ),
  broken(
    'update-once-only',
    'Update lead keeps the first change of a lead, no later one',
    'plain',
    documented('4.6'),
    afterUpdate((reply, { lead, before, memory }) => {
      if (memory.has(lead.id)) return showing(reply, Object.assign(lead, before) && before);
      memory.set(lead.id, true);
      return undefined;
    }),
  ),
  broken(
    'update-every-third-lost',
    'Every third update is shown and not kept',
    'plain',
    documented('4.6'),
    everyNth(
      3,
      afterUpdate((_, { lead, before }) => void Object.assign(lead, before)),
    ),
  ),
];
