import { setTimeout as wait } from 'node:timers/promises';
import { isKeyTestedOn, isThoroughOn } from '../facts/checks.ts';
import { wrongKeys } from '../facts/keys.ts';
import { type Operation, operations } from '../session/operations.ts';
import { concernsOneLead, routes } from '../session/routes.ts';
import type { Scenario } from './scenario.ts';
import type { Lead, Tools } from './tools.ts';

/** Wrong keys at every path form, each followed by a valid request or by a look at the lead. */
const tryKeys = async (tools: Tools, operation: Operation): Promise<void> => {
  const { session, add, update, read, isThorough } = tools;
  const { id, validRequest } = operation;
  const lead = operation.needs === 'writes' ? await add() : undefined;
  if (lead) await update(lead);
  const request = (about: Lead | undefined, turn: number) => validRequest(session, { lead: about, turn });
  const look = async (): Promise<void> => {
    if (lead) await read(lead);
    else if (operation.needs === 'read') await session.send(id);
  };
  let tried = 0;
  /** Looks after the first wrong key, and after every third one later. */
  const lookSometimes = async (): Promise<void> => {
    if (isThorough || tried % 3 === 0) await look();
    tried += 1;
  };
  for (const [turn, { credentials, on, thorough }] of wrongKeys.entries()) {
    if (!isKeyTestedOn(operation, on) || (!isThorough && isThoroughOn(operation, thorough))) continue;
    const forms = session.pathForms(id);
    for (const one of credentials.filter(session.client.differs))
      for (const [index, path] of (on === 'every' ? forms : forms.slice(0, 1)).entries()) {
        await session.send(id, { ...request(lead, turn + index), path, credentials: one, intent: 'probe' });
        await lookSometimes();
        if (one !== 'none' || operation.needs === 'mail') continue;
        // A router may take a path with a slash at its end for the same path, and the check of keys may not.
        await session.send(id, {
          ...request(lead, turn),
          path: `${path}/`,
          credentials: one,
          intent: 'probe',
        });
        await lookSometimes();
      }
  }
  if (lead) {
    // What was refused must not take effect later.
    await wait(600);
    await read(lead);
  }
  // The key has not been used with a new lead yet.
  if (lead && concernsOneLead(id))
    await session.send(id, { ...request(await add(), 0), credentials: 'random key', intent: 'probe' });
};

/** The most mails that a deployment sends which accepts every key. */
const mailsFor = (operation: Operation): Pick<Scenario, 'mails'> => {
  const kinds = wrongKeys.filter(({ on }) => isKeyTestedOn(operation, on));
  const usual = kinds.filter(({ thorough }) => !isThoroughOn(operation, thorough)).length;
  return operation.needs === 'mail'
    ? { mails: { usual, thorough: kinds.length * routes[operation.id].paths.length } }
    : {};
};

export const keyScenarios: readonly Scenario[] = operations.map((operation) => ({
  id: `keys.${operation.area}`,
  needs: operation.needs,
  leads: operation.needs === 'writes' ? 2 : 0,
  ...mailsFor(operation),
  triesKeys: true,
  decides: [
    ...wrongKeys
      .filter(({ on }) => isKeyTestedOn(operation, on))
      .map(({ id }) => `${operation.area}.auth.${id}`),
    ...(operation.needs === 'writes' ? [`${operation.area}.auth.changes-nothing`] : []),
    ...(operation.id === 'listTemplates' || operation.id === 'updateLead'
      ? [`${operation.area}.auth.then-key`]
      : []),
  ],
  run: (tools) => tryKeys(tools, operation),
}));
