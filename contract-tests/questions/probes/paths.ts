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
import { hasList, isAbsent } from '../../exchange/responses.ts';
import { controls, getAt, unknownPath, wrongMethodPath } from '../../session/requests.ts';
import type { Session } from '../../session/session.ts';
import { answerFrom, inconclusive, oneRequestEach, type Probe, type ProbeAnswer } from './probe.ts';

/**
 * Whether a response means that the resource does not exist: by its status, or because it equals a control response. One of a
 * gateway may be due to an outage.
 */
const saysNothingIsThere = (exchange: Exchange, of: readonly Exchange[]): boolean =>
  isAbsent(exchange) ||
  of.some(
    (control) =>
      control.outcome !== 'gateway' &&
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
  if (works(first) && works(second))
    return { answer: 'both', exchange: second, detail: 'it works at both paths' };
  const [here, there, answer] = works(first) ? [first, second, answers[0]] : [second, first, answers[1]];
  if (!works(here)) return inconclusive(`no path works, or as any path does: ${describeRefusal(first)}`);
  return saysNothingIsThere(there, nothing)
    ? { answer, exchange: there }
    : inconclusive(
        `${there.path} neither works nor reports that it does not exist: ${describeRefusal(there)}`,
      );
};

/** §4.8: `present`, `absent`, or inconclusive if the response shows neither. */
const presence = async (
  session: Session,
  exchange: Exchange,
  there: (exchange: Exchange) => boolean,
): Promise<ProbeAnswer> => {
  if (there(exchange)) return { answer: 'present', exchange, detail: '`data`' };
  // Some deployments send a success without the data for any request.
  if (exchange.outcome === 'success') return { answer: 'absent', exchange, detail: 'no `data`' };
  return saysNothingIsThere(exchange, await controls(session))
    ? { answer: 'absent', exchange }
    : inconclusive(
        `it neither shows leads nor reports that the path does not exist: ${describeRefusal(exchange)}`,
      );
};

const formOf = (session: Session): string =>
  session.pathForms('listTemplates')[0] ?? routes.listTemplates.paths[0];

const countIn = ({ json }: Exchange): number =>
  isObject(json) && Array.isArray(json.data) ? json.data.length : 0;

const listing = { needs: 'read', uses: ['listTemplates'] } as const;

const headerProbe = (question: Probe['question'], description: string, names: RegExp): Probe => ({
  ...listing,
  question,
  description,
  probe: async (session) => {
    const exchange = await getAt(session, formOf(session));
    if (answerFrom(exchange) === 'refused')
      inconclusive(`the list was refused: ${describeRefusal(exchange)}`);
    const found = Object.keys(exchange.headers).filter((name) => names.test(name));
    return found.length > 0
      ? { answer: 'present', exchange, detail: found.join(', ') }
      : { answer: 'absent', exchange, detail: 'no such header' };
  },
});

/** §4.2, §4.4, §4.8, §7.4, §8 and §9: GET requests only, so these probes come first. */
export const readingProbes: readonly Probe[] = [
  {
    question: 'templates.list-path',
    needs: 'read',
    description:
      'GET at both path forms; a form exists when `data` is an array and the response differs from that of a random path',
    probe: async (session) => {
      const [plural, singular = plural] = routes.listTemplates.paths;
      const replies = [await getAt(session, plural), await getAt(session, singular)] as const;
      return formAnswer(replies, ['plural', 'singular'], hasList, await controls(session));
    },
  },
  {
    ...listing,
    question: 'templates.limit-parameter',
    description: 'GET the list with `?limit=1` if it has at least two templates, and counts them',
    probe: async (session) => {
      const count = countIn(await getAt(session, formOf(session)));
      if (count < 2) inconclusive(`two templates are needed to see a limit, and the list has ${count}`);
      const exchange = await getAt(session, `${formOf(session)}?limit=1`);
      if (answerFrom(exchange) === 'refused') return { answer: 'rejected', exchange };
      if (!hasList(exchange)) return inconclusive(`no list was returned: ${describeRefusal(exchange)}`);
      const detail = `${countIn(exchange)} of ${count} templates`;
      if (countIn(exchange) === count) return { answer: 'ignored', exchange, detail };
      if (countIn(exchange) === 1) return { answer: 'honoured', exchange, detail };
      return inconclusive(`${detail} were returned`);
    },
  },
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
    const { id } = await session.ownLead();
    const path = `/api/v1/leads/${encodeURIComponent(id)}`;
    const shown = (exchange: Exchange): boolean =>
      exchange.outcome === 'success' && textOf(dataOf(exchange).lead_id) === id;
    let exchange = await getAt(session, path);
    for (const pauseMs of shown(exchange) ? [] : await pausesAfter(session, exchange, before)) {
      await session.client.clock.wait(pauseMs);
      exchange = await getAt(session, path);
      if (shown(exchange)) break;
    }
    return presence(session, exchange, shown);
  },
};

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
  await session.client.clock.wait(maxDeletionMs);
  return ask(leadId);
};

/** §7.4 and §8: requests about a lead that the run deleted. */
export const missingLeadProbes = oneRequestEach({ needs: 'writes', uses: ['updateLead', 'deleteLead'] }, [
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
