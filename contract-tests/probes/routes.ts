import { controls, hasList, nowhere, saysNothingIsThere, wrongMethodPath } from '../controls.ts';
import { dataOf, type Exchange, wordsOf } from '../exchange.ts';
import type { Session } from '../session.ts';
import { inconclusive, needUsable, type Observation, type Probe, statusTold } from './probe.ts';

const getAt = (session: Session, path: string): Promise<Exchange> =>
  session.send('listTemplates', { path, intent: 'probe' });

/** §4.8: there, not there, or a reply that tells neither. */
const presence = async (
  session: Session,
  exchange: Exchange,
  there: (exchange: Exchange) => boolean,
): Promise<Observation> => {
  if (there(exchange)) return { answer: 'present', exchange, saw: '`data`' };
  // A success that lacks the data is what some deployments answer to anything.
  if (exchange.outcome === 'success' || saysNothingIsThere(exchange, await controls(session)))
    return { answer: 'absent', exchange, ...(exchange.outcome === 'success' ? { saw: 'no `data`' } : {}) };
  return inconclusive(`it neither shows leads nor says that nothing is there: ${wordsOf(exchange)}`);
};

/** §4.8 and §7.4: what lies around the documented operations, with GET. */
export const routeProbes: readonly Probe[] = [
  {
    question: 'lead.list',
    needs: 'read',
    asks: 'GET `/api/v1/leads`; present when `data` is an array. What the list holds is not looked at',
    probe: async (session) => presence(session, await getAt(session, '/api/v1/leads'), hasList),
  },
  {
    question: 'failure.unknown-route-status',
    needs: 'read',
    asks: 'GET a random path below `/api/v1/email`',
    probe: async (session) =>
      statusTold('failure.unknown-route-status', await getAt(session, nowhere(session))),
  },
  {
    question: 'failure.wrong-method-status',
    needs: 'read',
    asks: 'GET `/api/v1/email/send`, which knows POST',
    probe: async (session) =>
      statusTold('failure.wrong-method-status', await getAt(session, wrongMethodPath)),
  },
];

/** §4.8: reading one lead needs a lead of the run. */
export const retrieveProbe: Probe = {
  question: 'lead.retrieve',
  needs: 'writes',
  asks: 'GET `/api/v1/leads/{id}` of a lead of the run; present when `data` has its `lead_id`',
  probe: async (session, known) => {
    needUsable(session, known, 'addLead');
    const lead = await session.ownLead();
    const path = `/api/v1/leads/${encodeURIComponent(lead.id)}`;
    const shown = (exchange: Exchange): boolean =>
      exchange.outcome === 'success' && String(dataOf(exchange).lead_id) === lead.id;
    const ask = (): Promise<Exchange> => getAt(session, path);
    const late = session.demands.lateLeads;
    return presence(
      session,
      late ? await session.patiently(ask, shown, 'a new lead was known') : await ask(),
      shown,
    );
  },
};
