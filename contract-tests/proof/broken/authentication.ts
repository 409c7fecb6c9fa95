import type { Store } from '../server/store.ts';
import type { Call, Mutation, Operation } from '../server/types.ts';
import { derived, documented } from '../server/types.ts';
import { isObject } from '../server/validation.ts';
import { baseAt, brokenGroup, operations } from './mutation.ts';

const keyCheck = brokenGroup('half-checked-key', documented('5'));
const sideEffect = brokenGroup('refused-but-done', documented('5'));

const authorizationOf = (call: Call) => call.headers.authorization;
const tokenOf = (call: Call) => /^Bearer (.*)$/.exec(authorizationOf(call) ?? '')?.[1];

/** Accepts requests that a conforming service refuses. */
const alsoAdmits = (admits: (call: Call, key: string) => boolean): Mutation => ({
  admit: (call, expected, { key }) => expected || admits(call, key),
});

/** The kinds of characters in a key. */
const shapeOf = (key: string | undefined) =>
  key?.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/[0-9]/g, '0');

/** The same where leads have a router of their own. */
const alsoAdmitsToLeads = (admits: (token: string, key: string) => boolean): Mutation =>
  alsoAdmits((call, key) => /Lead$/.test(call.operation ?? '') && admits(tokenOf(call) ?? '', key));

const halfCheckedKeys = [
  keyCheck('key-in-lower-case-header', 'Knows the header only as `authorization`').with({
    admit: ({ rawHeaders }, expected) => expected && rawHeaders.includes('authorization'),
  }),
  keyCheck(
    'delete-of-new-lead-open',
    'Deletes a lead that was never updated with any key',
    'integer-ids',
  ).with({
    admit: (call, expected, { memory }) => {
      if (call.operation === 'updateLead' && expected) memory.set(call.id, true);
      const isOpen = call.operation === 'deleteLead' && tokenOf(call) !== undefined && !memory.has(call.id);
      return expected || isOpen;
    },
  }),
  keyCheck('key-prefix-only', 'Compares the first twelve characters of a key', 'plain', derived('5')).with(
    alsoAdmits((call, key) => tokenOf(call)?.slice(0, 12) === key.slice(0, 12)),
  ),
  keyCheck('key-length-only', 'Takes any key of the right length', 'integer-ids').with(
    alsoAdmits((call, key) => tokenOf(call)?.length === key.length),
  ),
  keyCheck('key-any-case', 'Compares keys without regard to case', 'bodies-422', derived('5')).with(
    alsoAdmits((call, key) => tokenOf(call)?.toLowerCase() === key.toLowerCase()),
  ),
  keyCheck('key-with-more', 'Takes the key with anything appended', 'refusals-at-200', derived('5')).with(
    alsoAdmits((call, key) => tokenOf(call)?.startsWith(key) === true),
  ),
  keyCheck('key-with-more-in-delete', 'Delete lead takes a longer key', 'strict-fields', derived('5')).with(
    alsoAdmits((call, key) => call.operation === 'deleteLead' && tokenOf(call)?.startsWith(key) === true),
  ),
  keyCheck('key-last-sign-free', 'Ignores the last characters of a key', 'php-style', derived('5')).with(
    alsoAdmits((call, key) => tokenOf(call)?.startsWith(key.slice(0, -2)) === true),
  ),
  keyCheck('key-of-right-shape', 'Takes any key of the right shape', 'strict-fields').with(
    alsoAdmits((call, key) => shapeOf(tokenOf(call)) === shapeOf(key)),
  ),
  keyCheck('key-last-character-free', 'Ignores the last character of a key', 'uuid-ids', derived('5')).with(
    alsoAdmits(
      (call, key) => tokenOf(call)?.length === key.length && tokenOf(call)?.slice(0, -1) === key.slice(0, -1),
    ),
  ),
  keyCheck('key-cut-short', 'Takes the beginning of the key', 'integer-ids', derived('5')).with(
    alsoAdmits((call, key) => (tokenOf(call) ?? '').length > 7 && key.startsWith(tokenOf(call) ?? '-')),
  ),
  keyCheck('leads-key-cut-short', 'Leads take the beginning of the key', 'uuid-ids', derived('5')).with(
    alsoAdmitsToLeads((token, key) => token.length > 4 && key.startsWith(token)),
  ),
  keyCheck('leads-key-any-case', 'Leads compare keys without case', 'python-style', derived('5')).with(
    alsoAdmitsToLeads((token, key) => token.toLowerCase() === key.toLowerCase()),
  ),
  keyCheck('key-first-character-free', 'Ignores the first character of a key', 'plain', derived('5')).with(
    alsoAdmits((call, key) => tokenOf(call)?.slice(1) === key.slice(1)),
  ),
  keyCheck('key-dash-as-underscore', 'Takes - and _ in a key for the same', 'uuid-ids', derived('5')).with(
    alsoAdmits((call, key) => tokenOf(call)?.replaceAll('-', '_') === key.replaceAll('-', '_')),
  ),
  keyCheck('key-null', 'Takes the keys "null" and "undefined"').with(
    alsoAdmits((call) => /^(null|undefined)$/.test(tokenOf(call) ?? '')),
  ),
  keyCheck('leads-key-undefined', 'Leads take the keys "null" and "undefined"', 'strict-fields').with(
    alsoAdmitsToLeads((token) => /^(null|undefined)$/.test(token)),
  ),
  keyCheck('key-expression', 'Reads a key as a regular expression', 'uuid-ids').with(
    alsoAdmits((call) => tokenOf(call) === '.*'),
  ),
  keyCheck('key-pattern', 'Compares keys with the LIKE of SQL', 'bodies-422').with(
    alsoAdmits((call) => tokenOf(call) === '%'),
  ),
  keyCheck('key-in-unaddressed-template-mail', 'Needs no key for a template mail without a recipient').with(
    alsoAdmits(
      (call) => call.operation === 'sendTemplateEmail' && isObject(call.body) && !('to' in call.body),
    ),
  ),
  keyCheck('no-key-with-query', 'Needs no key where the path has a query', 'uuid-ids').with(
    alsoAdmits((call) => call.query !== ''),
  ),
  keyCheck(
    'key-in-addressed-template-mail',
    'Needs no key for a template mail to a recipient',
    'send-at-template-only',
  ).with(
    alsoAdmits((call) => call.operation === 'sendTemplateEmail' && isObject(call.body) && 'to' in call.body),
  ),
  keyCheck('key-present-only', 'Takes any Authorization header', 'behind-a-proxy').with(
    alsoAdmits((call) => Boolean(authorizationOf(call))),
  ),
  keyCheck('key-any-bearer', 'Takes any key after Bearer', 'uuid-ids').with(
    alsoAdmits((call) => Boolean(tokenOf(call))),
  ),
  keyCheck('key-empty-bearer', 'Takes Bearer without a key', 'python-style').with(
    alsoAdmits((call) => authorizationOf(call)?.trim() === 'Bearer'),
  ),
  keyCheck('key-any-basic', 'Takes any Basic credentials').with(
    alsoAdmits((call) => authorizationOf(call)?.startsWith('Basic ') === true),
  ),
  keyCheck('key-remembered', 'Needs no key after one request with it', 'integer-ids').with({
    admit: (call, expected, { memory }) => {
      if (expected) memory.set(String(call.operation), true);
      return expected || (authorizationOf(call) === undefined && memory.has(String(call.operation)));
    },
  }),
  keyCheck('key-every-other-time', 'Checks the key in every other request only', 'bodies-422').with(
    alsoAdmits((call) => call.nth % 2 === 0),
  ),
];

/** Refuses the request and performs it nevertheless. */
const performDespiteRefusal = (operation: Operation, applies: (call: Call) => boolean): Mutation => ({
  handle: (call, next, { perform }) => {
    const reply = next(call);
    if (call.operation === operation && reply.refused === 'key' && applies(call)) perform(call);
    return reply;
  },
});

const refusedButDone = [
  sideEffect('update-done-without-key', 'Update lead refuses a missing key, after the update').with(
    performDespiteRefusal('updateLead', (call) => !authorizationOf(call)),
  ),
  sideEffect(
    'update-done-with-any-key',
    'Update lead refuses unknown keys, after the update',
    'integer-ids',
  ).with(performDespiteRefusal('updateLead', (call) => Boolean(authorizationOf(call)))),
  sideEffect('delete-done-without-key', 'Delete lead refuses a missing key, after the deletion').with(
    performDespiteRefusal('deleteLead', (call) => !authorizationOf(call)),
  ),
  sideEffect(
    'delete-done-with-any-key',
    'Delete lead refuses unknown keys, after it',
    'refusals-at-200',
  ).with(performDespiteRefusal('deleteLead', (call) => Boolean(authorizationOf(call)))),
];

export const keys = [...halfCheckedKeys, ...refusedButDone];

const open = brokenGroup('open-operation', documented('5'));

const openOperations = operations.flatMap(([operation, word, title], index) => [
  open(`${word}-open-without-key`, `${title} needs no key`, baseAt(index)).with(
    alsoAdmits((call) => call.operation === operation && authorizationOf(call) === undefined),
  ),
  open(`${word}-open-to-any-key`, `${title} takes any key`, baseAt(index + 5)).with(
    alsoAdmits((call) => call.operation === operation && Boolean(tokenOf(call))),
  ),
]);

const withoutKey = (call: Call) => authorizationOf(call) === undefined;
const withSomeKey = (call: Call) => !withoutKey(call);

const openPath = (method: string, path: string, applies: (call: Call) => boolean) =>
  alsoAdmits((call) => call.method === method && call.path.endsWith(path) && applies(call));

const openPaths = [
  open('readings-open', 'Shows leads without a key', 'leads-can-be-read', derived('1')).with(
    alsoAdmits((call) => call.operation === 'listLeads' || call.operation === 'readLead'),
  ),
  open('plural-list-open', 'List templates needs no key at its plural path only').with(
    openPath('GET', '/templates', withoutKey),
  ),
  open('singular-list-open', 'List templates needs no key at its singular path only').with(
    openPath('GET', '/template', withoutKey),
  ),
  open('singular-list-any-key', 'List templates takes any key at its singular path').with(
    openPath('GET', '/template', withSomeKey),
  ),
  open('template-form-open', 'Send from template needs no key at /template only').with(
    openPath('POST', '/template', withoutKey),
  ),
  open('send-template-form-open', 'Needs no key at /send-template only').with(
    openPath('POST', '/send-template', withoutKey),
  ),
  open('send-template-form-any-key', 'Takes any key at /send-template').with(
    openPath('POST', '/send-template', withSomeKey),
  ),
];

/** Takes a path with a slash at its end for the same, and asks for no key there. */
const openWithSlash = (operation: Operation, method: string, path: RegExp): Mutation => ({
  handle: (call, next, { perform }) => {
    const match = call.method === method ? path.exec(call.path) : null;
    return match
      ? perform({ ...call, path: call.path.slice(0, -1), id: match[1] ?? '', operation })
      : next(call);
  },
});

/** Looks up what was asked for before the key, and sends it with the error. */
const shownInRefusals = (operation: Operation, dataOf: (call: Call, store: Store) => unknown): Mutation => ({
  handle: (call, next, { store }) => {
    const reply = next(call);
    if (reply.refused !== 'key' || call.operation !== operation) return reply;
    return { ...reply, body: { ...reply.body, data: dataOf(call, store) ?? null } };
  },
});

const leadWithSlash = /\/leads\/([^/]+)\/$/;

const exposed = [
  open('list-open-with-slash', 'List templates needs no key at a path with a slash').with(
    openWithSlash('listTemplates', 'GET', /\/email\/templates\/$/),
  ),
  open('add-open-with-slash', 'Add lead needs no key at a path with a slash', 'uuid-ids').with(
    openWithSlash('addLead', 'POST', /\/leads\/$/),
  ),
  open('update-open-with-slash', 'Update lead needs no key at a path with a slash', 'integer-ids').with(
    openWithSlash('updateLead', 'PUT', leadWithSlash),
  ),
  open('delete-open-with-slash', 'Delete lead needs no key at a path with a slash', 'bodies-422').with(
    openWithSlash('deleteLead', 'DELETE', leadWithSlash),
  ),
  open('list-in-refusals', 'Sends the templates with the refusal of a key', 'bodies-422').with(
    shownInRefusals('listTemplates', (_, { templates }) => templates),
  ),
  open('lead-in-refusals', 'Sends the lead with the refusal of an update without a key').with(
    shownInRefusals('updateLead', (call, store) => store.find(call.id)),
  ),
];

export const openToAll = [...openOperations, ...openPaths, ...exposed];
