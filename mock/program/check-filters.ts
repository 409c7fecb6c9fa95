import type { MessageFilter } from '../message.ts';
import { checkFields, type Form, text } from './check-fields.ts';
import type { RequestFilter } from './mock-workspace.ts';

const ofMessages: Readonly<Record<keyof MessageFilter, Form>> = {
  to: text,
  from: text,
  subject: text,
  template_id: text,
  q: text,
};

/** @throws TypeError for what is no filter: it would let every message pass */
export const checkedMessageFilter = (filter: MessageFilter = {}): MessageFilter => {
  checkFields('a filter of messages', filter, ofMessages);
  return filter;
};

const status: Form = {
  fits: (value) => /^([1-5]\d\d|[1-5]xx|0)$/i.test(String(value)),
  words: '503 or 5xx, or 0 where a connection fault left it without a reply',
};

const ofRequests: Readonly<Record<keyof RequestFilter, Form>> = {
  operation: text,
  method: text,
  path: text,
  status,
};

/** @throws TypeError for what is no filter */
export const checkedRequestFilter = (filter: RequestFilter = {}): RequestFilter => {
  checkFields('a filter of requests', filter, ofRequests);
  return filter;
};
