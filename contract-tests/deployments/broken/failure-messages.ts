import { breaking, derived } from './breaking.ts';
import { withValue } from './faults.ts';
import { inRefusal } from './refusals.ts';

const broken = breaking('failure-messages');

/** §7.3: the message of a failure carries a text. */
export const failureMessages = [
  broken(
    'failure-message-number',
    'The message of a refused key is a number',
    'plain',
    derived('7'),
    inRefusal('key', withValue('message', 42)),
  ),
  broken(
    'failure-message-null',
    'The message of a refused lead is null',
    'bodies-422',
    derived('7'),
    inRefusal('lead', withValue('message', null)),
  ),
  broken(
    'failure-message-true',
    'The message of refused fields is true',
    'refusals-at-200',
    derived('7'),
    inRefusal('fields', withValue('message', true)),
  ),
];
