import type { Call, Fault, Operation } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { breaking, derived, documented } from './breaking.ts';

const half = breaking('half-checked-key');
const done = breaking('refused-but-done');

export const given = (call: Call) => call.headers.authorization;
export const token = (call: Call) => /^Bearer (.*)$/.exec(given(call) ?? '')?.[1];

/** Admits what an honest service would not. */
export const alsoAdmits = (admits: (call: Call, key: string) => boolean): Fault => ({
  admits: (call, honest, { key }) => honest || admits(call, key),
});

/** A key's signs by kind. */
const shapeOf = (key: string | undefined) =>
  key?.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/[0-9]/g, '0');

const halfChecked = [
  half(
    'key-prefix-only',
    'Compares the first twelve characters of a key',
    'plain',
    derived('5'),
    alsoAdmits((call, key) => token(call)?.slice(0, 12) === key.slice(0, 12)),
  ),
  half(
    'key-length-only',
    'Takes any key of the right length',
    'integer-ids',
    documented('5'),
    alsoAdmits((call, key) => token(call)?.length === key.length),
  ),
  half(
    'key-any-case',
    'Compares keys without regard to case',
    'bodies-422',
    derived('5'),
    alsoAdmits((call, key) => token(call)?.toLowerCase() === key.toLowerCase()),
  ),
  half(
    'key-with-more',
    'Takes the key with anything appended',
    'refusals-at-200',
    derived('5'),
    alsoAdmits((call, key) => token(call)?.startsWith(key) === true),
  ),
  half(
    'key-with-more-in-delete',
    'Delete lead takes the key with anything appended',
    'strict-fields',
    derived('5'),
    alsoAdmits((call, key) => call.operation === 'deleteLead' && token(call)?.startsWith(key) === true),
  ),
  half(
    'key-last-sign-free',
    'Does not compare the last characters of a key',
    'php-style',
    derived('5'),
    alsoAdmits((call, key) => token(call)?.startsWith(key.slice(0, -2)) === true),
  ),
  half(
    'key-of-right-shape',
    'Takes any key of the right shape',
    'strict-fields',
    documented('5'),
    alsoAdmits((call, key) => shapeOf(token(call)) === shapeOf(key)),
  ),
  half(
    'key-last-character-free',
    'Does not compare the last character of a key',
    'uuid-ids',
    derived('5'),
    alsoAdmits(
      (call, key) => token(call)?.length === key.length && token(call)?.slice(0, -1) === key.slice(0, -1),
    ),
  ),
  half(
    'key-cut-short',
    'Takes the beginning of a key for the key',
    'integer-ids',
    derived('5'),
    alsoAdmits((call, key) => (token(call) ?? '').length > 7 && key.startsWith(token(call) ?? '-')),
  ),
  half(
    'key-null',
    'Takes what a page sends that has no key: null or undefined',
    'plain',
    documented('5'),
    alsoAdmits((call) => /^(null|undefined)$/.test(token(call) ?? '')),
  ),
  half(
    'key-pattern',
    'Looks for a key with LIKE',
    'bodies-422',
    documented('5'),
    alsoAdmits((call) => token(call) === '%'),
  ),
  half(
    'key-in-unaddressed-template-mail',
    'Does not look at the key of a template mail that names no recipient',
    'plain',
    documented('5'),
    alsoAdmits(
      (call) => call.operation === 'sendTemplateEmail' && isObject(call.body) && !('to' in call.body),
    ),
  ),
  half(
    'key-in-addressed-template-mail',
    'Does not look at the key of a template mail that names a recipient',
    'send-at-template-only',
    documented('5'),
    alsoAdmits((call) => call.operation === 'sendTemplateEmail' && isObject(call.body) && 'to' in call.body),
  ),
  half(
    'key-present-only',
    'Takes any Authorization header',
    'behind-a-proxy',
    documented('5'),
    alsoAdmits((call) => Boolean(given(call))),
  ),
  half(
    'key-any-bearer',
    'Takes any key after Bearer',
    'uuid-ids',
    documented('5'),
    alsoAdmits((call) => Boolean(token(call))),
  ),
  half(
    'key-empty-bearer',
    'Takes Bearer without a key',
    'python-style',
    documented('5'),
    alsoAdmits((call) => given(call)?.trim() === 'Bearer'),
  ),
  half(
    'key-any-basic',
    'Takes any Basic credentials',
    'plain',
    documented('5'),
    alsoAdmits((call) => given(call)?.startsWith('Basic ') === true),
  ),
  half(
    'key-remembered',
    'Needs no key once a request of the operation had it',
    'integer-ids',
    documented('5'),
    {
      admits: (call, honest, { memory }) => {
        if (honest) memory.set(String(call.operation), true);
        return honest || (given(call) === undefined && memory.has(String(call.operation)));
      },
    },
  ),
  half(
    'key-every-other-time',
    'Looks at the key in every other request only',
    'bodies-422',
    documented('5'),
    alsoAdmits((call) => call.nth % 2 === 0),
  ),
];

/** Refuses, and does what was asked all the same. */
const carriesOut = (operation: Operation, applies: (call: Call) => boolean): Fault => ({
  around: (call, next, { perform }) => {
    const reply = next(call);
    if (call.operation === operation && reply.refused === 'key' && applies(call)) perform(call);
    return reply;
  },
});

const refusedButDone = [
  done(
    'update-done-without-key',
    'Update lead refuses a missing key, after the update',
    'plain',
    documented('5'),
    carriesOut('updateLead', (call) => !given(call)),
  ),
  done(
    'update-done-with-any-key',
    'Update lead refuses unknown keys, after the update',
    'integer-ids',
    documented('5'),
    carriesOut('updateLead', (call) => Boolean(given(call))),
  ),
  done(
    'delete-done-without-key',
    'Delete lead refuses a missing key, after the deletion',
    'plain',
    documented('5'),
    carriesOut('deleteLead', (call) => !given(call)),
  ),
  done(
    'delete-done-with-any-key',
    'Delete lead refuses unknown keys, after it',
    'refusals-at-200',
    documented('5'),
    carriesOut('deleteLead', (call) => Boolean(given(call))),
  ),
];

export const keys = [...halfChecked, ...refusedButDone];
