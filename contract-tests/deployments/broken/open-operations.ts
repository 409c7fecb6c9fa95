import { baseAt, breaking, documented, operations } from './breaking.ts';
import { alsoAdmits, given, token } from './keys.ts';

const open = breaking('open-operation');

const openOperations = operations.flatMap(([operation, word, title], index) => [
  open(
    `${word}-open-without-key`,
    `${title} needs no key`,
    baseAt(index),
    documented('5'),
    alsoAdmits((call) => call.operation === operation && given(call) === undefined),
  ),
  open(
    `${word}-open-to-any-key`,
    `${title} takes any key`,
    baseAt(index + 5),
    documented('5'),
    alsoAdmits((call) => call.operation === operation && Boolean(token(call))),
  ),
]);

const openForm = (id: string, title: string, method: string, path: string, keyless: boolean) =>
  open(
    id,
    title,
    'plain',
    documented('5'),
    alsoAdmits(
      (call) => call.method === method && call.path.endsWith(path) && (given(call) === undefined) === keyless,
    ),
  );

const openForms = [
  openForm(
    'plural-list-open',
    'List templates needs no key at its plural path only',
    'GET',
    '/templates',
    true,
  ),
  openForm(
    'singular-list-open',
    'List templates needs no key at its singular path only',
    'GET',
    '/template',
    true,
  ),
  openForm(
    'singular-list-any-key',
    'List templates takes any key at its singular path',
    'GET',
    '/template',
    false,
  ),
  openForm(
    'template-form-open',
    'Send from template needs no key at /template only',
    'POST',
    '/template',
    true,
  ),
  openForm('send-template-form-open', 'Needs no key at /send-template only', 'POST', '/send-template', true),
  openForm('send-template-form-any-key', 'Takes any key at /send-template', 'POST', '/send-template', false),
];

export const openToAll = [...openOperations, ...openForms];
