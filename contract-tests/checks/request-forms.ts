import { describeRefusal, type Exchange, isObject, isRefusal } from '../client/exchange.ts';
import type { ActiveCheck } from '../session/check.ts';
import type { SendOptions } from '../session/lead-requests.ts';
import { type Operation, operationOf } from '../session/operations.ts';
import { fail, RefusalAllowed } from '../session/outcome.ts';
import { textsIn } from '../session/own-lead.ts';
import { concernsOneLead } from '../session/routes.ts';
import type { Session } from '../session/session.ts';
import { conflict } from '../session/trouble.ts';
import { expectFields } from './support/lead-assertions.ts';

/** Returns a valid request. An update concerns the shared lead, whose expected note is set here. */
export const validRequest = async (session: Session, operation: Operation): Promise<SendOptions> => {
  const lead = concernsOneLead(operation.id) ? await session.useSharedLead() : undefined;
  const request = operation.validRequest(session, { lead });
  const { note } = isObject(request.body) ? request.body : {};
  if (lead && typeof note === 'string') lead.expected = { ...lead.expected, note };
  return request;
};

/**
 * Returns a refusal that occurs twice although the request is accepted in its usual form; otherwise `undefined`.
 * @throws CheckFailed if the other form is accepted with a different meaning
 */
const refusedForItsForm = async (
  session: Session,
  operation: Operation,
  otherForm: (request: SendOptions) => SendOptions,
): Promise<Exchange | undefined> => {
  const request = await validRequest(session, operation);
  const isMail = operation.needs === 'mail';
  const send = (options: SendOptions): Promise<Exchange> =>
    session.send(operation.id, { ...options, intent: isMail ? 'text' : 'probe' });
  const other = otherForm(request);
  const exchange = await send(other);
  if (exchange.outcome === 'success' && isObject(request.body)) expectFields(exchange, textsIn(request.body));
  // A mail may be refused as a duplicate of an accepted one with the same content in another notation.
  if (!isRefusal(exchange) || (isMail && exchange.status === conflict)) return undefined;
  const usual = await send(request);
  if (usual.outcome !== 'success') return undefined;
  // For mail the same body, because an intermittent refusal is reported by `every-time`. A lead gets new values, because
  // the deployment may know the old ones now.
  const repeat = isMail ? other : otherForm(await validRequest(session, operation));
  return isRefusal(await send(repeat)) ? exchange : undefined;
};

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)]);
  return Object.fromEntries(members.reverse());
};

/** Rewrites a body as equivalent JSON: white space, the order of members and unnecessary escapes have no meaning. */
const inOtherWords = ({ body, ...rest }: SendOptions): SendOptions => ({
  ...rest,
  raw: JSON.stringify(reversed(body), null, 2)
    .replaceAll('/', '\\/')
    .replace(/(?<=": ")[A-Za-z]/, escaped),
});

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

const jsonForm = (operation: Operation): ActiveCheck => ({
  id: `${operation.area}.any-json-form`,
  title: 'a body is accepted with line breaks, escapes, and its members in another order',
  section: '1',
  level: 'derived',
  operation: operation.id,
  needs: operation.needs,
  ...(operation.needs === 'mail' ? { mails: 1 } : {}),
  run: async (session) => {
    const exchange = await refusedForItsForm(session, operation, inOtherWords);
    if (exchange)
      fail(
        'a body to be accepted regardless of how its JSON is formatted',
        `refused with line breaks, escapes and another order of members: ${describeRefusal(exchange)}`,
        exchange,
      );
  },
});

/** Sends requests that the deployment refuses, with only the documented headers; `failures.error` inspects the responses. */
const sendRefused = async (session: Session, { id }: Operation): Promise<void> => {
  const bare = { bare: true, intent: 'probe' } as const;
  if (id === 'listTemplates') await session.send(id, { ...bare, credentials: 'none' });
  if (id !== 'updateLead') return;
  await session.send('addLead', { ...bare, body: { ...session.newFields(), name: { text: 'x' } } });
  const lead = await session.ownLead();
  if ((await session.deleteLead(lead)).outcome !== 'success') return;
  await session.send('updateLead', { ...bare, leadId: lead.id, body: { ...lead.expected } });
};

const bareHeaders = (operation: Operation): ActiveCheck => ({
  id: `${operation.area}.documented-headers`,
  title: 'a request with only the documented headers, spelled as documented, succeeds',
  section: '5',
  level: 'documented',
  operation: operation.id,
  needs: operation.needs,
  run: async (session) => {
    const exchange = await refusedForItsForm(session, operation, (request) => ({ ...request, bare: true }));
    if (!exchange) return sendRefused(session, operation);
    const refusal = describeRefusal(exchange);
    // A firewall that requires a `User-Agent` is not part of the service.
    if (!isObject(exchange.json) || typeof exchange.json.error !== 'string')
      throw new RefusalAllowed(`something in front of the service refuses: ${refusal}`);
    fail(
      'success with `Authorization` and `Content-Type` only, spelled as in §5',
      `refused: ${refusal}`,
      exchange,
    );
  },
});

/** Equivalent forms of a request, as other clients send them. */
export const requestFormChecks: readonly ActiveCheck[] = [
  bareHeaders(operationOf('listTemplates')),
  bareHeaders(operationOf('updateLead')),
  jsonForm(operationOf('addLead')),
  jsonForm(operationOf('updateLead')),
  jsonForm(operationOf('sendEmail')),
  jsonForm(operationOf('sendTemplateEmail')),
];
