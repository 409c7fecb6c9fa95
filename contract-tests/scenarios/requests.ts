// Equivalent forms of a request, as other clients send them.

import { type Exchange, isObject } from '../exchange/exchange.ts';
import { type Operation, operationOf } from '../exchange/operations.ts';
import { validRequest } from '../session/requests.ts';
import type { SendOptions } from '../session/session.ts';
import { expectAlike } from './expect-alike.ts';
import type { Scenario } from './scenario.ts';
import type { Lead, Tools } from './tools.ts';

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

/** Forms of a request that the document treats alike, by the end of the id of their checks. */
const forms = {
  'any-json-form': { subject: otherWords, change: inOtherWords, mayBeRefusedInFront: false },
  'documented-headers': {
    subject: 'a request with only Authorization and Content-Type, spelled as in §5,',
    change: (request: SendOptions): SendOptions => ({ ...request, bare: true }),
    mayBeRefusedInFront: true,
  },
};

/** Sends a valid request in another form. */
const tryForm = async (
  { session, tryAddition }: Tools,
  { id, area }: Operation,
  kind: keyof typeof forms,
  lead?: Lead,
): Promise<void> => {
  const { change, ...form } = forms[kind];
  const send = (inForm: (request: SendOptions) => SendOptions): Promise<Exchange> => {
    const request = { ...inForm(validRequest(session, id, { lead })), intent: 'text' } as const;
    return id === 'addLead' ? tryAddition(request) : session.send(id, request);
  };
  await expectAlike(session, {
    ...form,
    check: `${area}.${kind}`,
    other: () => send(change),
    usual: () => send((request) => request),
  });
};

const bareList: Scenario = {
  id: 'templates.list.documented-headers',
  needs: 'read',
  decides: ['templates.list.documented-headers'],
  run: (tools) => tryForm(tools, operationOf('listTemplates'), 'documented-headers'),
};

/** Scenarios of mails send mails in these forms. */
const leadForms: Scenario = {
  id: 'leads.forms',
  needs: 'writes',
  leads: 2,
  decides: [
    'leads.add.any-json-form',
    'leads.update.any-json-form',
    'leads.update.documented-headers',
    'failures.error',
  ],
  run: async (tools) => {
    const { session, add, settle, remove, tryAddition } = tools;
    const [addition, update] = [operationOf('addLead'), operationOf('updateLead')];
    const lead = await add();
    await tryForm(tools, addition, 'any-json-form');
    await settle();
    await tryForm(tools, update, 'any-json-form', lead);
    const bare = { bare: true, intent: 'probe' } as const;
    await tryAddition({ ...bare, body: { ...session.newFields(), name: { text: 'x' } } });
    // Something in front of the service may refuse all that follows.
    await tryForm(tools, update, 'documented-headers', lead);
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
    await session.send('listTemplates', { bare: true, credentials: 'none', intent: 'probe' });
  },
};

export const requestScenarios: readonly Scenario[] = [bareList, leadForms, refusedWithoutKey];
