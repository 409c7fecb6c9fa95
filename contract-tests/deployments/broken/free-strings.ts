import type { Fault } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { breaking, documented } from './breaking.ts';

const refused = breaking('free-string');

/** §2.3: the source is a free string. */
const refuses = (pattern: RegExp): Fault => ({
  around: (call, next) => {
    const source = isObject(call.body) ? call.body.source : undefined;
    const reply = next(call);
    if (call.operation !== 'addLead' || reply.refused || !pattern.test(String(source ?? ''))) return reply;
    return {
      status: 400,
      refused: 'fields',
      body: { success: false, error: 'source is not allowed', message: '' },
    };
  },
});

export const freeStrings = [
  refused(
    'source-without-punctuation',
    'Refuses punctuation in a source',
    'plain',
    documented('2.3'),
    refuses(/[^\p{L}\p{N} _-]/u),
  ),
  refused(
    'source-in-ascii',
    'Refuses all but ASCII in a source',
    'integer-ids',
    documented('2.3'),
    refuses(/[^ -~]/u),
  ),
  refused(
    'source-without-blanks',
    'Refuses blanks in a source',
    'bodies-422',
    documented('2.3'),
    refuses(/\s/),
  ),
  refused(
    'source-from-a-list',
    'Knows five sources and refuses others',
    'refusals-at-200',
    documented('2.3'),
    refuses(/^(?!(?:web|ads|email|event|referral)$)/),
  ),
];
