import type { OperationId } from '../../mock/contract/operation-id.ts';
import { type Permissions, permitsOperation } from '../client/permissions.ts';
import {
  describeRefusal,
  type Exchange,
  hasServiceEnvelope,
  hasSuccessStatus,
  isRefusal,
  isSuccess,
  responseFingerprint,
  sentFields,
} from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { hasList } from '../exchange/responses.ts';
import type { Discovered } from '../session/outcome.ts';
import { completeEmail, controls, listAgain, templateEmail, templatesIn } from '../session/requests.ts';
import type { Session } from '../session/session.ts';
import type { ListedTemplate } from '../session/shared.ts';
import { conclude, type Form, retryOnServerError, tryForms } from './demands.ts';

export const discoverTemplates = async (session: Session): Promise<Discovered> => {
  const replies: Exchange[] = [];
  for (const path of operationOf('listTemplates').paths) {
    const ask = async (): Promise<Exchange> => {
      const first = session.firstLists.get(path);
      session.firstLists.delete(path);
      const intent = replies.length === 0 ? 'complete' : 'probe';
      return first ?? (await session.send('listTemplates', { path, intent }));
    };
    replies.push(await retryOnServerError(session, ask));
  }
  const own = replies.every(hasList) ? replies : await withoutGenericSuccesses(session, replies);
  const relevant = existingForms(replies, own);
  session.templates.push(
    ...templatesIn(relevant.find(({ outcome }) => outcome === 'success') ?? relevant[0]),
  );
  return conclude(session, 'listTemplates', relevant);
};

/**
 * The responses of the path forms that exist: an absent one is no finding while another one works. Successes take precedence over
 * error responses, and responses with the service's envelope over others: some servers answer any path with 200.
 * @param own those that are no generic successes
 */
const existingForms = (replies: readonly Exchange[], own = replies): readonly Exchange[] => {
  const taken = own.filter(hasSuccessStatus);
  const existing = taken.length > 0 ? taken : replies;
  const known = existing.filter(({ json }) => hasServiceEnvelope(json));
  return known.length > 0 ? known : existing;
};

/** Removes the generic successes, which this deployment also sends for any path or any method. */
const withoutGenericSuccesses = async (
  session: Session,
  replies: readonly Exchange[],
): Promise<Exchange[]> => {
  if (!replies.some(hasSuccessStatus)) return [...replies];
  const generic = new Set((await controls(session)).filter(hasSuccessStatus).map(responseFingerprint));
  return replies.filter((reply) => !hasSuccessStatus(reply) || !generic.has(responseFingerprint(reply)));
};

const fromAnother = (sender: string): Form => ({
  form: { sender },
  says: [
    `every mail is from ${sender}, because mails from their recipient are refused (the document leaves open which senders are accepted; --from sets another one)`,
  ],
});

export const discoverSend = async (session: Session): Promise<Discovered> => {
  const { requirements, sender, permissions } = session;
  const others = [
    // A deployment may refuse mails to their sender. With a tag, the address is another one of the same recipient.
    ...(sender === permissions.sendTo ? [fromAnother(sender.replace(/@(?!.*@)/, '+contract-suite@'))] : []),
    ...(permissions.unaddressed ? [{ form: { sendWithoutTo: true } }] : []),
    { form: { sendDocuments: true } },
  ];
  const documented = { sender: undefined, sendWithoutTo: false, sendDocuments: false };
  const { first, reply } = await tryForms(session, { documented, others }, () =>
    session.send('sendEmail', { body: completeEmail(session) }),
  );
  const { sendWithoutTo, sendDocuments } = requirements;
  if (sendWithoutTo || sendDocuments) {
    const isAboutRecipient = sendWithoutTo && /recipient/i.test(describeRefusal(first));
    requirements.sendRefused = {
      exchange: first,
      form: sendWithoutTo ? 'with the field to' : 'whose html is no complete document',
      ...(isAboutRecipient ? { hint: 'try another --send-to address' } : {}),
    };
  }
  const hint = 'if an address is the reason, try another sender with --from, or another --send-to address';
  return conclude(session, 'sendEmail', [reply], hint);
};

/** A mail from a template at a path form, with a recipient or without. */
const sendAt = (
  session: Session,
  template: ListedTemplate,
  path: string,
  { to, intent = 'complete' }: { readonly to: boolean; readonly intent?: Exchange['intent'] },
): Promise<Exchange> => {
  const body = templateEmail(session, template, to);
  const ask = (): Promise<Exchange> => session.send('sendTemplateEmail', { path, body, intent });
  return intent === 'probe' ? ask() : retryOnServerError(session, ask);
};

/** §4.3 documents no recipient, so that a deployment may refuse one. */
const withRecipient = { to: true, intent: 'probe' } as const;

/**
 * A mail with a recipient from a template in the middle of the list, because a fault may concern a single one; if that is refused,
 * from this one.
 */
const tryRecipient = async (session: Session, template: ListedTemplate, path: string): Promise<Exchange> => {
  const { templates } = session;
  const another = templates[Math.floor(templates.length / 2)] ?? template;
  const exchange = await sendAt(session, another, path, withRecipient);
  return isSuccess(exchange) || another === template
    ? exchange
    : sendAt(session, template, path, withRecipient);
};

const works = (replies: readonly Exchange[]): boolean => replies.some(hasSuccessStatus);

/** Number of templates to try before a refusal counts: the first one may be a draft, or require values of an undocumented kind. */
const templatesTried = 2;

export const discoverTemplateSend = async (session: Session): Promise<Discovered> => {
  if (session.templates.length === 0) {
    const { permissions } = session;
    const isPermitted =
      permissions.sendTo !== undefined && permitsOperation('sendTemplateEmail', permissions);
    // An operation that is permitted and not tested must not make a run green.
    return {
      [isPermitted ? 'inconclusive' : 'skipped']: 'the deployment lists no template in the documented form',
    };
  }
  const replies = await tryTemplates(session);
  const hint = 'if the recipient is the reason, try another --send-to address';
  return conclude(session, 'sendTemplateEmail', existingForms(replies), hint);
};

/**
 * The responses for the first template that can be sent, otherwise for the first template. The other one is listed now: another user
 * may delete a template at any time.
 */
const tryTemplates = async (session: Session): Promise<readonly Exchange[]> => {
  const [first] = session.templates;
  if (!first) return [];
  const replies = await tryTemplate(session, first);
  // Another template does not change that an operation fails. A 404 may be about the template.
  if (works(replies) || !replies.some(isRefusal)) return replies;
  const other = (await listAgain(session))?.find(({ id }) => id !== first.id);
  const others = other ? await tryTemplate(session, other) : [];
  return works(others) ? others : replies;
};

const hasRecipient = (mail: Exchange): boolean => sentFields(mail).to !== undefined;

const tryTemplate = async (session: Session, template: ListedTemplate): Promise<readonly Exchange[]> => {
  const { requirements } = session;
  requirements.template = template;
  const { paths } = operationOf('sendTemplateEmail');
  const replies: Exchange[] = [];
  // Mails without a recipient; where another form took one, with one if that is accepted.
  for (const path of paths) {
    const addressed = replies.some(isSuccess) ? await tryRecipient(session, template, path) : undefined;
    replies.push(
      addressed && isSuccess(addressed) ? addressed : await sendAt(session, template, path, { to: false }),
    );
  }
  const own = await withoutGenericSuccesses(session, replies);
  requirements.templateWithoutTo = own.some((mail) => isSuccess(mail) && !hasRecipient(mail));
  if (works(own)) {
    // From here on the mails name a recipient, if that is accepted: some deployments send the mail to it.
    const { path } = own.find(isSuccess) ?? own[0] ?? { path: paths[0] };
    requirements.templateTo =
      own.some((mail) => isSuccess(mail) && hasRecipient(mail)) ||
      isSuccess(await tryRecipient(session, template, path));
    return own;
  }
  // Also after a 404: a deployment may send it for a body without a recipient.
  requirements.templateTo = true;
  const addressed: Exchange[] = [];
  for (const path of paths) addressed.push(await sendAt(session, template, path, { to: true }));
  const ownAddressed = await withoutGenericSuccesses(session, addressed);
  const taken = ownAddressed.find(isSuccess)?.path;
  // If a gateway responded in place of the service, it is unknown whether mails without a recipient are accepted.
  if (own.some(({ path, outcome }) => path === taken && outcome === 'refusal'))
    requirements.adaptations.set('sendTemplateEmail', [
      'every template mail has the field to, because mails without it are refused (§4.3 leaves the recipient open)',
    ]);
  return works(ownAddressed) ? ownAddressed : addressed;
};

/**
 * Maximum number of mails that the discovery of these operations causes without repetitions: the documented one, one from
 * another sender and two in another form; one or two template mails at each path form, without and with a recipient, and one
 * with a number.
 */
export const discoveryMails = (operations: ReadonlySet<OperationId>, permissions: Permissions): number => {
  const isSent = (id: OperationId): boolean => operations.has(id) && permitsOperation(id, permissions);
  return (
    (isSent('sendEmail') ? 4 : 0) +
    (isSent('sendTemplateEmail') ? templatesTried * 2 * operationOf('sendTemplateEmail').paths.length + 1 : 0)
  );
};
