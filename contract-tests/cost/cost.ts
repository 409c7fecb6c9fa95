import { decidersOf, scenarios } from '../checks/scenarios.ts';
import { type Permissions, permitsOperation } from '../client/permissions.ts';
import { plural } from '../exchange/describe.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Need, operationOf } from '../exchange/operations.ts';
import type { Check } from '../facts/check.ts';
import { operationsFor, scenariosFor } from '../runner/check-runner.ts';
import { confirmationMails } from '../runner/control-requests.ts';
import { discoveryMails } from '../runner/discover-email.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import table from './costs.json' with { type: 'json' };

// What a run costs a deployment at most. It is printed before the first request; only a run that finds something may exceed it.

/** Upper bounds. */
type Cost = {
  readonly requests: number;
  /** Leads that are added, and deleted again. */
  readonly leads: number;
  readonly mails: number;
  /** Requests with a wrong key, or with none. */
  readonly wrongKeys: number;
};

const sum = (costs: readonly Cost[]): Cost => {
  const of = (name: keyof Cost): number => costs.reduce((total, cost) => total + cost[name], 0);
  return { requests: of('requests'), leads: of('leads'), mails: of('mails'), wrongKeys: of('wrongKeys') };
};

/** Measured on the mock and on conforming servers: `npm run costs` writes it. */
const measured: Readonly<Record<'usual' | 'thorough', Readonly<Record<string, readonly number[]>>>> = table;

const entry = (id: string, isThorough: boolean): Cost => {
  const [requests = 0, leads = 0, wrongKeys = 0] = measured[isThorough ? 'thorough' : 'usual'][id] ?? [];
  return { requests, leads, mails: 0, wrongKeys };
};

/** The entry for requests that no scenario sends: before the first one, as a control, and to clean up. */
const baseOf = (needs: Need): string => `base.${needs}`;

/** From the one that permits least. */
const allNeeds = ['read', 'writes', 'mail'] as const;

/** The names of all entries of the table. */
export const entryIds: readonly string[] = [...allNeeds.map(baseOf), ...scenarios.map(({ id }) => id)];

/** The entry of the table that a request belongs to. */
export const entryOf = ({ scenario, operation }: Pick<Exchange, 'scenario' | 'operation'>): string =>
  scenarios.some(({ id }) => id === scenario) ? scenario : baseOf(operationOf(operation).needs);

const costOfScenario = ({ id, mails = 0 }: Scenario, isThorough: boolean): Cost => ({
  ...entry(id, isThorough),
  mails,
});

/** The checks that a run with these permissions can decide. */
const permittedOf = (checks: readonly Check[], permissions: Permissions): Check[] =>
  checks.filter(({ operation }) => permitsOperation(operation, permissions));

/** Maximum number of mails that these checks may request if no finding is confirmed, including those of discovery. */
export const plannedMails = (
  checks: readonly Check[],
  permissions: Permissions,
  isThorough = false,
): number => {
  const permitted = permittedOf(checks, permissions);
  const ofDiscovery = discoveryMails(operationsFor(permitted), permissions);
  if (ofDiscovery === 0 || permissions.sendTo === undefined) return 0;
  const due = scenariosFor(permitted, permissions, isThorough);
  return due.reduce((total, { mails = 0 }) => total + mails, ofDiscovery + confirmationMails);
};

/** The most that these checks cost if no finding is confirmed, and if changes are visible at once. */
export const costOf = (checks: readonly Check[], permissions: Permissions, isThorough = false): Cost => {
  const mails = plannedMails(checks, permissions, isThorough);
  const permitted = permittedOf(checks, permissions);
  const due = scenariosFor(permitted, permissions, isThorough).filter(
    ({ needs }) => needs !== 'mail' || mails > 0,
  );
  const needs: Need[] = ['read'];
  if (permissions.writes && operationsFor(permitted).has('addLead')) needs.push('writes');
  if (mails > 0) needs.push('mail');
  const base = needs.map((need) => entry(baseOf(need), isThorough));
  const total = sum([...base, ...due.map((scenario) => costOfScenario(scenario, isThorough))]);
  return { ...total, mails: Math.min(mails, permissions.maxSends) };
};

const textOf = ({ requests, leads, mails, wrongKeys }: Cost): string =>
  [
    plural(requests, 'request'),
    ...(leads > 0 ? [plural(leads, 'lead')] : []),
    ...(mails > 0 ? [plural(mails, 'mail')] : []),
    ...(wrongKeys > 0 ? [plural(wrongKeys, 'wrong key')] : []),
  ].join(', ');

/** The notice about the cost of a run, printed before its first request. */
export const costNotice = ({ requests, leads, wrongKeys }: Cost): string =>
  `This run sends at most ${plural(requests, 'request')}, adds and deletes at most ${plural(leads, 'lead')}, and tries at most ${plural(wrongKeys, 'wrong key')}. It sends more only to confirm what it finds, or where changes are visible late.`;

/** The notice about the number of mails. */
export const mailNotice = (planned: number, { sendTo, unaddressed, maxSends }: Permissions): string => {
  if (planned === 0) return 'This run requests no mail.';
  const others = unaddressed ? ' and to recipients that the deployment chooses (--allow-unaddressed)' : '';
  if (planned >= maxSends)
    return `This run requests at most ${plural(maxSends, 'mail')} to ${sendTo} (--max-sends)${others}. If the deployment accepts invalid mails or has unusual demands, up to ${planned} are needed.`;
  return `This run requests at most ${plural(planned, 'mail')} to ${sendTo}${others}, or at most ${maxSends} if it repeats some to confirm what it finds (--max-sends).`;
};

/**
 * The scenarios that decide a check, and what they cost in addition to the first requests of a run. Those that need more permissions
 * than the check are left out if there are others. For a check that only thorough runs have, it is the cost in such a run.
 */
const decisionOn = (check: Check, isThorough: boolean) => {
  const isWhole = isThorough || check.thorough === true;
  const all = decidersOf(check, isWhole);
  const permitted = all.filter(({ needs }) => allNeeds.indexOf(needs) <= allNeeds.indexOf(check.needs));
  const deciders = permitted.length > 0 ? permitted : all;
  const cost = sum(deciders.map((scenario) => costOfScenario(scenario, isWhole)));
  return { deciders: deciders.map(({ id }) => id), cost };
};

/** A check as `--json` describes it. */
export const describeCheck = (check: Check, isThorough = false) => {
  const { id, section, level, needs, operation, title, thorough = false } = check;
  const { deciders, cost } = decisionOn(check, isThorough);
  const { wrongKeys: wrong_keys, ...others } = cost;
  return {
    ...{ id, section, level, needs, operation, title },
    /** Whether only a thorough run has it. */
    thorough,
    cost: { ...others, wrong_keys },
    /** The scenarios that decide it with the permissions that it needs; none if every response does. */
    decided_by: deciders,
  };
};

/** What decides a check, and what that costs: `33 requests, 4 leads; decided by leads.lifecycle`. */
export const decisionText = (check: Check, isThorough = false): string => {
  const { deciders, cost } = decisionOn(check, isThorough);
  return deciders.length === 0
    ? 'no requests of its own; decided by every response'
    : `${textOf(cost)}; decided by ${deciders.join(', ')}`;
};

/** One line for each check, with its cost and the scenarios that decide it. */
export const listChecks = (checks: readonly Check[], isThorough: boolean): string[] => {
  const width = Math.max(...checks.map(({ id }) => id.length));
  return checks.map((check) => {
    const { id, title, section, level, needs } = check;
    return `${id.padEnd(width)}  §${section.padEnd(4)}${level.padEnd(11)}${needs.padEnd(7)}${title} (${decisionText(check, isThorough)})`;
  });
};
