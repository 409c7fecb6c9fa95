import type { OperationId } from '../../mock/spec.ts';
import type { ActiveCheck, Need } from '../check.ts';
import { fail } from '../check.ts';
import { NotPermitted } from '../client.ts';
import type { Exchange } from '../exchange.ts';
import type { Session } from '../session.ts';
import { deleteProbes, leadProbes, type Probe, updateProbes } from './bad-leads.ts';
import { mailProbes, templateProbes } from './bad-mails.ts';

type Probes = readonly Probe[] | ((session: Session) => Promise<readonly Probe[]>);

/**
 * Requests that a deployment may take or refuse as it likes, but that must not make it fail. Their refusals are what the
 * `failures.*` checks look at.
 */
const noCrash = (area: string, operation: OperationId, needs: Need, probes: Probes): ActiveCheck => ({
  id: `${area}.survives-bad-input`,
  title: 'bad input does not make the server fail',
  section: '7',
  level: 'derived',
  operation,
  needs,
  ...(needs === 'mail' ? { mails: probes.length } : {}),
  run: async (session) => {
    const failed: { readonly what: string; readonly exchange: Exchange }[] = [];
    for (const { what, send } of typeof probes === 'function' ? await probes(session) : probes) {
      const exchange = await permitted(() => send(session));
      if (exchange && exchange.status >= 500 && exchange.outcome !== 'gateway')
        failed.push({ what, exchange });
    }
    const [first] = failed;
    // All are asked before one is told: their refusals are looked at as well.
    if (first)
      fail(
        `${first.what} to be taken or refused below 500`,
        `status ${first.exchange.status}`,
        first.exchange,
      );
  },
});

/** A probe that may not be sent is left out; the others say enough. */
const permitted = async (send: () => Promise<Exchange>): Promise<Exchange | undefined> => {
  try {
    return await send();
  } catch (error) {
    if (error instanceof NotPermitted) return undefined;
    throw error;
  }
};

export const badInputChecks: readonly ActiveCheck[] = [
  noCrash('leads.add', 'addLead', 'writes', leadProbes),
  noCrash('leads.update', 'updateLead', 'writes', updateProbes),
  noCrash('leads.delete', 'deleteLead', 'writes', deleteProbes),
  noCrash('email.send', 'sendEmail', 'mail', mailProbes),
  noCrash('email.template', 'sendTemplateEmail', 'mail', templateProbes),
];
