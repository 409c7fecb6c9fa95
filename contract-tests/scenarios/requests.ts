// Equivalent forms of a request, as other clients send them.

import { type Exchange, isObject } from '../exchange/exchange.ts';
import { concernsOneLead, type Operation, operationOf } from '../exchange/operations.ts';
import { validRequest } from '../session/requests.ts';
import type { SendOptions } from '../session/session.ts';
import { expectAlike } from './expect-alike.ts';
import type { Scenario } from './scenario.ts';
import type { Tools } from './tools.ts';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)]);
  return Object.fromEntries(members.reverse());
};

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Rewrites a body as equivalent JSON: white space, the order of members and unnecessary escapes have no meaning. */
export const inOtherWords = ({ body, ...rest }: SendOptions): SendOptions => ({
  ...rest,
  raw: JSON.stringify(reversed(body), null, 2)
    .replaceAll('/', '\\/')
    .replace(/(?<=": ")[A-Za-z]/, escaped),
});

/** What a request in such a form has. */
export const otherWords = 'a body with line breaks, escapes and another order of members';

const withDocumentedHeaders = (request: SendOptions): SendOptions => ({ ...request, bare: true });

/** Sends a valid request in another form. */
const inForm =
  (operation: Operation, check: string, subject: string, form: (request: SendOptions) => SendOptions) =>
  async (tools: Tools): Promise<void> => {
    const { session, add, settle, remove, tryAddition } = tools;
    const lead = concernsOneLead(operation.id) ? await add() : undefined;
    await settle();
    const send = (change: (request: SendOptions) => SendOptions): Promise<Exchange> => {
      const request = { ...change(validRequest(session, operation.id, { lead })), intent: 'text' } as const;
      return operation.id === 'addLead' ? tryAddition(request) : session.send(operation.id, request);
    };
    await expectAlike(session, {
      check,
      subject,
      mayBeRefusedInFront: form === withDocumentedHeaders,
      other: () => send(form),
      usual: () => send((request) => request),
    });
    await remove(lead);
  };

const formScenario = (
  operation: Operation,
  kind: string,
  subject: string,
  form: (request: SendOptions) => SendOptions,
): Scenario => ({
  id: `${operation.area}.${kind}`,
  needs: operation.needs,
  leads: operation.needs === 'writes' ? 2 : 0,
  decides: [`${operation.area}.${kind}`],
  run: inForm(operation, `${operation.area}.${kind}`, subject, form),
});

/** Refusals of requests with only the documented headers. */
const refusedBare: Scenario = {
  id: 'failures.documented-headers',
  needs: 'writes',
  leads: 1,
  decides: ['failures.error'],
  run: async ({ session, add, update, remove, tryAddition }) => {
    const bare = { bare: true, intent: 'probe' } as const;
    await tryAddition({ ...bare, body: { ...session.newFields(), name: { text: 'x' } } });
    const lead = await add();
    await update(lead);
    await remove(lead);
    await session.send('updateLead', { ...bare, leadId: lead.id, body: { ...lead.expected } });
  },
};

/** A refusal that needs no permission, so that every run has one. */
const refusedWithoutKey: Scenario = {
  id: 'failures.no-key',
  needs: 'read',
  triesKeys: true,
  decides: ['failures.error'],
  run: async ({ session }) => {
    for (const form of [{}, { bare: true }] as const)
      await session.send('listTemplates', { ...form, credentials: 'none', intent: 'probe' });
  },
};

export const requestScenarios: readonly Scenario[] = [
  ...(['listTemplates', 'updateLead'] as const).map((id) =>
    formScenario(
      operationOf(id),
      'documented-headers',
      'a request with only Authorization and Content-Type, spelled as in §5,',
      withDocumentedHeaders,
    ),
  ),
  // Scenarios of mails send mails in this form.
  ...(['addLead', 'updateLead'] as const).map((id) =>
    formScenario(operationOf(id), 'any-json-form', otherWords, inOtherWords),
  ),
  refusedBare,
  refusedWithoutKey,
];
