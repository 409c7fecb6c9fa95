import { setTimeout as wait } from 'node:timers/promises';
import type { Answer } from '../../../mock/contract/questions.ts';
import {
  dataOf,
  describeRefusal,
  type Exchange,
  isObject,
  responseFingerprint,
  textOf,
} from '../../exchange/exchange.ts';
import { routes } from '../../exchange/operations.ts';
import { hasList } from '../../exchange/responses.ts';
import {
  controls,
  getAt,
  saysNothingIsThere,
  unknownPath,
  wrongMethodPath,
} from '../../session/availability.ts';
import type { Session } from '../../session/session.ts';
import { answerFrom, inconclusive, oneRequestEach, type Probe, type ProbeAnswer } from './probe.ts';

/** Milliseconds until a deletion must be visible. */
const maxDeletionMs = 1000;

/** Adds a lead, deletes it, and sends a request about it. If that succeeds, it is repeated when the deletion must be visible. */
const afterDeletion = async (
  session: Session,
  ask: (leadId: string) => Promise<Exchange>,
): Promise<Exchange> => {
  const { id: leadId } = await session.visibleLead();
  const { outcome, status } = await session.send('deleteLead', { leadId });
  if (outcome !== 'success') inconclusive(`the deletion of the lead that the probe needs got ${status}`);
  const exchange = await ask(leadId);
  if (exchange.outcome !== 'success') return exchange;
  await wait(maxDeletionMs);
  return ask(leadId);
};

/** §7.4 and §8: requests about a lead that the run deleted. */
export const missingLeadProbes: readonly Probe[] = [
  ...oneRequestEach({ needs: 'writes', uses: ['deleteLead'] }, [
    [
      'failure.delete-again-status',
      'DELETE a lead that the run has already deleted',
      (session) =>
        afterDeletion(session, (leadId) => session.send('deleteLead', { leadId, intent: 'probe' })),
    ],
  ]),
  ...oneRequestEach({ needs: 'writes', uses: ['updateLead', 'deleteLead'] }, [
    [
      'failure.unknown-lead-status',
      'PUT a note to a lead that the run deleted',
      (session) =>
        afterDeletion(session, async (leadId) => {
          const body = session.updateBody({ note: session.unique('note') });
          const exchange = await session.send('updateLead', { leadId, body, intent: 'probe' });
          // A successful update may have created the lead.
          if (exchange.outcome === 'success') await session.send('deleteLead', { leadId, intent: 'probe' });
          return exchange;
        }),
    ],
  ]),
];

/** §4.8: `present`, `absent`, or inconclusive if the response shows neither. */
const presence = async (
  session: Session,
  exchange: Exchange,
  there: (exchange: Exchange) => boolean,
): Promise<ProbeAnswer> => {
  if (there(exchange)) return { answer: 'present', exchange, detail: '`data`' };
  // Some deployments send a success without the data for any request.
  if (exchange.outcome === 'success' || saysNothingIsThere(exchange, await controls(session)))
    return { answer: 'absent', exchange, ...(exchange.outcome === 'success' ? { detail: 'no `data`' } : {}) };
  return inconclusive(
    `it neither shows leads nor reports that the path does not exist: ${describeRefusal(exchange)}`,
  );
};

/** §4.8 and §7.4: GET requests near the documented operations. */
export const routeProbes: readonly Probe[] = [
  {
    question: 'lead.list',
    needs: 'read',
    description:
      'GET `/api/v1/leads`; present when `data` is an array. The contents of the list are not read',
    probe: async (session) => presence(session, await getAt(session, '/api/v1/leads'), hasList),
  },
  ...oneRequestEach({ needs: 'read' }, [
    [
      'failure.unknown-route-status',
      'GET a random path below `/api/v1/email`',
      (session) => getAt(session, unknownPath(session)),
    ],
    [
      'failure.wrong-method-status',
      'GET `/api/v1/email/send`, which supports POST',
      (session) => getAt(session, wrongMethodPath),
    ],
  ]),
];

/** Milliseconds between two requests for a new lead. A GET may read from a replica with a delay, which is `maxLagMs` at most. */
const pausesMs = [250, 250, 500, 1500, 2500];

/**
 * The pauses after a first response that does not show the lead. A response that other paths get as well most likely means that the
 * operation does not exist: then half a second is enough. If the first attempt of a run has waited in vain, the second one does
 * not wait.
 */
const pausesAfter = async (
  session: Session,
  first: Exchange,
  before: Answer | undefined,
): Promise<readonly number[]> => {
  if (before === 'absent' || first.status === 405 || first.status === 501) return [];
  const text = responseFingerprint(first);
  const isCommon = (await controls(session)).some((control) => responseFingerprint(control) === text);
  return isCommon ? pausesMs.slice(0, 2) : pausesMs;
};

/** §4.8: reading one lead, which requires a lead of the run. */
export const retrieveProbe: Probe = {
  question: 'lead.retrieve',
  needs: 'writes',
  uses: ['addLead'],
  description: 'GET `/api/v1/leads/{id}` of a lead of the run; present when `data` has its `lead_id`',
  probe: async (session, _known, before) => {
    const lead = await session.ownLead();
    const path = `/api/v1/leads/${encodeURIComponent(lead.id)}`;
    const shown = (exchange: Exchange): boolean =>
      exchange.outcome === 'success' && textOf(dataOf(exchange).lead_id) === lead.id;
    let exchange = await getAt(session, path);
    const pauses = shown(exchange) ? [] : await pausesAfter(session, exchange, before);
    for (const pauseMs of pauses) {
      if (shown(exchange)) break;
      await wait(pauseMs);
      exchange = await getAt(session, path);
    }
    return presence(session, exchange, shown);
  },
};

const listAt = (session: Session, path: string): Promise<Exchange> =>
  session.send('listTemplates', { path, intent: 'probe' });

const formOf = (session: Session): string =>
  session.pathForms('listTemplates')[0] ?? routes.listTemplates.paths[0];

const countIn = ({ json }: Exchange): number =>
  isObject(json) && Array.isArray(json.data) ? json.data.length : 0;

/** §4.2 and §4.4: GET requests only, so these probes come first. */
export const templateProbes: readonly Probe[] = [
  {
    question: 'templates.list-path',
    needs: 'read',
    description:
      'GET at both path forms; a form exists when `data` is an array and the response differs from that of a random path',
    probe: async (session) => {
      const [plural, singular] = [
        await listAt(session, routes.listTemplates.paths[0]),
        await listAt(session, '/api/v1/email/template'),
      ];
      if (hasList(plural) && hasList(singular))
        return { answer: 'both', exchange: singular, detail: 'a list at both paths' };
      const nothing = await controls(session);
      const only = (here: Exchange, there: Exchange): boolean =>
        hasList(here) && saysNothingIsThere(there, nothing);
      if (only(plural, singular)) return { answer: 'plural', exchange: singular };
      if (only(singular, plural)) return { answer: 'singular', exchange: plural };
      const unclear = hasList(plural) ? singular : plural;
      return inconclusive(
        `${unclear.path} neither lists nor reports that it does not exist: ${describeRefusal(unclear)}`,
      );
    },
  },
  {
    question: 'templates.limit-parameter',
    needs: 'read',
    uses: ['listTemplates'],
    description: 'GET the list with `?limit=1` if it has at least two templates, and counts them',
    probe: async (session) => {
      const whole = await listAt(session, formOf(session));
      const count = countIn(whole);
      if (count < 2) inconclusive(`two templates are needed to see a limit, and the list has ${count}`);
      const exchange = await listAt(session, `${formOf(session)}?limit=1`);
      if (answerFrom(exchange) === 'refused') return { answer: 'rejected', exchange };
      if (!hasList(exchange)) return inconclusive(`no list was returned: ${describeRefusal(exchange)}`);
      const detail = `${countIn(exchange)} of ${count} templates`;
      if (countIn(exchange) === count) return { answer: 'ignored', exchange, detail };
      if (countIn(exchange) === 1) return { answer: 'honoured', exchange, detail };
      return inconclusive(`${detail} were returned`);
    },
  },
];

const headerProbe = (question: Probe['question'], description: string, names: RegExp): Probe => ({
  question,
  needs: 'read',
  uses: ['listTemplates'],
  description,
  probe: async (session) => {
    const exchange = await listAt(session, formOf(session));
    if (answerFrom(exchange) === 'refused')
      inconclusive(`the list was refused: ${describeRefusal(exchange)}`);
    const present = Object.keys(exchange.headers).filter((name) => names.test(name));
    return present.length > 0
      ? { answer: 'present', exchange, detail: present.join(', ') }
      : { answer: 'absent', exchange, detail: 'no such header' };
  },
});

/** §8 and §9: headers of an ordinary response. */
export const headerProbes: readonly Probe[] = [
  headerProbe(
    'limits.rate-headers',
    'looks for `RateLimit-*` or `X-RateLimit-*` on the list of templates',
    /^(x-)?rate-?limit/,
  ),
  headerProbe(
    'versioning.deprecation-headers',
    'looks for `Deprecation` or `Sunset` on the list of templates',
    /^(deprecation|sunset)$/,
  ),
];
