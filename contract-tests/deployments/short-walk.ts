import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Demands } from './conforming/variant.ts';
import type { RunningDeployment } from './deployment.ts';
import { createBodies, createWalker, leadPath } from './walk.ts';

type Answer = Awaited<ReturnType<ReturnType<typeof createWalker>['ask']>>;
type Template = { readonly id: string; readonly variables: readonly string[] };

const expectSuccess = ({ status, json }: Answer, error?: '') => {
  expect({ status, ...json }).toMatchObject({ status: 200, success: true, message: expect.any(String) });
  if (error !== undefined) expect(json.error).toBe(error);
};

const expectRefusal = ({ status, json }: Answer) => {
  expect(json.error).toEqual(expect.any(String));
  expect(status !== 200 || json.success === false || json.error !== '').toBe(true);
};

const utc = expect.stringMatching(
  /^\d{4}-?(\d\d-?\d\d|W\d\d-\d|\d{3})T\d\d:?\d\d(:?\d\d(\.\d+)?)?(Z|\+00:00)$/,
);

/** The first of several path forms (§4.4) that succeeds; one must. */
const firstSuccess = async (asks: readonly (() => Promise<Answer>)[]) => {
  const answers: Answer[] = [];
  for (const ask of asks) answers.push(await ask());
  const found = answers.find(({ status, json }) => status === 200 && json.success === true);
  if (!found) throw new Error(`no path form succeeds: ${answers.map(({ bytes }) => bytes.toString())}`);
  return found;
};

/** Asks each operation once as §4 shows it, and expects what §4 promises. */
export const shortWalk = async (deployment: RunningDeployment, demands: Demands): Promise<void> => {
  const { ask } = createWalker(deployment);
  const { mail, templateMail, lead, update } = createBodies(demands, 'short walk');
  const settle = () => sleep(demands.settleMs ?? 0);

  expectSuccess(await ask('POST', '/email/send', mail()));
  const list = await firstSuccess(
    ['/email/templates', '/email/template'].map((path) => () => ask('GET', path)),
  );
  expectSuccess(list, '');
  const templates = list.json.data as readonly Template[];
  // The last one too, as the first may be deleted meanwhile.
  const tried = [...templates.slice(0, 1), ...templates.slice(1).slice(-1)];
  for (const template of tried)
    expect(template).toMatchObject({ id: expect.any(String), body: expect.any(String), created_at: utc });
  const asks = tried.flatMap((template) =>
    ['/email/template', '/email/send-template'].map(
      (path) => () => ask('POST', path, templateMail(template)),
    ),
  );
  if (asks.length > 0) expectSuccess(await firstSuccess(asks));

  const sent = { name: 'Grace Hopper', source: 'web', note: 'Met at the fair: "yes"' };
  const added = await ask('POST', '/leads', lead(sent.name, sent));
  expectSuccess(added);
  expect(added.json.data).toMatchObject({ ...sent, lead_id: expect.stringMatching(/./), created_at: utc });
  await settle();
  const updated = await ask('PUT', leadPath(added), update({ note: 'Called back' }));
  expectSuccess(updated, '');
  const { lead_id } = added.json.data as { lead_id: string };
  expect(updated.json.data).toMatchObject({ ...sent, lead_id, note: 'Called back', updated_at: utc });

  expectRefusal(await ask('PUT', leadPath(added), update({ note: 'x' }), { authorization: undefined }));
  expectRefusal(await ask('DELETE', leadPath(added), undefined, { authorization: 'Bearer not-a-key' }));
  expect(deployment.leads()).toBe(1);
  expectSuccess(await ask('DELETE', leadPath(added)), '');
  expect(deployment.leads()).toBe(0);
  await settle();
  expectRefusal(await ask('PUT', leadPath(added), update({ note: 'too late' })));
};
