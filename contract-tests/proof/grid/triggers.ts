import type { Reason } from '../server/behaviour.ts';
import type { Call, Operation, Reply } from '../server/types.ts';

/** The event that causes an effect, in the words of ids and of titles. */
export type Trigger = {
  readonly id: string;
  readonly title: string;
  /** @param count how many requests the server has had */
  readonly occurs: (call: Call, reply: Reply, count: number) => boolean;
  /** Milliseconds between the event and its effect. */
  readonly delayMs?: number;
};

const after = (operation: Operation, id: string, title: string): Trigger => ({
  id: `after-${id}`,
  title: `after ${title}`,
  occurs: (call, { refused }) => call.operation === operation && !refused,
});

const afterRefusal = (reason: Reason, id: string, title: string): Trigger => ({
  id: `after-${id}`,
  title: `after ${title}`,
  occurs: (_, { refused }) => refused === reason,
});

const every = (nth: number): Trigger => ({
  id: `every-${nth}`,
  title: `at every request number ${nth}`,
  occurs: (_call, _reply, count) => count % nth === 0,
});

const update = after('updateLead', 'update', 'an update');

export const triggers: readonly Trigger[] = [
  after('listTemplates', 'list', 'a list'),
  after('sendEmail', 'mail', 'a mail'),
  after('sendTemplateEmail', 'template-mail', 'a template mail'),
  after('addLead', 'add', 'an addition'),
  update,
  after('deleteLead', 'delete', 'a deletion'),
  afterRefusal('fields', 'refusal', 'a request with wrong fields'),
  afterRefusal('lead', 'unknown-lead', 'a request for an unknown lead'),
  afterRefusal('key', 'wrong-key', 'a wrong key'),
  every(7),
  every(23),
  { ...update, id: 'later', title: 'half a second after an update', delayMs: 500 },
];
