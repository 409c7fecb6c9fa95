import { checks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import type { Check } from '../facts/check.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import type { Mutation, RunningDeployment } from '../proof/server/types.ts';
import { runContract, targetOf } from '../proof/suite-result.ts';
import { observe } from '../questions/observe.ts';
import { probes, probesFor } from '../questions/probes/index.ts';
import { inRun, type TargetOptions } from '../runner/run.ts';
import { selectChecks, selectDue } from '../runner/selection.ts';

type Options = Partial<TargetOptions> & {
  readonly behaviour?: BehaviourOverrides | undefined;
  readonly mutation?: Mutation | undefined;
};

/** What becomes of a service that is closed then, with every permission unless the options say otherwise. */
export const onService = async <Result extends object>(
  { behaviour, mutation, ...options }: Options,
  run: (target: TargetOptions) => Promise<Result>,
): Promise<Result & { readonly service: RunningDeployment }> => {
  const service = await createService(behaviour, mutation).start();
  const target = { ...targetOf(service), permissions: everythingPermitted, ...options };
  return { ...(await run(target).finally(service.close)), service };
};

/** A run of the checks with these ids. */
export const runOn = (ids: readonly string[], options: Options = {}) =>
  onService(options, (target) =>
    runContract({ ...target, checks: selectDue(selectChecks(checks, ids, []), ids, false).due }),
  );

/** What `observe` finds about these questions, or about all. */
export const observeOn = (ids: Parameters<typeof probesFor>[0], options: Options = {}) => {
  const asked = ids.length === 0 ? probes : probesFor(ids);
  return onService(options, (target) => inRun(target, 'observe', (shared) => observe(shared, asked)));
};

export const checkNamed = (id: string): Check => {
  const check = checks.find((one) => one.id === id);
  if (!check) throw new Error(`no check ${id}`);
  return check;
};
