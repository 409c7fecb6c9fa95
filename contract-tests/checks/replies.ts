import type { OperationId } from '../../mock/spec.ts';
import { type Check, type ReplyCheck, show, typeName } from '../check.ts';
import { type Exchange, isObject } from '../exchange.ts';
import { describeBroken } from '../finding.ts';
import { mailRounds, unusualEmail } from '../mail-texts.ts';
import { schemaErrors, valueAt } from '../reply-schema.ts';
import type { Session } from '../session.ts';

const needOf: Readonly<Record<OperationId, Check['needs']>> = {
  sendEmail: 'mail',
  listTemplates: 'read',
  sendTemplateEmail: 'mail',
  addLead: 'writes',
  updateLead: 'writes',
  deleteLead: 'writes',
};

/** A reply that means success: its fields are judged even where `success` itself is wrong, if it is an object at all. */
const meansSuccess = ({ outcome, json }: Exchange): boolean =>
  outcome === 'success' || (outcome === 'broken' && isObject(json));

/** Success itself, per operation (§4): the survey adds what no reply shows, e.g. an operation that is absent. */
const success = (area: string, operation: OperationId, section: string, what: string): ReplyCheck => ({
  id: `${area}.success`,
  title: `${what} is answered with 200 and success: true`,
  section,
  level: 'documented',
  operation,
  needs: needOf[operation],
  inspect: (exchange) => {
    if (exchange.outcome === 'success') return 'fine';
    if (exchange.outcome !== 'broken') return 'not applicable';
    return { expected: '200 and success: true, or a refusal', actual: describeBroken(exchange), exchange };
  },
  overall: (exchanges) => {
    const complete = exchanges.filter(({ intent }) => intent === 'complete');
    const failing = complete.filter(({ status, outcome }) => status >= 500 && outcome !== 'gateway');
    // Once may be chance (and is a warning, `replies.no-server-error`); again and again is how it works.
    if (failing.length < 2) return undefined;
    return {
      expected: 'success, or a refusal with a reason',
      actual: `status ${failing[0]?.status} for ${failing.length} of ${complete.length} complete requests`,
      exchange: failing[0],
    };
  },
});

/** One field of success replies, at a pointer in which `*` stands for every item of a list. */
const field = (
  id: string,
  operation: OperationId,
  section: string,
  pointer: string,
  claim: string,
): ReplyCheck & { readonly pointer: string } => {
  const pattern = new RegExp(`^${pointer.replaceAll('*', '[0-9]+')}(/[0-9]+)?$`);
  return {
    id,
    title: claim,
    section,
    level: 'documented',
    operation,
    needs: needOf[operation],
    pointer,
    inspect: (exchange) => {
      if (!meansSuccess(exchange)) return 'not applicable';
      const error = schemaErrors(exchange).find((candidate) => pattern.test(candidate.pointer));
      if (!error) return 'fine';
      const value = valueAt(exchange.json, error.pointer);
      // A template is somebody's record: its values stay out of reports.
      const shown =
        operation === 'listTemplates' && error.pointer !== '/error' ? typeName(value) : show(value);
      return {
        expected: claim,
        actual: `${error.pointer} ${error.message} (it is ${shown})`,
        exchange,
        pointer: error.pointer,
      };
    },
  };
};

const leadFields = (area: string, operation: OperationId, section: string, time: string): ReplyCheck[] => [
  field(`${area}.data`, operation, section, '/data', 'data is an object'),
  field(`${area}.lead-id`, operation, '2.3', '/data/lead_id', 'data.lead_id is a string that is not empty'),
  field(`${area}.name`, operation, section, '/data/name', 'data.name is a string'),
  field(`${area}.source`, operation, section, '/data/source', 'data.source is a string'),
  field(`${area}.note`, operation, section, '/data/note', 'data.note is a string'),
  field(
    `${area}.${time.replace('_', '-')}`,
    operation,
    '2.3',
    `/data/${time}`,
    `data.${time} is an ISO 8601 time in UTC`,
  ),
];

/** Mails beyond the survey's: few, because somebody receives them, and so each with other characters in it. */
const sendMore = async (session: Session): Promise<void> => {
  for (let round = 0; round < mailRounds; round += 1)
    await session.send('sendEmail', { body: unusualEmail(session, round), intent: 'text' });
};

const message = (area: string, operation: OperationId, section: string): ReplyCheck =>
  field(`${area}.message`, operation, section, '/message', 'message is a string');

const noError = (area: string, operation: OperationId): ReplyCheck =>
  field(`${area}.error`, operation, '7', '/error', 'error is an empty string');

/** Success replies, field by field, as §4 lists them. */
export const replyChecks: readonly ReplyCheck[] = [
  {
    ...success('email.send', 'sendEmail', '4.1', 'sending an email'),
    provoke: sendMore,
    mails: mailRounds,
  },
  message('email.send', 'sendEmail', '4.1'),
  success('templates.list', 'listTemplates', '4.2', 'listing templates'),
  noError('templates.list', 'listTemplates'),
  field('templates.list.data', 'listTemplates', '4.2', '/data', 'data is an array'),
  field('templates.list.items', 'listTemplates', '4.2', '/data/*', 'each item of data is an object'),
  message('templates.list', 'listTemplates', '4.2'),
  field(
    'templates.list.id',
    'listTemplates',
    '2.2',
    '/data/*/id',
    'each template has an id, a string that is not empty',
  ),
  field('templates.list.name', 'listTemplates', '2.2', '/data/*/name', 'each template has a name, a string'),
  field('templates.list.body', 'listTemplates', '2.2', '/data/*/body', 'each template has a body, a string'),
  field(
    'templates.list.variables',
    'listTemplates',
    '2.2',
    '/data/*/variables',
    'each template has variables, an array of strings',
  ),
  field(
    'templates.list.created-at',
    'listTemplates',
    '2.2',
    '/data/*/created_at',
    'each created_at is an ISO 8601 time in UTC',
  ),
  success('email.template', 'sendTemplateEmail', '4.3', 'sending an email from a listed template'),
  message('email.template', 'sendTemplateEmail', '4.3'),
  success('leads.add', 'addLead', '4.5', 'adding a lead'),
  ...leadFields('leads.add', 'addLead', '4.5', 'created_at'),
  message('leads.add', 'addLead', '4.5'),
  success('leads.update', 'updateLead', '4.6', 'updating a lead'),
  noError('leads.update', 'updateLead'),
  ...leadFields('leads.update', 'updateLead', '4.6', 'updated_at'),
  message('leads.update', 'updateLead', '4.6'),
  success('leads.delete', 'deleteLead', '4.7', 'deleting a lead'),
  noError('leads.delete', 'deleteLead'),
  message('leads.delete', 'deleteLead', '4.7'),
];
