import type { OperationId } from '../../mock/contract/operation-id.ts';
import { decidersOf, scenarios } from '../checks/scenarios.ts';
import type { Permissions } from '../client/permissions.ts';
import { divide } from '../exchange/lists.ts';
import { operationOf, operations, operationsThatNeed } from '../exchange/operations.ts';
import type { Check } from '../facts/check.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { type Discovery, falseIfUndecided, isInterruption } from '../session/outcome.ts';
import { describeAdaptations } from '../session/requirements.ts';
import { sessionFor } from '../session/session.ts';
import type { Shared } from '../session/shared.ts';
import { cleanUpPauses, deleteCreated, deleteRevived } from './cleanup.ts';
import { confirmAlive, outlastOutage, tooLate } from './control-requests.ts';
import { decide, obstacleOf } from './decide.ts';
import { confirmFailures, discover } from './discovery.ts';
import {
  type Common,
  confirmRefusals,
  leaveOpen,
  refusalsIn,
  runScenario,
  type ScenarioResult,
} from './scenario-runner.ts';
import { notReached, redactVerdict, type Verdict } from './verdict.ts';

export type RunResult = {
  readonly verdicts: readonly Verdict[];
  readonly discovery: Discovery;
  /** Whether the run was stopped before its last check. */
  readonly interrupted: boolean;
  /** What the deployment stopped doing during the run, one sentence each. */
  readonly troubles: readonly string[];
  /** What the requests of the run contain in addition to the documented fields, one sentence each. */
  readonly adaptations: readonly string[];
};

/**
 * Runs checks against one deployment: discovery, scenarios, clean-up, then the verdicts.
 * The clean-up also runs after an interruption and never decides a verdict.
 */
export const runChecks = async (shared: Shared, checks: readonly Check[]): Promise<RunResult> => {
  const results: ScenarioResult[] = [];
  let interrupted = false;
  try {
    await discover(sessionFor(shared, 'discovery'), operationsFor(checks));
    const common: Common = { reading: {}, confirmed: new Set() };
    const run = async (scenario: Scenario): Promise<void> => {
      results.push(await runScenario(shared, scenario, common));
    };
    const [due, leftOut] = divide(
      scenariosFor(checks, shared.permissions, shared.isThorough).map((scenario) => ({
        scenario,
        missing: missingFor(shared, scenario),
      })),
      ({ missing }) => missing.length === 0,
    );
    const [withKeys, others] = divide(
      due.map(({ scenario }) => scenario),
      ({ triesKeys = false }) => triesKeys,
    );
    // Until it is known, the first one shows whether changes are visible late.
    const first = isLate(shared) ? [] : others.splice(0, 1);
    await runAll(shared, first, run);
    await runAll(shared, others, run);
    // Before the last mail is spent.
    await confirmLater(shared, results, 0, common);
    await confirmFailures(shared);
    const keysFrom = results.length;
    // When everything else is decided, because a deployment may lock out a client that tries wrong keys.
    await runAll(shared, withKeys, run);
    await confirmLater(shared, results, keysFrom, common);
    await confirmAlive(shared, shared.health.unconfirmed());
    for (const { scenario, missing } of leftOut) {
      const obstacles = missing.map((id) => obstacleOf(id, shared, `it needs ${id}`));
      const obstacle = obstacles.find(({ status }) => status === 'inconclusive') ?? obstacles[0];
      if (obstacle) results.push({ scenario, findings: [], obstacle });
    }
    // Before the responses are inspected, because the clean-up adds further responses.
    await deleteCreated(shared, cleanUpPauses);
  } catch (error) {
    if (!isInterruption(error)) throw error;
    interrupted = true;
  } finally {
    await deleteCreated(shared);
  }
  if (!interrupted) await deleteRevived(shared).catch(falseIfUndecided);
  const verdicts = decide(shared, checks, results).map((verdict) =>
    !interrupted || isReached(shared, verdict, results)
      ? redactVerdict(verdict, shared.client.redact)
      : ({ check: verdict.check, status: 'skipped', reason: notReached } as const),
  );
  return {
    verdicts,
    discovery: shared.discovery,
    interrupted,
    troubles: shared.health.troubles().map(shared.client.redact),
    adaptations: describeAdaptations(shared),
  };
};

const isLate = ({ history }: Shared): boolean => history.model.dialect.lagMs > 0;

/** Maximum number of leads of all scenarios at the same time, in addition to the one of control requests. */
const maxLeads = 11;

/** Runs scenarios at the same time, as far as there is room for their leads: whichever has room comes next. */
const runTogether = async (
  scenarios: readonly Scenario[],
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> => {
  const waiting = [...scenarios];
  const running = new Set<Promise<void>>();
  let held = 0;
  try {
    while (waiting.length > 0) {
      const next = waiting.findIndex(({ leads = 0 }) => held + leads <= maxLeads);
      if (next < 0) {
        await Promise.race(running);
        continue;
      }
      const [scenario] = waiting.splice(next, 1) as [Scenario];
      const { leads = 0 } = scenario;
      held += leads;
      const work = run(scenario).finally(() => {
        held -= leads;
        running.delete(work);
      });
      running.add(work);
    }
    await Promise.all(running);
  } finally {
    await Promise.allSettled(running);
  }
};

/**
 * Runs scenarios one after another, so that a fault of every third request appears in the same way in every run. Where changes are
 * visible late, those that wait for them run at the same time. What a mail changes shows directly after it.
 */
const runAll = async (
  shared: Shared,
  scenarios: readonly Scenario[],
  run: (scenario: Scenario) => Promise<void>,
): Promise<void> => {
  const [together, inTurn] = divide(scenarios, ({ needs }) => isLate(shared) && needs !== 'mail');
  await runTogether(together, run);
  for (const scenario of inTurn) await run(scenario);
};

/** Runs the scenarios again that requests without a response have ended: by now an outage may be over. */
const runLost = async (
  shared: Shared,
  results: ScenarioResult[],
  from: number,
  common: Common,
): Promise<void> => {
  for (const [at, { scenario, findings, isLost }] of results.entries()) {
    if (at < from || !isLost || shared.health.hasStopped()) continue;
    const again = await runScenario(shared, scenario, common);
    results[at] = { ...again, findings: [...findings, ...again.findings] };
  }
};

/**
 * Replaces the results of scenarios in which requests were refused by what they show after the time that an outage may take.
 * @param from the number of the first result that is due
 */
const confirmLater = async (
  shared: Shared,
  results: ScenarioResult[],
  from: number,
  common: Common,
): Promise<void> => {
  await runLost(shared, results, from, common);
  const refused = results.slice(from).filter((result) => refusalsIn(result).size > 0);
  if (refused.length === 0 || shared.health.hasStopped()) return;
  const last = Math.max(
    ...refused.flatMap(({ findings }) => findings.map(({ failure }) => failure.exchange?.receivedAt ?? 0)),
  );
  const hasTime = outlastOutage(shared, last);
  for (const result of refused)
    results[results.indexOf(result)] = hasTime
      ? await confirmRefusals(shared, result, common)
      : leaveOpen(shared, result, refusalsIn(result), tooLate);
};

/** Whether a check was decided before the run was interrupted: something broken was confirmed, or all its scenarios have ended. */
const isReached = (
  { isThorough }: Shared,
  { check, status }: Verdict,
  results: readonly ScenarioResult[],
): boolean => {
  const deciders = decidersOf(check, isThorough);
  const ended = new Set(results.map(({ scenario }) => scenario));
  return (
    status === 'fail' ||
    status === 'warn' ||
    (deciders.length > 0 && deciders.every((scenario) => ended.has(scenario)))
  );
};

/** The scenarios that decide these checks, as far as the run may add their leads. */
export const scenariosFor = (
  checks: readonly Check[],
  permissions: Pick<Permissions, 'writes'>,
  isThorough: boolean,
): readonly Scenario[] => {
  const deciders = new Set(checks.flatMap((check) => decidersOf(check, isThorough)));
  return scenarios.filter(
    (scenario) => deciders.has(scenario) && (permissions.writes || scenario.leads === undefined),
  );
};

/** The operations that a scenario needs and that discovery did not find. A lead that cannot be deleted must not be added. */
const missingFor = ({ can }: Shared, { needs, leads = 0 }: Scenario): readonly OperationId[] => {
  const forLeads = (['addLead', 'deleteLead'] as const).filter((id) => leads > 0 && !can(id));
  if (needs !== 'mail' || can('sendEmail') || can('sendTemplateEmail')) return forLeads;
  return [...forLeads, 'sendEmail', 'sendTemplateEmail'];
};

/**
 * The operations that discovery must call for these checks: a lead must be added before it can be updated,
 * a template listed before it can be sent.
 */
export const operationsFor = (checks: readonly Check[]): Set<OperationId> => {
  const ids = new Set<OperationId>(['listTemplates']);
  for (const check of checks) {
    ids.add(check.operation);
    // Checks that add leads must be able to delete them, and read them by updating them.
    if (operationOf(check.operation).needs === 'writes')
      for (const id of operationsThatNeed('writes')) ids.add(id);
    if (check.scope === 'every') for (const { id } of operations) ids.add(id);
  }
  return ids;
};
