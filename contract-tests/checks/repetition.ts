import { setTimeout as wait } from 'node:timers/promises';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import { describeRefusal, type Exchange, isRefusal, responseFingerprint } from '../client/exchange.ts';
import type { ActiveCheck } from '../session/check.ts';
import { listAgain, templateEmail, templateIdOf } from '../session/email-requests.ts';
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

/** The last mail that was taken, as it was sent. */
const lastMail = (session: Session, operation: OperationId): Exchange => {
  const last = acceptedMails(session, operation).at(-1);
  if (!last) throw new CheckSkipped('no mail was accepted that could be repeated');
  return last;
};

/** A template that was sent can be sent again, where one that was never sent is accepted: it is no quota then. */
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
      // What is refused once only shows in `every-time`.
      if (!isRefusal(exchange) || !isRefusal(await repeat())) return;
      if (exchange.status === conflict)
        throw new RefusalAllowed(
          'the deployment takes the same mail for a duplicate and does not send it twice',
        );
      const other = await session.send(id, { ...operation.validRequest(session, {}), path });
      if (other.outcome !== 'success' && id === 'sendTemplateEmail') await expectReusable(session, exchange);
      if (other.outcome !== 'success')
        throw new CheckInconclusive(`the deployment refuses other mails as well: ${describeRefusal(other)}`);
      fail('a mail that was accepted before', `refused: ${describeRefusal(exchange)}`, exchange);
    },
  };
};

/** Two mails that differ, sent at the same time, as often as it takes to tell that from chance. */
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
      throw new CheckInconclusive(`a mail alone is refused as well: ${describeRefusal(alone)}`);
    if (await sendTwo())
      fail(
        'both mails to be accepted',
        `one refused, and accepted alone: ${describeRefusal(refusal)}`,
        refusal,
      );
    // It was not for the other one: what is refused only now and then shows in `email.send.every-time`.
    await session.send('sendEmail', { raw: refusal.body ?? '' });
  },
};

/** §4.1, §4.3: nothing says that a mail can be sent only once. */
export const repeatChecks: readonly ActiveCheck[] = [
  repeatable('sendTemplateEmail'),
  repeatable('sendEmail'),
  sendsTogether,
];

/** A request that is refused, by most deployments. */
type Disturbance = { readonly label: string; readonly options: SendOptions };

const malformed: Disturbance = { label: 'malformed JSON', options: { raw: '{"name":' } };

/** How often what is refused once is tried, and how often it has to be refused: one may be chance. */
const attempts = 5;
const enough = 3;

/** Whether the refusal of another request is given to this one, as a cache may, until a moment has passed. */
const isForgotten = async (
  ask: () => Promise<Exchange>,
  refusal: Exchange,
  disturbance: Exchange,
): Promise<boolean> => {
  const isSame = responseFingerprint(refusal) === responseFingerprint(disturbance);
  if (!isSame || saysLockedOut(refusal)) return false;
  await wait(rememberedMs);
  // Twice, because another check may send a wrong key meanwhile.
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
      // It may be this lead alone that is refused now.
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
  ((await listAgain(session)) ?? []).map(({ id }) => id);

const keepsTemplates: ActiveCheck = {
  id: 'leads.add.keeps-templates',
  title: 'adding a lead removes no template from the list',
  section: '4.2',
  level: 'derived',
  operation: 'addLead',
  needs: 'writes',
  run: async (session) => {
    // As they were listed at the beginning: an earlier addition may have had the same effect.
    const before = session.templates.map(({ id }) => id);
    await session.ownLead();
    const after = await templateIds(session);
    const list = session.client.exchanges
      .filter(({ operation, check }) => operation === 'listTemplates' && check === session.check)
      .at(-1);
    const missing = before.filter((id) => !after.includes(id));
    if (missing.length === 0) return;
    // What somebody deleted meanwhile does not come back.
    await wait(1000);
    const lists: (readonly string[])[] = [];
    for (let count = 0; count < 3; count += 1) lists.push(await templateIds(session));
    const [later = [], ...others] = lists.map((ids) => ids.toSorted());
    if (others.some((ids) => ids.join() !== later.join()))
      throw new CheckSkipped('the list of templates is another one each time, without an addition too');
    if (missing.some((id) => later.includes(id)))
      fail('the templates that were listed before', `${missing.length} missing for a moment`, list);
  },
};

/** §4: a complete request succeeds, whatever was asked before it. */
export const recoveryChecks: readonly ActiveCheck[] = [
  recovers('addLead', 'after-invalid', [malformed, { label: 'an empty object', options: { body: {} } }]),
  recovers('updateLead', 'after-invalid', [
    malformed,
    { label: 'a number for note', options: { body: { note: 7 } } },
  ]),
  keepsTemplates,
];

/** Before the other checks of wrong keys, so many of which may lock out. */
export const keyRecoveryChecks: readonly ActiveCheck[] = [
  recovers('listTemplates', 'auth.then-key', [wrongKey]),
  recovers('updateLead', 'auth.then-key', [wrongKey]),
];
