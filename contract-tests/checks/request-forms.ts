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

/** A valid request; an update is about the shared lead, which carries its note from then on. */
export const validRequest = async (session: Session, operation: Operation): Promise<SendOptions> => {
  const lead = concernsOneLead(operation.id) ? await session.useSharedLead() : undefined;
  const request = operation.validRequest(session, { lead });
  const { note } = isObject(request.body) ? request.body : {};
  if (lead && typeof note === 'string') lead.expected = { ...lead.expected, note };
  return request;
};

/**
 * A refusal, twice, of a request that is accepted as the other checks send it; `undefined` where there is none.
 * @throws CheckFailed where it is accepted and means something else
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
  // A mail may be taken for a duplicate of one that was accepted, which was written in another way.
  if (!isRefusal(exchange) || (isMail && exchange.status === conflict)) return undefined;
  const usual = await send(request);
  if (usual.outcome !== 'success') return undefined;
  // The same mail again: what is refused only now and then shows in `every-time`. What a lead holds may be known by now.
  const repeat = isMail ? other : otherForm(await validRequest(session, operation));
  return isRefusal(await send(repeat)) ? exchange : undefined;
};

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)]);
  return Object.fromEntries(members.reverse());
};

/** The same JSON: neither blanks between its parts, nor the order of members, nor escapes that are not needed mean anything. */
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
        'a body to be accepted however its JSON is written',
        `refused with line breaks, escapes and another order of members: ${describeRefusal(exchange)}`,
        exchange,
      );
  },
});

/** What a deployment refuses with no other headers; `failures.error` reads the responses. */
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
    // A firewall that wants to know who asks is not the service.
    if (!isObject(exchange.json) || typeof exchange.json.error !== 'string')
      throw new RefusalAllowed(`something in front of the service refuses: ${refusal}`);
    fail(
      'success with `Authorization` and `Content-Type` alone, as §5 writes them',
      `refused: ${refusal}`,
      exchange,
    );
  },
});

/** A request as others may write it: it is the same request. */
export const requestFormChecks: readonly ActiveCheck[] = [
  bareHeaders(operationOf('listTemplates')),
  bareHeaders(operationOf('updateLead')),
  jsonForm(operationOf('addLead')),
  jsonForm(operationOf('updateLead')),
  jsonForm(operationOf('sendEmail')),
  jsonForm(operationOf('sendTemplateEmail')),
];
