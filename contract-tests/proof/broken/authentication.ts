import { afterRefusal, afterwards, changeReply, type Event, fieldsOf } from '../server/mutation.ts';
import type { Call, Mutation, Operation } from '../server/types.ts';
import { baseAt, keyChecks, operations, server } from './mutation.ts';

const authorizationOf = (call: Call) => call.headers.authorization;
const tokenOf = (call: Call) => /^Bearer (.*)$/.exec(authorizationOf(call) ?? '')?.[1];

/** Accepts requests that a conforming service refuses. */
const alsoAdmits = (admits: (call: Call, key: string) => boolean): Mutation => ({
  admit: (call, expected, { key }) => expected || admits(call, key),
});

/** The kinds of characters in a key. */
const shapeOf = (key: string | undefined) =>
  key?.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/[0-9]/g, '0');

const isAboutLeads = ({ operation }: Call): boolean => /Lead$/.test(operation ?? '');
const hasKeyInAnyCase = (call: Call, key: string): boolean =>
  tokenOf(call)?.toLowerCase() === key.toLowerCase();
const hasNullKey = (call: Call): boolean => /^(null|undefined)$/.test(tokenOf(call) ?? '');

type Row = readonly [
  title: string,
  breaks: string | readonly string[],
  admits: (call: Call, key: string) => boolean,
];

/** Servers that compare keys carelessly. */
const rows: readonly Row[] = [
  ['Compares keys without regard to case', 'templates.list.auth.near-miss-key', hasKeyInAnyCase],
  [
    'Leads compare keys without case',
    keyChecks(/^leads.*near-miss-key$/),
    (call, key) => isAboutLeads(call) && hasKeyInAnyCase(call, key),
  ],
  [
    'Delete lead takes a longer key',
    'leads.delete.auth.near-miss-key',
    (call, key) => call.operation === 'deleteLead' && tokenOf(call)?.startsWith(key) === true,
  ],
  [
    'Ignores the last characters of a key',
    keyChecks(/near-miss-key$/),
    (call, key) => tokenOf(call)?.startsWith(key.slice(0, -2)) === true,
  ],
  [
    'Ignores the last character of a key',
    'templates.list.auth.near-miss-key',
    (call, key) => tokenOf(call)?.length === key.length && tokenOf(call)?.slice(0, -1) === key.slice(0, -1),
  ],
  [
    'Ignores the first character of a key',
    'templates.list.auth.near-miss-key',
    (call, key) => tokenOf(call)?.slice(1) === key.slice(1),
  ],
  [
    'Takes the beginning of the key',
    keyChecks(/(templates|leads).*near-miss-key$/),
    (call, key) => (tokenOf(call) ?? '').length > 7 && key.startsWith(tokenOf(call) ?? '-'),
  ],
  [
    'Takes any key of the right shape',
    keyChecks(/unknown-key$/),
    (call, key) => shapeOf(tokenOf(call)) === shapeOf(key),
  ],
  [
    'Takes - and _ in a key for the same',
    'templates.list.auth.near-miss-key',
    (call, key) => tokenOf(call)?.replaceAll('-', '_') === key.replaceAll('-', '_'),
  ],
  ['Takes the keys "null" and "undefined"', 'templates.list.auth.null-key', hasNullKey],
  [
    'Leads take the keys "null" and "undefined"',
    keyChecks(/^leads.*null-key$/),
    (call) => isAboutLeads(call) && hasNullKey(call),
  ],
  ['Compares keys with the LIKE of SQL', 'templates.list.auth.null-key', (call) => tokenOf(call) === '%'],
  [
    'Takes any Authorization header',
    keyChecks(/(no-key|other-scheme|list.*unknown-key)$/),
    (call) => Boolean(authorizationOf(call)),
  ],
  [
    'Takes any key after Bearer',
    keyChecks(/(unknown|near-miss|null)-key$/),
    (call) => Boolean(tokenOf(call)),
  ],
  ['Takes Bearer without a key', keyChecks(/no-key$/), (call) => authorizationOf(call)?.trim() === 'Bearer'],
  [
    'Takes any Basic credentials',
    keyChecks(/other-scheme$/),
    (call) => authorizationOf(call)?.startsWith('Basic ') === true,
  ],
  ['Checks the key in every other request only', keyChecks(/unknown-key$/), (call) => call.nth % 2 === 0],
  ['Needs no key where the path has a query', 'templates.list.auth.missing-key', (call) => call.query !== ''],
];

const halfCheckedKeys = [
  ...rows.map(([title, breaks, admits], row) => server(title, breaks, baseAt(row)).with(alsoAdmits(admits))),
  server(
    'List templates needs no key at its plural path only',
    'templates.list.auth.missing-key',
    'integer-ids',
  ).with(
    alsoAdmits(
      (call) => call.operation === 'listTemplates' && call.path.endsWith('s') && !authorizationOf(call),
    ),
  ),
  server('Shows leads without a key', 'leads.add.auth.reading', 'leads-can-be-read').with(
    alsoAdmits((call) => call.operation === 'listLeads' || call.operation === 'readLead'),
  ),
  server(
    'Needs no key for a template mail to a recipient',
    keyChecks(/^email\.template.*(missing-key|no-key|near-miss-key)$/),
    'send-at-template-only',
  ).with(alsoAdmits((call) => call.operation === 'sendTemplateEmail' && 'to' in fieldsOf(call))),
  server('Knows the header only as `authorization`', [
    'leads.update.documented-headers',
    'templates.list.documented-headers',
  ]).with({
    admit: ({ rawHeaders }, expected) => expected && rawHeaders.includes('authorization'),
  }),
  server(
    'Deletes a lead that was never updated with any key',
    'leads.delete.auth.unknown-key',
    'integer-ids',
  ).with({
    admit: (call, expected, { memory }) => {
      if (call.operation === 'updateLead' && expected) memory.set(call.id, true);
      const isOpen = call.operation === 'deleteLead' && tokenOf(call) !== undefined && !memory.has(call.id);
      return expected || isOpen;
    },
  }),
  server(
    'Takes any key while a request with the right one is handled',
    keyChecks(/^templates.*(missing|unknown)-key$/),
  ).with({
    admit: (_, isRight, { memory }) => isRight || Number(memory.get('handled')) > 0,
    handle: async (call, next, { memory, sleep, key }) => {
      if (authorizationOf(call) !== `Bearer ${key}`) return next(call);
      const count = (change: number) => memory.set('handled', Number(memory.get('handled') ?? 0) + change);
      count(1);
      await sleep(10);
      const reply = next(call);
      count(-1);
      return reply;
    },
  }),
  server('Needs no key after one request with it', keyChecks(/missing-key$/), 'integer-ids').with({
    admit: (call, expected, { memory }) => {
      if (expected) memory.set(String(call.operation), true);
      return expected || (authorizationOf(call) === undefined && memory.has(String(call.operation)));
    },
  }),
];

const openOperations = operations.flatMap(([operation, title, group], index) => [
  server(`${title} needs no key`, `${group}.auth.missing-key`, baseAt(index)).with(
    alsoAdmits((call) => call.operation === operation && authorizationOf(call) === undefined),
  ),
  server(`${title} takes any key`, `${group}.auth.unknown-key`, baseAt(index + 5)).with(
    alsoAdmits((call) => call.operation === operation && Boolean(tokenOf(call))),
  ),
]);

/** Refuses the request and performs it nevertheless. */
const performDespiteRefusal = (operation: Operation, applies: (call: Call) => boolean): Mutation =>
  afterwards(
    (call, reply) => afterRefusal(operation, 'key')(call, reply) && applies(call),
    ({ call, perform }) => perform(call),
  );

const refusedButDone = [
  server('Update lead refuses a missing key, after the update', 'leads.update.auth.changes-nothing').with(
    performDespiteRefusal('updateLead', (call) => !authorizationOf(call)),
  ),
  server(
    'Update lead refuses unknown keys, after the update',
    'leads.update.auth.changes-nothing',
    'integer-ids',
  ).with(performDespiteRefusal('updateLead', (call) => Boolean(authorizationOf(call)))),
  server(
    'Delete lead refuses unknown keys, after it',
    ['leads.delete.nothing-else', 'leads.delete.auth.changes-nothing'],
    'refusals-at-200',
  ).with(performDespiteRefusal('deleteLead', (call) => Boolean(authorizationOf(call)))),
];

/** The router takes another form of a path for the same, and the check of keys does not. */
const openAt = (form: RegExp, operation: Operation): Mutation => ({
  handle: (call, next, { perform }) => {
    const [path, id = ''] = form.exec(`${call.method} ${call.path}`) ?? [];
    return path === undefined ? next(call) : perform({ ...call, id, operation });
  },
});

/** Looks up what was asked for before the key, and sends it with the error. */
const shownInRefusals = (operation: Operation, dataOf: (event: Event) => unknown): Mutation =>
  changeReply(afterRefusal(operation, 'key'), (reply, event) => ({
    ...reply,
    body: { ...reply.body, data: dataOf(event) ?? null },
  }));

const exposed = [
  server(
    'Delete lead needs no key at a path with a slash',
    'leads.delete.auth.changes-nothing',
    'bodies-422',
  ).with(openAt(/^DELETE .*\/leads\/([^/]+)\/$/, 'deleteLead')),
  server('Needs no key for the list under a path in capitals', 'templates.list.auth.missing-key').with(
    openAt(/\/TEMPLATES$/, 'listTemplates'),
  ),
  server('Sends the templates with the refusal of a key', keyChecks(/^templates/), 'bodies-422').with(
    shownInRefusals('listTemplates', ({ store }) => store.templates),
  ),
  server('Sends the lead with the refusal of an update without a key', [
    'leads.update.auth.missing-key',
    'leads.update.auth.unknown-key',
  ]).with(shownInRefusals('updateLead', ({ own }) => own)),
];

export const keys = [...halfCheckedKeys, ...openOperations, ...refusedButDone, ...exposed];
