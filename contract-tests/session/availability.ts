import type { OperationId } from '../../mock/contract/operation-id.ts';
import { describeRefusal, type Exchange, isObject, responseFingerprint } from '../exchange/exchange.ts';
import { operationOf, routes } from '../exchange/operations.ts';
import { describeAbsence, describeBroken, isAbsent } from '../exchange/responses.ts';
import type { DiscoveryResult } from './outcome.ts';
import type { Session } from './session.ts';

/** A path below `/api/v1/email` that exists on no deployment. */
export const unknownPath = ({ unique }: Session): string =>
  `/api/v1/email/${unique('nothing').replaceAll(' ', '-').toLowerCase()}`;

/** A path that exists, but does not have the method GET. */
export const wrongMethodPath = '/api/v1/email/send';

/** A GET of a path that is not documented. */
export const getAt = (session: Session, path: string): Promise<Exchange> =>
  session.send('listTemplates', { path, intent: 'probe' });

/**
 * Control responses of a path that does not exist and of a wrong method. Some deployments
 * answer any path or any method with a success.
 */
export const controls = async (session: Session): Promise<readonly Exchange[]> => [
  await getAt(session, unknownPath(session)),
  await getAt(session, wrongMethodPath),
];

/** Whether a response means that the resource does not exist: by its status, or because it equals a control response. */
export const saysNothingIsThere = (exchange: Exchange, of: readonly Exchange[]): boolean =>
  isAbsent(exchange) ||
  of.some(
    (control) =>
      control.status === exchange.status &&
      control.outcome === exchange.outcome &&
      (exchange.outcome !== 'success' || responseFingerprint(control) === responseFingerprint(exchange)),
  );

/**
 * Whether the documented path is redirected to the same path with a trailing slash. Any other redirect may
 * come from a gateway in front of the service.
 */
const redirectsToSlash = ({ status, path, headers: { location = '' } }: Exchange): boolean =>
  status >= 300 && status < 400 && (location.split(/[?#]/, 1)[0] ?? '').endsWith(`${path}/`);

const failedWith = (actual: string, exchange: Exchange | undefined, place = ''): DiscoveryResult => ({
  failure: { expected: `200 and success: true${place}`, actual, exchange },
});

/** Classifies the responses to a complete request: a broken documented fact, or an undecided one. */
const classify = (replies: readonly Exchange[], hint: string): DiscoveryResult => {
  if (replies.some(({ outcome }) => outcome === 'success')) return {};
  const broken = replies.find(({ outcome }) => outcome === 'broken');
  if (broken) return failedWith(describeBroken(broken), broken);
  const gateway = replies.find(({ outcome }) => outcome === 'gateway');
  if (gateway) return { inconclusive: `a gateway responded: ${describeRefusal(gateway)}` };
  const [first] = replies;
  if (replies.every(isAbsent)) {
    const forms = replies.map(({ method, path }) => `${method} ${path}`).join(' and ');
    const reply = first ? describeAbsence(first) : 'nothing';
    return { absent: true, ...failedWith(`${forms} returned ${reply}`, first) };
  }
  const failing = replies.find((reply) => reply.status >= 500 && !isAbsent(reply));
  if (failing) return failedWith(`${failing.status} every time`, failing);
  const moved = replies.find(redirectsToSlash);
  if (moved) return failedWith(describeRefusal(moved), moved, ' at the documented path');
  const refusal = replies.find((reply) => !isAbsent(reply)) ?? first;
  const isRedirect = refusal !== undefined && refusal.status < 400 && refusal.status >= 300;
  return {
    inconclusive: `the deployment refused a complete request: ${refusal ? describeRefusal(refusal) : ''}${hint === '' || isRedirect ? '' : ` (${hint})`}`,
  };
};

export const recordUnavailable = (
  session: Session,
  operation: OperationId,
  finding: DiscoveryResult,
): DiscoveryResult => {
  const reason = finding.failure
    ? `it failed: ${finding.failure.actual}`
    : (finding.inconclusive ?? finding.skipped ?? '');
  session.capabilities.set(operation, {
    available: false,
    reason,
    isUndecided: finding.inconclusive !== undefined,
    isSkipped: finding.skipped !== undefined,
  });
  return finding;
};

export const recordResult = (
  session: Session,
  operation: OperationId,
  replies: readonly Exchange[],
  hint = '',
): DiscoveryResult => {
  const finding = classify(replies, hint);
  const { paths } = routes[operation];
  const hasOneForm = paths.length === 1;
  const working = replies.filter(
    ({ outcome, json }) => outcome === 'success' || (outcome === 'broken' && (isObject(json) || hasOneForm)),
  );
  const forms = working.map(({ path }) => (hasOneForm ? paths[0] : path));
  if (forms.length > 0) session.capabilities.set(operation, { available: true, pathForms: forms });
  else recordUnavailable(session, operation, finding);
  return finding;
};

/**
 * How often a server error is repeated, because one may be a coincidence. It may have sent a mail all the same. A gateway may
 * have forwarded the request: a mail is not repeated, and an addition only once.
 */
const repeatsOf = ({ operation, outcome }: Exchange): number => {
  const isGateway = outcome === 'gateway';
  if (operationOf(operation).needs === 'mail') return isGateway ? 0 : 1;
  return isGateway && operation === 'addLead' ? 1 : 2;
};

/** Milliseconds to wait before a retry, because a gateway may reach the service again; multiplied by the attempt. */
export const gatewayPauseMs = 1000;

/** Sends a request again after a server error: several in a row are a result. A gateway gets a pause first. */
export const retryOnServerError = async (
  { client }: Pick<Session, 'client'>,
  ask: () => Promise<Exchange>,
): Promise<Exchange> => {
  let exchange = await ask();
  for (
    let repeat = 1;
    repeat <= repeatsOf(exchange) && exchange.status >= 500 && !isAbsent(exchange);
    repeat += 1
  ) {
    const isGateway = exchange.outcome === 'gateway';
    if (isGateway && !client.pause(gatewayPauseMs * repeat, describeRefusal(exchange))) return exchange;
    exchange = await ask();
  }
  return exchange;
};
