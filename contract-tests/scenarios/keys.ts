import { concernsOneLead, type Operation, operationOf, operations } from '../exchange/operations.ts';
import { keyChecksOn, wrongKeysOn } from '../facts/keys.ts';
import { unusualEmail, validRequest } from '../session/requests.ts';
import type { SendOptions } from '../session/session.ts';
import type { Scenario } from './scenario.ts';
import type { Lead, Tools } from './tools.ts';

/**
 * Wrong keys at every path form of an operation; after some of them a valid request, or a look at the leads. The requests concern the
 * first one.
 */
const tryOperation = async (tools: Tools, operation: Operation, leads: readonly Lead[]): Promise<void> => {
  const [lead] = leads;
  const { session, read, isThorough } = tools;
  const { id } = operation;
  const look = async (): Promise<void> => {
    if (lead) await read(...leads);
    // Twice: what a list directly after a wrong key lacks is in the next one.
    else if (operation.needs === 'read') for (let count = 0; count < 2; count += 1) await session.send(id);
  };
  let tried = 0;
  const send = async (options: SendOptions, turn: number): Promise<void> => {
    const request = { ...validRequest(session, id, { lead, turn }), ...options, intent: 'probe' } as const;
    // The first one comes at the same time as a valid list: who sent that must not be taken for the sender of both.
    const isFirstList = tried === 0 && operation.needs === 'read';
    await Promise.all([isFirstList ? session.send(id) : undefined, session.send(id, request)]);
    if (isThorough || tried % 12 === 0) await look();
    tried += 1;
  };
  for (const [turn, { credentials, underEveryPath }] of wrongKeysOn(operation, isThorough).entries()) {
    if (!session.client.differs(credentials)) continue;
    const forms = session.pathForms(id);
    const paths = underEveryPath ? forms : forms.slice(0, 1);
    for (const [index, path] of paths.entries()) {
      await send({ path, credentials }, turn + index);
      if (credentials !== 'none' || index > 0 || operation.needs === 'mail') continue;
      // A router may take a path with a slash at its end for the same path, and ignore the query and letter case, where the check of
      // keys compares the whole address.
      const others = operation.needs === 'read' ? [`${path}?limit=1`, path.toUpperCase()] : [];
      for (const other of [`${path}/`, ...others]) await send({ path: other, credentials }, turn);
    }
  }
};

/** Wrong keys on operations that concern the same lead, if any. */
const tryKeys = async (tools: Tools, chosen: readonly Operation[]): Promise<void> => {
  const { session, add, addAlike, update, read, remove, waitForEffects } = tools;
  const due = chosen.filter(({ id }) => session.can(id));
  const lead = due.some(({ needs }) => needs === 'writes') ? await add() : undefined;
  if (lead) await update(lead);
  // A request with a wrong key may affect another lead: the newest, one with the same texts, or one that was deleted.
  const leads = lead ? [lead, await addAlike(lead)] : [];
  const deleted = lead && (await add());
  await remove(deleted);
  for (const operation of due) await tryOperation(tools, operation, leads);
  // One mail shows that the valid key still sends. Its texts are long, and its sender has a name, if that is accepted.
  const sendValid = async (): Promise<void> => {
    const unusual = await session.send('sendEmail', { body: unusualEmail(session), intent: 'text' });
    if (unusual.outcome === 'refusal') await session.send('sendEmail', validRequest(session, 'sendEmail'));
  };
  // It may be the last mail, because no wrong key comes after it.
  if (due.some(({ id }) => id === 'sendEmail')) await session.client.lendLastMail(sendValid);
  if (!lead) return;
  // The key has not been used with a new lead yet.
  const fresh = await add();
  for (const { id } of due.filter((operation) => concernsOneLead(operation.id)))
    await session.send(id, {
      ...validRequest(session, id, { lead: fresh }),
      credentials: 'random key',
      intent: 'probe',
    });
  // What was refused must not take effect later.
  await waitForEffects();
  await read(deleted, ...leads);
};

/** The checks of wrong keys on an operation. */
const decidedOn = (operation: Operation): readonly string[] => {
  const { id, area, needs } = operation;
  return [
    ...keyChecksOn(operation).map((check) => check.id),
    ...(needs === 'writes' ? [`${area}.auth.changes-nothing`] : []),
    ...(needs === 'read' ? [`${area}.survives-bad-input`] : []),
    ...(['listTemplates', 'updateLead', 'sendEmail'].includes(id) ? [`${area}.every-time`] : []),
  ];
};

const scenario = (id: string, due: readonly Operation[], rest: Partial<Scenario>): Scenario => ({
  id,
  needs: 'read',
  triesKeys: true,
  decides: due.flatMap(decidedOn),
  run: (tools) => tryKeys(tools, due),
  ...rest,
});

export const keyScenarios: readonly Scenario[] = [
  scenario('keys.templates.list', [operationOf('listTemplates')], {}),
  scenario(
    'keys.leads',
    operations.filter(({ needs }) => needs === 'writes'),
    { needs: 'writes', leads: 3 },
  ),
  ...operations
    .filter(({ needs }) => needs === 'mail')
    // Send email is the last one.
    .reverse()
    .map((operation) => {
      const mails = operation.id === 'sendEmail' ? 1 : 0;
      return scenario(`keys.${operation.area}`, [operation], {
        needs: 'mail',
        mails,
      });
    }),
];
