import type { Letter } from '../exchange.ts';
import { baseAt, breaking, derived } from './breaking.ts';
import { asBytes, succeeds } from './faults.ts';

const types = breaking('content-type');

const always = () => true;
const labelled =
  (type: string) =>
  ({ headers }: Letter) => ({ headers: { ...headers, 'content-type': type } });

/** §1, §5.2: JSON is labelled as such. */
export const contentTypes = [
  types(
    'labelled-html',
    'Replies are labelled text/html',
    'php-style',
    derived('1'),
    asBytes(always, labelled('text/html; charset=UTF-8')),
  ),
  types(
    'labelled-text',
    'The template list is labelled text/plain',
    baseAt(1),
    derived('1'),
    asBytes(succeeds('listTemplates'), labelled('text/plain')),
  ),
  types(
    'labelled-javascript',
    'Delete lead is labelled as a script',
    baseAt(3),
    derived('1'),
    asBytes(succeeds('deleteLead'), labelled('application/javascript')),
  ),
  types(
    'not-labelled',
    'Add lead has no content type',
    'plain',
    derived('1'),
    asBytes(succeeds('addLead'), () => ({ headers: {} })),
  ),
  types(
    'refusals-labelled-html',
    'Refused keys are labelled text/html',
    baseAt(6),
    derived('1'),
    asBytes(({ refused }) => refused === 'key', labelled('text/html')),
  ),
  types(
    'every-third-labelled-html',
    'Every third update is labelled text/html',
    baseAt(4),
    derived('1'),
    asBytes(
      (reply, call) => succeeds('updateLead')(reply, call) && call.nth % 3 === 0,
      labelled('text/html'),
    ),
  ),
];
