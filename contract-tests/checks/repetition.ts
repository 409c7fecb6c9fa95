import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { describeRefusal, type Exchange, isRefusal, responseFingerprint } from '../client/exchange.ts';
import type { ActiveCheck } from '../session/check.ts';
import { listAgain, requireList, templateEmail, templateIdOf } from '../session/email-requests.ts';
import type { SendOptions } from '../session/lead-requests.ts';
import { operationOf } from '../session/operations.ts';
import { CheckInconclusive, CheckSkipped, fail, RefusalAllowed } from '../session/outcome.ts';
import type { Session } from '../session/session.ts';
import { conflict, rememberedMs, saysLockedOut } from '../session/trouble.ts';
import { validRequest } from './request-forms.ts';

const acceptedMails = ({ client }: Session, operation: OperationId): readonly Exchange[] =>
  client.exchanges.filter(
    (exchange) =>
      exchange.operation === operation &&
      exchange.credentials === 'key' &&
      exchange.intent !== 'probe' &&
      exchange.outcome === 'success',
  );

/** The last accepted mail, as it was sent. */
const lastMail = (session: Session, operation: OperationId): Exchange => {
  const last = acceptedMails(session, operation).at(-1);
  if (!last) throw new CheckSkipped('no mail was accepted that could be repeated');
  return last;
};

/**
 * A template that was sent must be accepted again if one that was never sent is accepted,
 * because then the reason is not a quota.
 */
const expectReusable = async (session: Session, refusal: Exchange): Promise<void> => {
  const sentIds = acceptedMails(session, 'sendTemplateEmail').map(templateIdOf);
  const listed = (await listAgain(session)) ?? [];
  const unsent = listed.find(({ id }) => !sentIds.includes(id));
  if (!unsent || !listed.some(({ id }) => id === templateIdOf(refusal))) return;
  const { outcome } = await session.send('sendTemplateEmail', {
    path: refusal.path,
    body: templateEmail(session, unsent),
  });
  if (outcome === 'success')
    fail('a template that was sent before to be accepted again', describeRefusal(refusal), refusal);
};

const repeatable = (id: OperationId): ActiveCheck => {
  const operation = operationOf(id);
  return {
    id: `${operation.area}.repeatable`,
    title: 'the same mail is accepted again',
    section: operation.section,
    level: 'derived',
    operation: id,
    needs: 'mail',
    mails: 1,
    run: async (session) => {
      const { path, body = '' } = lastMail(session, id);
      const repeat = (): Promise<Exchange> => session.send(id, { path, raw: body, intent: 'text' });
      const exchange = await repeat();
      // A single refusal is reported by `every-time`.
      if (!isRefusal(exchange) || !isRefusal(await repeat())) return;
      if (exchange.status === conflict)
        throw new RefusalAllowed(
          'the deployment treats the same mail as a duplicate and does not send it twice',
        );
      const other = await session.send(id, { ...operation.validRequest(session, {}), path });
      if (other.outcome !== 'success' && id === 'sendTemplateEmail') await expectReusable(session, exchange);
      if (other.outcome !== 'success')
        throw new CheckInconclusive(`the deployment also refuses other mails: ${describeRefusal(other)}`);
      fail(
        'a mail that was accepted before to be accepted again',
        `refused: ${describeRefusal(exchange)}`,
        exchange,
      );
    },
  };
};

/** Sends two different mails concurrently, and repeats that to exclude a coincidence. */
const sendsTogether: ActiveCheck = {
  id: 'email.send.together',
  title: 'two mails that are sent at the same time are both accepted',
  section: '4.1',
  level: 'derived',
  operation: 'sendEmail',
  needs: 'mail',
  mails: 2,
  run: async (session) => {
    const { validRequest: request } = operationOf('sendEmail');
    const send = (): Promise<Exchange> => session.send('sendEmail', request(session, {}));
    const sendTwo = async (): Promise<Exchange | undefined> =>
      (await Promise.all([send(), send()])).find(isRefusal);
    const refusal = await sendTwo();
    if (!refusal) return;
    const alone = await send();
    if (alone.outcome !== 'success')
      throw new CheckInconclusive(`a single mail is also refused: ${describeRefusal(alone)}`);
    if (await sendTwo())
      fail(
        'both mails to be accepted',
        `one refused, and accepted alone: ${describeRefusal(refusal)}`,
        refusal,
      );
    // The other mail is not the reason: an intermittent refusal is reported by `email.send.every-time`.
    await session.send('sendEmail', { raw: refusal.body ?? '' });
  },
};

/** §4.1, §4.3: the document does not limit how often a mail may be sent. */
export const repeatChecks: readonly ActiveCheck[] = [
  repeatable('sendTemplateEmail'),
  repeatable('sendEmail'),
  sendsTogether,
];

/** A request that most deployments refuse. */
type Disturbance = { readonly label: string; readonly options: SendOptions };

const malformed: Disturbance = { label: 'malformed JSON', options: { raw: '{"name":' } };

/** Maximum number of attempts, and the number of refusals from which on it is a finding: one may be a coincidence. */
const attempts = 5;
const enough = 3;

/** Whether the response to the disturbance was returned for this request only for a moment, for example from a cache. */
const isForgotten = async (
  ask: () => Promise<Exchange>,
  refusal: Exchange,
  disturbance: Exchange,
): Promise<boolean> => {
  const isSame = responseFingerprint(refusal) === responseFingerprint(disturbance);
  if (!isSame || saysLockedOut(refusal)) return false;
  await wait(rememberedMs);
  // Twice, because another check may send a wrong key in the meantime.
  return (await ask()).outcome === 'success' || (await ask()).outcome === 'success';
};

const expectUnaffected = async (
  session: Session,
  id: OperationId,
  { label, options }: Disturbance,
): Promise<void> => {
  const operation = operationOf(id);
  const ask = async (options: SendOptions = {}): Promise<Exchange> =>
    session.send(id, { ...(await validRequest(session, operation)), ...options });
  const refusals: Exchange[] = [];
  for (let attempt = 0; attempt < attempts && refusals.length < enough; attempt += 1) {
    const disturbance = await ask({ ...options, intent: 'probe' });
    const exchange = await ask();
    if (!isRefusal(exchange)) {
      if (refusals.length === 0) return;
      continue;
    }
    const secondReply = await ask();
    if (secondReply.outcome !== 'success' && !(await isForgotten(ask, secondReply, disturbance))) {
      // The refusal may concern only this lead.
      if (id === 'updateLead') session.sharedLead.lead = undefined;
      throw new CheckInconclusive(`refused twice in a row: ${describeRefusal(secondReply)}`);
    }
    refusals.push(exchange);
  }
  const [first] = refusals;
  if (first && refusals.length >= enough)
    fail(
      `a valid request to succeed after one that was refused (${label})`,
      `refused, and accepted when it was sent again: ${describeRefusal(first)}`,
      first,
    );
};

const recovers = (id: OperationId, name: string, disturbances: readonly Disturbance[]): ActiveCheck => {
  const operation = operationOf(id);
  return {
    id: `${operation.area}.${name}`,
    title: 'a valid request succeeds directly after one that was refused',
    section: operation.section,
    level: 'documented',
    operation: id,
    needs: operation.needs,
    run: async (session) => {
      for (const disturbance of disturbances) await expectUnaffected(session, id, disturbance);
    },
  };
};

const wrongKey: Disturbance = { label: 'a wrong key', options: { credentials: 'random key' } };

const templateIds = async (session: Session): Promise<readonly string[]> =>
  (await requireList(session)).map(({ id }) => id);

const keepsTemplates: ActiveCheck = {
  id: 'leads.add.keeps-templates',
  title: 'adding a lead removes no template from the list',
  section: '4.2',
  level: 'derived',
  operation: 'addLead',
  needs: 'writes',
  run: async (session) => {
    // The templates as listed at the start of the run: an earlier addition may have had the same effect.
    const before = session.templates.map(({ id }) => id);
    if (before.length === 0) throw new CheckSkipped('no template is listed');
    await session.ownLead();
    const after = await templateIds(session);
    const list = session.client.exchanges
      .filter(({ operation, check }) => operation === 'listTemplates' && check === session.check)
      .at(-1);
    const missing = before.filter((id) => !after.includes(id));
    if (missing.length === 0) return;
    // A template that another user deleted does not reappear.
    await wait(1000);
    const lists: (readonly string[])[] = [];
    for (let count = 0; count < 3; count += 1) lists.push(await templateIds(session));
    const [later = [], ...others] = lists.map((ids) => ids.toSorted());
    if (others.some((ids) => ids.join() !== later.join()))
      throw new CheckSkipped('the list of templates differs each time, also without an addition');
    if (missing.some((id) => later.includes(id)))
      fail('the templates that were listed before', `${missing.length} missing temporarily`, list);
  },
};

/** §4: a complete request succeeds regardless of the requests before it. */
export const recoveryChecks: readonly ActiveCheck[] = [
  recovers('addLead', 'after-invalid', [malformed, { label: 'an empty object', options: { body: {} } }]),
  recovers('updateLead', 'after-invalid', [
    malformed,
    { label: 'a number for note', options: { body: { note: 7 } } },
  ]),
  keepsTemplates,
];

/** Before the other checks with wrong keys, which may cause a lock-out. */
export const keyRecoveryChecks: readonly ActiveCheck[] = [
  recovers('listTemplates', 'auth.then-key', [wrongKey]),
  recovers('updateLead', 'auth.then-key', [wrongKey]),
];
