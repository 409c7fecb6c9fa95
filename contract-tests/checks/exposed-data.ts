// What a request without the key must not get: a success, or data with any status and at any path (§5.1).

import { type Credentials, dataOf, describeRefusal, type Exchange, itemsOf } from '../client/exchange.ts';
import type { Operation } from '../session/operations.ts';
import { CheckInconclusive, fail } from '../session/outcome.ts';
import type { OwnLead } from '../session/own-lead.ts';
import type { Session } from '../session/session.ts';
import { uniqueTexts } from './support/lead-assertions.ts';

export const keyText = (credentials: Credentials): string =>
  credentials === 'none' ? 'no key' : credentials;

/** Fails if an error response to a wrong key contains data that the key protects. */
export const expectNothingShown = (session: Session, exchange: Exchange, lead: OwnLead | undefined): void => {
  const { status, credentials, rawText, body = '' } = exchange;
  // A source that every lead of the run has may be a word of the error.
  const texts = lead ? uniqueTexts(session, { name: lead.expected.name, source: lead.expected.source }) : [];
  const showsLead = texts.some((text) => !body.includes(text) && rawText.includes(text));
  if (showsLead || showsTemplates(session, exchange))
    fail(
      'an error response without the data that the key protects',
      `${status} with ${showsLead ? 'the lead' : 'the templates'}, sent with ${keyText(credentials)}`,
      exchange,
    );
};

const showsTemplates = ({ templates }: Session, exchange: Exchange): boolean =>
  itemsOf(exchange).some(({ id, body }) => templates.some((known) => known.id === id && known.body === body));

export const expectRejected = (exchange: Exchange): void => {
  const { outcome, status, credentials } = exchange;
  if (outcome === 'gateway') throw new CheckInconclusive(`a gateway responded: ${describeRefusal(exchange)}`);
  if (outcome !== 'refusal')
    fail(
      'an error response',
      `${status} as if the key were valid, sent with ${keyText(credentials)}`,
      exchange,
    );
};

/** Sends a request without a key to a path with a trailing slash. */
export const sendWithSlash = (
  session: Session,
  { id, validRequest }: Operation,
  form: string,
  lead?: OwnLead,
): Promise<Exchange> =>
  session.send(id, {
    ...validRequest(session, { lead }),
    path: `${form}/`,
    credentials: 'none',
    intent: 'probe',
  });

/**
 * Fails if a path with a trailing slash needs no key: a router may treat it as the same path, and the key check may not.
 * A success without data may come from anything at such a path. Whether it changed the lead is to be checked afterwards.
 */
export const expectSlashRejected = async (
  session: Session,
  operation: Operation,
  lead?: OwnLead,
): Promise<void> => {
  if (operation.needs === 'mail') return;
  for (const form of session.pathForms(operation.id)) {
    const exchange = await sendWithSlash(session, operation, form, lead);
    const { lead_id: id } = dataOf(exchange);
    const isDone =
      exchange.outcome === 'success' && id !== undefined && String(id) === (lead?.id ?? String(id));
    if (isDone || showsTemplates(session, exchange))
      fail('an error response', `${exchange.status} as with a valid key, at ${form}/`, exchange);
  }
};
