import { checks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { type BehaviourOverrides, createService } from '../proof/server/server.ts';
import type { Mutation, RunningDeployment } from '../proof/server/types.ts';
import { runContract, targetOf } from '../proof/suite-result.ts';
import { observe } from '../questions/observe.ts';
import { probes, probesFor } from '../questions/probes/index.ts';
import { inRun, type Run, type TargetOptions } from '../runner/run.ts';
import { selectChecks } from '../runner/selection.ts';

type Options = Partial<TargetOptions> & {
  readonly behaviour?: BehaviourOverrides;
  readonly mutation?: Mutation;
};

/** A run of the checks with these ids on a service that is closed then, with every permission unless the options say otherwise. */
export const runOn = async (
  ids: readonly string[],
  { behaviour, mutation, ...options }: Options = {},
): Promise<Run & { readonly service: RunningDeployment }> => {
  const service = await createService(behaviour, mutation).start();
  const target = { ...targetOf(service), permissions: everythingPermitted };
  const run = await runContract({ ...target, checks: selectChecks(checks, ids, []), ...options }).finally(
    service.close,
  );
  return { ...run, service };
};

/** What `observe` finds on a service about these questions, or about all. */
export const observeOn = async (ids: Parameters<typeof probesFor>[0], mutation: Mutation) => {
  const service = await createService({}, mutation).start();
  const asked = ids.length === 0 ? probes : probesFor(ids);
  const target = { ...targetOf(service), permissions: everythingPermitted };
  return await inRun(target, 'observe', (shared) => observe(shared, asked)).finally(service.close);
};
