import type { Answer } from '../../../mock/contract/questions.ts';
import {
  describeRefusal,
  type Exchange,
  isSuccess,
  itemsOf,
  responseFingerprint,
} from '../../exchange/exchange.ts';
import { idOf } from '../../exchange/leads.ts';
import { operationOf } from '../../exchange/operations.ts';
import { hasServiceForm } from '../../exchange/origin.ts';
import { hasList, isAbsent } from '../../exchange/responses.ts';
import { controls, getAt, unknownPath, wrongMethodPath } from '../../session/requests.ts';
import type { Session } from '../../session/session.ts';
import { type Ask, expectAccepted, inconclusive, isAccepted, type ProbeAnswer, probesOf } from './probe.ts';

/**
 * Whether a response means that the resource does not exist: by its status, or because it equals a control response. A page of a
 * gateway may be due to an outage.
 */
const saysNothingIsThere = (exchange: Exchange, of: readonly Exchange[]): boolean =>
  isAbsent(exchange) ||
  of.some(
    (control) =>
      (control.outcome !== 'gateway' || hasServiceForm(control)) &&
      control.status === exchange.status &&
      control.outcome === exchange.outcome &&
      (exchange.outcome !== 'success' || responseFingerprint(control) === responseFingerprint(exchange)),
  );

/**
 * §4.4: which of two path forms exist. One exists if it works; the other must say that nothing is there.
 * @param answers the answers for the first form alone, and for the second
 * @param nothing responses of paths and methods that do not exist
 */
export const formAnswer = (
  replies: readonly [Exchange, Exchange],
  answers: readonly [Answer, Answer],
  works: (reply: Exchange) => boolean,
  nothing: readonly Exchange[],
): ProbeAnswer => {
  const [first, second] = replies;
  if (works(first) && works(second)) return { answer: 'both', exchange: second };
  const [here, there, answer] = works(first) ? [first, second, answers[0]] : [second, first, answers[1]];
  if (!works(here)) return inconclusive(`neither path works, or any path does: ${describeRefusal(first)}`);
  if (saysNothingIsThere(there, nothing)) return { answer, exchange: there };
  const problem = 'neither works nor reports that it does not exist';
  return inconclusive(`${there.path} ${problem}: ${describeRefusal(there)}`);
};

/** §4.8: `present`, `absent`, or inconclusive if the response shows neither. */
const presence = async (
  session: Session,
  exchange: Exchange,
  there: (exchange: Exchange) => boolean,
): Promise<ProbeAnswer> => {
  if (there(exchange)) return { answer: 'present', exchange };
  // Some deployments send a success without the data for any request.
  if (isSuccess(exchange) || saysNothingIsThere(exchange, await controls(session)))
    return { answer: 'absent', exchange };
  const problem = 'it neither shows leads nor reports that the path does not exist';
  return inconclusive(`${problem}: ${describeRefusal(exchange)}`);
};

/** The list of templates, at the path that discovery found. */
const list = async (session: Session, query = ''): Promise<Exchange> => {
  const [path = operationOf('listTemplates').paths[0]] = session.pathForms('listTemplates');
  return getAt(session, path + query);
};

/** Whether the list of templates has header fields with such names. */
const findHeaders =
  (names: RegExp): Ask<ProbeAnswer> =>
  async (session) => {
    const exchange = expectAccepted(await list(session), 'the list');
    const found = Object.keys(exchange.headers).filter((name) => names.test(name));
    return found.length === 0
      ? { answer: 'absent', exchange }
      : { answer: 'present', exchange, detail: found.join(', ') };
  };

/** §4.2, §4.4, §4.8, §7.4, §8 and §9: GET requests only, so these probes come first. */
export const readingProbes = [
  ...probesOf({ needs: 'read' }, [
    [
      'templates.list-path',
      'GET at both path forms; a form exists when `data` is an array and the response differs from that of a random path',
      async (session) => {
        const [plural, singular = plural] = operationOf('listTemplates').paths;
        const replies = [await getAt(session, plural), await getAt(session, singular)] as const;
        return formAnswer(replies, ['plural', 'singular'], hasList, await controls(session));
      },
    ],
  ]),
  ...probesOf({ needs: 'read', uses: ['listTemplates'] }, [
    [
      'templates.limit-parameter',
      'GET the list with `?limit=1` if it has at least two templates, and counts them',
      async (session) => {
        const count = itemsOf(await list(session)).length;
        if (count < 2) inconclusive(`two templates are needed to see a limit, and the list has ${count}`);
        const exchange = await list(session, '?limit=1');
        if (!isAccepted(exchange)) return { answer: 'rejected', exchange };
        if (!hasList(exchange)) inconclusive(`no list was returned: ${describeRefusal(exchange)}`);
        const limited = itemsOf(exchange).length;
        const detail = `${limited} of ${count} templates`;
        if (limited === count) return { answer: 'ignored', exchange, detail };
        return limited === 1
          ? { answer: 'honoured', exchange, detail }
          : inconclusive(`${detail} were returned`);
      },
    ],
    [
      'limits.rate-headers',
      'looks for `RateLimit-*` or `X-RateLimit-*` on the list of templates',
      findHeaders(/^(x-)?rate-?limit/),
    ],
    [
      'versioning.deprecation-headers',
      'looks for `Deprecation` or `Sunset` on the list of templates',
      findHeaders(/^(deprecation|sunset)$/),
    ],
  ]),
  ...probesOf({ needs: 'read' }, [
    [
      'lead.list',
      'GET `/api/v1/leads`; present when `data` is an array. The contents of the list are not read',
      async (session) => presence(session, await getAt(session, '/api/v1/leads'), hasList),
    ],
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
export const retrieveProbes = probesOf({ needs: 'writes', uses: ['addLead'] }, [
  [
    'lead.retrieve',
    'GET `/api/v1/leads/{id}` of a lead of the run; present when `data` has its `lead_id`',
    async (session, _known, before) => {
      const { id } = await session.ownLead();
      const path = `/api/v1/leads/${encodeURIComponent(id)}`;
      const isShown = (reply: Exchange): boolean => isSuccess(reply) && idOf(reply) === id;
      let exchange = await getAt(session, path);
      const pauses = isShown(exchange) ? [] : await pausesAfter(session, exchange, before);
      for (const pauseMs of pauses) {
        await session.client.clock.wait(pauseMs);
        exchange = await getAt(session, path);
        if (isShown(exchange)) break;
      }
      return presence(session, exchange, isShown);
    },
  ],
]);

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
  await session.client.clock.wait(Math.max(maxDeletionMs, session.history.model.dialect.lagMs));
  return ask(leadId);
};

/** §7.4 and §8: requests about a lead that the run deleted. */
export const missingLeadProbes = probesOf({ needs: 'writes', uses: ['updateLead', 'deleteLead'] }, [
  [
    'failure.delete-again-status',
    'DELETE a lead that the run has already deleted',
    (session) => afterDeletion(session, (leadId) => session.send('deleteLead', { leadId, intent: 'probe' })),
    undefined,
    { uses: ['deleteLead'] },
  ],
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
]);
