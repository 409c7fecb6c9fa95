import type { Client } from '../client/client.ts';
import type { Ledger } from '../client/ledger.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { createHistory } from '../judge/history.ts';
import { createShared, type Shared } from '../session/shared.ts';

/** The state of a run in a test that sends its requests itself. */
export const sharedInTest = (client: Client, ledger: Ledger): Shared =>
  createShared({
    client,
    ledger,
    history: createHistory(),
    permissions: everythingPermitted,
    runId: '1',
    sender: '',
  });
