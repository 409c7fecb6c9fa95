import { describeRefusal, type Exchange, templateIdOf } from '../exchange/exchange.ts';
import { operationOf } from '../exchange/operations.ts';
import { firewallAdvice, gatewayName, hasServiceForm } from '../exchange/origin.ts';
import { conflict } from '../exchange/responses.ts';
import { brokenAs, holds } from '../facts/fact.ts';
import { CheckInconclusive, CheckSkipped } from '../session/outcome.ts';
import { validRequest } from '../session/requests.ts';
import type { Session } from '../session/session.ts';

/** Two requests that the document treats alike. */
type Alike = {
  /** The check that this decides. */
  readonly check: string;
  /** What must be accepted: `a body with line breaks`. */
  readonly subject: string;
  readonly other: () => Promise<Exchange>;
  /** Whether something in front of the service may have demands of its own: a firewall that requires a `User-Agent`. */
  readonly mayBeRefusedInFront?: boolean;
  /** The usual request. It is sent only if the other one is refused. */
  readonly usual: () => Promise<Exchange>;
  /** A request of another scenario that the other one depends on: a replay sends it before. */
  readonly after?: Exchange;
};

/** Records that a request was accepted, which several checks expect. */
export const noteAccepted = (
  { history }: Pick<Session, 'history'>,
  exchange: Exchange,
  checks: readonly string[],
): void => history.add({ exchange, results: checks.map(holds) });

/**
 * Expects a request to be accepted, because a like one is. This is the only comparison that a scenario makes: no single exchange
 * shows it.
 * @returns the exchange of the other request
 * @throws CheckInconclusive if the usual request is refused too
 */
export const expectAlike = async (
  session: Pick<Session, 'history'>,
  { check, subject, other, usual, after, mayBeRefusedInFront = false }: Alike,
): Promise<Exchange> => {
  const { history } = session;
  const exchange = await other();
  // A deployment may take a mail for a duplicate.
  const isDuplicate = exchange.status === conflict && history.model.wasSent(exchange);
  if (exchange.outcome === 'success' || isDuplicate) {
    noteAccepted(session, exchange, [check]);
    return exchange;
  }
  if (exchange.outcome !== 'refusal') return exchange; // a fact about one response reports it
  const refusal = describeRefusal(exchange);
  if (mayBeRefusedInFront && !hasServiceForm(exchange))
    throw new CheckSkipped(`something in front of the service refused ${subject}: ${refusal}`);
  const gateway = gatewayName(exchange, history.model.servers);
  if (gateway !== undefined)
    throw new CheckInconclusive(
      `${gateway} refused it instead of the service: ${refusal}; ${firewallAdvice}`,
    );
  const control = await usual();
  if (control.outcome !== 'success')
    throw new CheckInconclusive(`the usual request is refused too: ${describeRefusal(control)}`);
  const expected = `${subject} to be accepted, like the usual request`;
  const brokenAfter = brokenAs({ causes: after ? [after] : [] });
  history.add({ exchange, results: [brokenAfter(check, exchange, expected, `refused: ${refusal}`)] });
  return exchange;
};

/**
 * Sends the mail that was accepted last again, byte for byte: the document does not limit how often (§4.1, §4.3). Without one, or
 * if its template is no longer listed, it sends another mail.
 */
export const repeatMail = async (
  session: Session,
  id: 'sendEmail' | 'sendTemplateEmail',
): Promise<Exchange> => {
  const { latest } = session.history.model.templates;
  const usual = (): Promise<Exchange> => session.send(id, { ...validRequest(session, id), intent: 'text' });
  const last = session.client.exchanges.findLast(
    (mail) =>
      mail.operation === id &&
      mail.outcome === 'success' &&
      mail.credentials === 'key' &&
      (id === 'sendEmail' || latest.has(templateIdOf(mail))),
  );
  if (!last) return usual();
  const { path, body = '' } = last;
  return expectAlike(session, {
    check: `${operationOf(id).area}.repeatable`,
    subject: 'a mail that was accepted before',
    other: () => session.send(id, { path, raw: body, intent: 'text' }),
    usual,
    after: last,
  });
};
