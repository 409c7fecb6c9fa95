// Data that a request without the key must not get, with any status and at any path (§5.1).

import { type Credentials, dataOf, type Exchange, itemsOf } from '../client/exchange.ts';
import type { Operation } from '../session/operations.ts';
import { fail } from '../session/outcome.ts';
import type { OwnLead } from '../session/own-lead.ts';
import { concernsOneLead } from '../session/routes.ts';
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

/** Fails if a path with a trailing slash needs no key: a router may treat it as the same path, and the key check may not. */
export const expectSlashRejected = async (session: Session, operation: Operation): Promise<void> => {
  if (operation.needs === 'mail' || concernsOneLead(operation.id)) return;
  for (const form of session.pathForms(operation.id)) {
    const request = operation.validRequest(session, {});
    const path = `${form}/`;
    const exchange = await session.send(operation.id, {
      ...request,
      path,
      credentials: 'none',
      intent: 'probe',
    });
    const isAdded = exchange.outcome === 'success' && dataOf(exchange).lead_id !== undefined;
    if (isAdded || showsTemplates(session, exchange))
      fail('an error response', `${exchange.status} as if there were a key, at ${path}`, exchange);
  }
};
