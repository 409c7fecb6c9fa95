import type { OperationId } from '../../mock/spec.ts';
import { type Check, type ReplyCheck, show, typeName } from '../check.ts';
import { type Exchange, isObject } from '../exchange.ts';
import { repeatedName } from '../repeated-name.ts';
import { schemaErrors, valueAt } from '../reply-schema.ts';
import type { Session } from '../session.ts';
import { completeEmail, describeBroken, templateEmail } from '../survey.ts';

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

/** Mails beyond the survey's: few, because somebody receives them. */
const moreMails = 4;

const sendMore = async (session: Session): Promise<void> => {
  for (let round = 0; round < moreMails; round += 1)
    await session.send('sendEmail', { body: completeEmail(session) });
};

const sendMoreFromTemplate = async (session: Session): Promise<void> => {
  const { template } = session.demands;
  if (!template) return;
  for (let round = 0; round < moreMails; round += 1) {
    await session.send('sendTemplateEmail', { body: templateEmail(session, template) });
  }
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
    mails: moreMails + 1,
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
  {
    ...success('email.template', 'sendTemplateEmail', '4.3', 'sending an email from a listed template'),
    provoke: sendMoreFromTemplate,
    mails: moreMails + 2,
  },
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

const every = { operation: 'listTemplates', needs: 'read', scope: 'every' } as const;

/** What holds for the replies of every operation, successes and refusals alike. */
export const envelopeChecks: readonly ReplyCheck[] = [
  {
    id: 'replies.distinct-names',
    title: 'no reply names a field twice',
    section: '1',
    level: 'derived',
    ...every,
    inspect: (exchange) => {
      const twice = repeatedName(exchange.rawText);
      return twice === undefined ? 'fine' : { expected: 'each field once', actual: twice, exchange };
    },
  },
  {
    id: 'replies.encoding',
    title: 'every reply is JSON in UTF-8 without a byte order mark',
    section: '4',
    level: 'documented',
    ...every,
    inspect: (exchange) =>
      exchange.byteProblem === undefined
        ? 'fine'
        : { expected: 'a body in UTF-8 without a byte order mark', actual: exchange.byteProblem, exchange },
  },
  {
    id: 'replies.content-type',
    title: 'every JSON reply is labelled as JSON',
    section: '1',
    level: 'derived',
    ...every,
    inspect: (exchange) => {
      if (exchange.json === undefined) return 'not applicable';
      const type = exchange.headers['content-type'];
      if (type !== undefined && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) return 'fine';
      return { expected: 'Content-Type: application/json', actual: `Content-Type ${show(type)}`, exchange };
    },
  },
  {
    id: 'replies.no-server-error',
    title: 'no request that could be understood makes the server fail',
    section: '7',
    level: 'derived',
    ...every,
    inspect: (exchange) =>
      exchange.status >= 500 && exchange.outcome !== 'gateway'
        ? { expected: 'a reply or a refusal below 500', actual: `status ${exchange.status}`, exchange }
        : 'fine',
  },
];

/** §7: what a refusal by an operation promises. */
export const refusalChecks: readonly ReplyCheck[] = [
  {
    id: 'failures.error',
    title: 'a refusal is a JSON object with a string error',
    section: '7',
    level: 'documented',
    ...every,
    // A refusal that needs no permission: there is something to look at in every run.
    provoke: async (session) =>
      void (await session.send('listTemplates', { credentials: 'none', intent: 'probe' })),
    inspect: (exchange) => {
      if (exchange.outcome !== 'refusal' || !isJsonRequest(exchange)) return 'not applicable';
      if (isObject(exchange.json) && typeof exchange.json.error === 'string') return 'fine';
      return { expected: 'a JSON object with a string error', actual: refusalShape(exchange), exchange };
    },
  },
  {
    id: 'failures.no-success-claim',
    title: 'a refusal does not claim success: true',
    section: '4',
    level: 'derived',
    ...every,
    inspect: (exchange) => {
      if (exchange.outcome !== 'refusal') return 'not applicable';
      if (!isObject(exchange.json) || exchange.json.success !== true) return 'fine';
      return {
        expected: 'no success: true outside 200',
        actual: `status ${exchange.status} with success: true`,
        exchange,
      };
    },
  },
];

/**
 * Whether the operation could have read the request at all: what is no JSON, or says it is not, is often refused by a
 * body parser in front of it, in words of its own.
 */
const isJsonRequest = ({ body, contentType }: Exchange): boolean => {
  if (body === undefined) return true;
  if (contentType !== 'application/json') return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
};

const refusalShape = ({ status, json, size }: Exchange): string => {
  if (json === undefined)
    return size === 0 ? `${status} with an empty body` : `${status} with a body that is not JSON`;
  return isObject(json)
    ? `${status} with error ${show(json.error)}`
    : `${status} with JSON that is not an object`;
};
