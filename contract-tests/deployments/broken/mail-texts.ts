import type { Fault, Fields, Operation } from '../exchange.ts';
import { isObject } from '../rules.ts';
import { breaking, derived } from './breaking.ts';

const mail = breaking('mail-texts');

/** Fails where a text of a mail holds something. */
const failsOn = (operation: Operation, field: string, pattern: RegExp): Fault => ({
  around: (call, next) => {
    const reply = next(call);
    const { [field]: value } = (isObject(call.body) ? call.body : {}) as Fields;
    const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
    return call.operation === operation && !reply.refused && pattern.test(text)
      ? { status: 500, refused: 'fields', body: { success: false, error: 'internal error', message: '' } }
      : reply;
  },
});

/** §4.1: strings; whatever they hold, a server does not fall over it. */
export const mailTexts = [
  mail(
    'subject-in-ascii',
    'Fails at a subject beyond ASCII',
    'plain',
    derived('4.1'),
    failsOn('sendEmail', 'subject', /[^ -~]/),
  ),
  mail(
    'html-without-quotes',
    'Fails at quotes in html',
    'bodies-422',
    derived('4.1'),
    failsOn('sendEmail', 'html', /["']/),
  ),
  mail(
    'html-on-one-line',
    'Fails at line breaks in html',
    'integer-ids',
    derived('4.1'),
    failsOn('sendEmail', 'html', /\n/),
  ),
  mail(
    'sender-without-name',
    'Fails at a sender with a name',
    'plain',
    derived('4.1'),
    failsOn('sendEmail', 'from', /</),
  ),
];
