// What a session keeps a check from doing, because nothing could be concluded from it.

import { expect, test } from 'vitest';
import type { Client } from '../client/client.ts';
import { type Call, type Exchange, outcomeOf } from '../client/exchange.ts';
import { createLedger } from '../client/ledger.ts';
import { sharedInTest } from '../testing/shared.ts';
import { maxHeldLeads, type Session, sessionFor } from './session.ts';

type Answer = { readonly status: number; readonly json?: unknown };

/** A session on a deployment that adds leads, and answers updates in turn so. @param isStuck whether deletions fail now */
const sessionWith = (...updates: readonly Answer[]): Session => createSession(updates);

const createSession = (updates: readonly Answer[], isStuck = (): boolean => false): Session => {
  const exchanges: Exchange[] = [];
  const answers = [...updates];
  let added = 0;
  const send = async (call: Call): Promise<Exchange> => {
    added += 1;
    const lead = { success: true, error: '', data: { lead_id: `L${added}` }, message: '' };
    const failed = { status: 500, json: { success: false, error: 'it failed' } };
    const other = call.operation === 'deleteLead' && isStuck() ? failed : { status: 200, json: lead };
    const { status, json } = call.operation === 'updateLead' ? (answers.shift() ?? { status: 0 }) : other;
    const outcome = outcomeOf(status, json);
    const response = { status, json, outcome, headers: {}, text: '', rawText: '', repeated: false };
    const exchange = { ...call, ...response } as unknown as Exchange;
    exchanges.push(exchange);
    return exchange;
  };
  const client = { send, exchanges, hasWaitedEnough: () => false } as unknown as Client;
  const ledger = createLedger();
  const shared = sharedInTest(client, ledger);
  return sessionFor(shared, 'check');
};

test('no lead is added where those before could not be deleted', async () => {
  const session = sessionWith();
  for (let count = 0; count <= maxHeldLeads; count += 1) session.ledger.note(`left ${count}`);
  await expect(session.ownLead()).rejects.toThrow('could not be deleted');
});

test('few leads are added where deletions fail, and more when they succeed again', async () => {
  let isStuck = true;
  const session = createSession([], () => isStuck);
  const addSeveral = async (): Promise<void> => {
    for (let count = 0; count < maxHeldLeads; count += 1) {
      const { id } = await session.ownLead();
      session.ledger.note(id, 'check');
      const { outcome } = await session.send('deleteLead', { leadId: id, intent: 'probe' });
      if (outcome === 'success') session.ledger.deleted(id);
    }
  };
  await expect(addSeveral()).rejects.toThrow('6 could not be deleted');
  isStuck = false;
  await addSeveral();
  expect(session.ledger.open()).toEqual([]);
});
