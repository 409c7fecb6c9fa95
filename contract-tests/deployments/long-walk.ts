import { createHash } from 'node:crypto';
import type { Demands } from './conforming/variant.ts';
import type { RunningDeployment } from './deployment.ts';
import { createBodies, createWalker, leadPath, type Walker } from './walk.ts';

type Bodies = ReturnType<typeof createBodies>;
type Listed = { readonly id?: unknown; readonly variables?: unknown };

const lists = ['/email/templates', '/email/template'];
const sends = ['/email/template', '/email/send-template'];

const walkMail = async ({ ask }: Walker, { mail, templateMail }: Bodies) => {
  let templates: readonly Listed[] = [];
  for (const path of [...lists, ...lists, ...lists]) {
    const { data } = (await ask('GET', path)).json;
    if (Array.isArray(data)) templates = data;
  }
  for (let times = 0; times < 3; times += 1) await ask('POST', '/email/send', mail());
  for (const path of sends) {
    for (const one of [templates[0], templates[0], templates.at(-1)])
      await ask('POST', path, templateMail(one ?? undefined));
    await ask('POST', path, templateMail({ id: 'no-such-template' }));
  }
  return templates;
};

const tricky = [
  `<b>"q" & 'r'</b>`,
  'line\nbreak',
  'one\r\ntwo',
  '𝒜 🎓 end',
  'two  blanks + plus %41 \\ back',
  '007',
  'true',
  '42',
  'a note that is rather longer than sixty characters, so that it is cut by some',
];

const walkLeads = async ({ ask }: Walker, { lead, update }: Bodies) => {
  const leads: string[] = [];
  for (const name of ['Ada', 'Béla', 'Cleo 🎓', 'Dora', 'Egon', 'Fay'])
    leads.push(leadPath(await ask('POST', '/leads', lead(name, { source: `web / ref=7, ü ${name}` }))));
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = leads;
  for (const note of ['first', 'second', '']) await ask('PUT', a, update({ note }));
  for (const [at, path] of leads.entries()) await ask('PUT', path, update({ name: `Renamed ${at}` }));
  for (const note of tricky) await ask('POST', '/leads', lead('Tricky', { note }));
  for (const note of tricky) await ask('PUT', b, update({ note }));
  await ask('POST', '/leads', lead('Mail', { email: 'eve@academy.example' }));
  await ask('DELETE', c);
  for (const path of [b, c, d, f])
    await ask('PUT', path, update({ note: 'after the deletion of the third' }));
  await ask('DELETE', e);
  for (const path of [e, a]) await ask('PUT', path, update({ note: 'after the deletion of the fifth' }));
  await ask('DELETE', c);
  await ask('PUT', '/leads/no-such-lead', update({ note: 'nobody' }));
  return { a, b, d };
};

const walkTogether = async ({ ask, sortLast }: Walker, { lead, update }: Bodies) => {
  const names = ['Gus', 'Hal', 'Ida', 'Jan'];
  const added = await Promise.all(names.map((name) => ask('POST', '/leads', lead(name))));
  sortLast(names.length);
  await Promise.all(added.map((one, at) => ask('PUT', leadPath(one), update({ note: `together ${at}` }))));
  sortLast(names.length);
  for (const one of added) await ask('PUT', leadPath(one), update({ note: 'alone' }));
};

const walkBadInput = async ({ ask }: Walker, { lead, mail, update, templateMail }: Bodies, a: string) => {
  const targets = [
    ['POST', '/email/send', mail({ subject: 7 })],
    ['POST', '/email/template', templateMail({}, { variables: 'x' })],
    ['POST', '/email/send-template', templateMail({}, { variables: 'x' })],
    ['POST', '/leads', lead('Bad', { note: 7 })],
    ['PUT', a, update({ note: null })],
  ] as const;
  for (const [method, path, wrong] of targets) {
    await ask(method, path, wrong);
    for (const raw of ['{"name":', '[]', 'null', '', '{}']) await ask(method, path, undefined, { raw });
  }
  await ask('PUT', `/leads/${'x'.repeat(300)}`, update({ note: 'long' }));
  await ask('DELETE', `/leads/${encodeURIComponent('größe')}`);
};

/** Requests that would succeed with the key, with what is not the key; afterwards, what has become of the leads. */
const walkKeys = async (
  { ask }: Walker,
  bodies: Bodies,
  key: string,
  [first]: readonly Listed[],
  { b, d }: { readonly b: string; readonly d: string },
) => {
  const random = createHash('sha512').update(key).digest('hex').repeat(8).slice(0, key.length);
  const swapped = [...key].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('');
  const tokens = [
    undefined,
    `Bearer ${random}`,
    `Bearer ${key}~`,
    `Bearer ${swapped}`,
    'Bearer',
    'Basic eDp5',
  ];
  for (const authorization of [...tokens, `Bearer ${key.slice(0, -1)}~`]) {
    for (const path of lists) await ask('GET', path, undefined, { authorization });
    await ask('POST', '/email/send', bodies.mail(), { authorization });
    for (const path of sends) await ask('POST', path, bodies.templateMail(first), { authorization });
    await ask('POST', '/leads', bodies.lead('Intruder'), { authorization });
    await ask('PUT', b, bodies.update({ note: 'intruded' }), { authorization });
    await ask('PUT', b, bodies.update({ name: 'Béla' }));
    await ask('DELETE', d, undefined, { authorization });
    await ask('PUT', d, bodies.update({ note: 'still here' }));
  }
};

/**
 * Everything the document lets one ask, often enough to meet faults that come and go. Judges nothing; ends between two
 * of its parts as soon as `enough` is known.
 */
export const longWalk = async (
  deployment: RunningDeployment,
  demands: Demands,
  enough: (transcript: readonly string[]) => boolean = () => false,
): Promise<readonly string[]> => {
  const walker = createWalker(deployment);
  const { transcript } = walker;
  const bodies = createBodies(demands, 'long walk');
  const templates = await walkMail(walker, bodies);
  if (enough(transcript)) return transcript;
  const leads = await walkLeads(walker, bodies);
  if (enough(transcript)) return transcript;
  await walkTogether(walker, bodies);
  await walkBadInput(walker, bodies, leads.a);
  if (enough(transcript)) return transcript;
  await walkKeys(walker, bodies, deployment.key, templates, leads);
  return transcript;
};
