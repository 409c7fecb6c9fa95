import { deleteAll, goneStatuses } from './clean-up.ts';
import { cleanUp, createClient } from './client.ts';
import type { LedgerFile, LedgerRecord } from './ledger-file.ts';
import type { Permissions } from './permissions.ts';
import { CannotTest, preflight } from './preflight.ts';
import { createShared, sessionFor } from './session.ts';
import type { Target } from './target.ts';

export type CleanOptions = {
  readonly target: Target;
  readonly record: LedgerRecord;
  readonly ledger: LedgerFile;
  readonly timeout: number;
  readonly interval?: number | undefined;
  readonly version: string;
};

/** Deleting is what the ledger was given for; nothing else is. */
const permissions: Permissions = { writes: true, sendTo: undefined, unaddressed: false, maxSends: 0 };

/**
 * Deletes the leads a killed run left. One that is not known any more counts as deleted.
 * @returns how many are gone now
 * @throws CannotTest when the deployment cannot be asked
 */
export const clean = async ({ target, record, ledger, ...options }: CleanOptions): Promise<number> => {
  const { timeout, interval, version } = options;
  const userAgent = `email-leads-contract/${version} run/${record.runId}`;
  const client = createClient({
    base: target.url,
    key: target.key,
    permissions,
    ledger,
    timeout,
    interval,
    userAgent,
  });
  try {
    const shared = createShared({ client, ledger, permissions, runId: record.runId, sender: '' });
    await preflight(shared);
    await deleteAll(sessionFor(shared, cleanUp), goneStatuses);
  } catch (error) {
    throw error instanceof CannotTest ? new CannotTest(client.redact(error.message)) : error;
  } finally {
    await client.close();
  }
  return record.open.length - ledger.open().length;
};
