import type { Message } from '../mail/template.ts';

/** A captured message, with which nothing is wrong. */
export const messageInTest: Message = {
  id: 'msg_000001',
  operation: 'sendEmail',
  request_id: null,
  from: 'courses@example.com',
  to: 'lena@example.com',
  subject: 'Your seat is reserved',
  html: '<p>See you on Monday</p>',
  template_id: null,
  variables: null,
  created_at: '2026-01-01T00:00:00.000Z',
};
