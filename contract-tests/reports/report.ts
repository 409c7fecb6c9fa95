import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Check } from '../facts/check.ts';
import type { components } from '../generated/report.ts';
import type { Run } from '../runner/run.ts';
import type { Shown } from './coverage.ts';

/**
 * A run as plain data, from which every kind of report is created. It contains no key and no record that the run did not create.
 * Its schema describes it.
 */
export type Report = components['schemas']['Report'];

/** A check and its result. */
export type CheckReport = Report['checks'][number];

/** What shows that a check is broken. */
export type FindingReport = NonNullable<CheckReport['finding']>;

/** A request and its response, without data that may be personal. */
export type ExchangeReport = NonNullable<FindingReport['exchanges']>[number];

/** Findings with the same cause, possibly in several operations, with one headline for the group. */
export type Group = Report['groups'][number];

/** The traffic from a proxy or a recording: how much of it was checked, and where requests differ from the document. */
export type TrafficReport = NonNullable<Report['traffic']>;

/** Undocumented or missing parts in requests of one kind. */
export type RequestReport = TrafficReport['requests'][number];

/** The commands with a verdict on a deployment. */
export type JudgingCommand = Report['suite']['command'];

type Coverage = Report['coverage'];

const unobservableFacts: readonly (readonly [operation: OperationId, fact: string])[] = [
  ['sendEmail', '§4.1 the email is sent to the specified recipient'],
  ['sendTemplateEmail', '§4.3 the email is built from the template with the variables supplied'],
];

/** What a check states, whatever its result. */
export const claimOf = (
  check: Check,
): Pick<CheckReport, 'id' | 'title' | 'section' | 'level' | 'operation' | 'needs'> => {
  const { id, title, section, level, needs } = check;
  const operation = 'scope' in check && check.scope === 'every' ? 'every' : check.operation;
  return { id, title, section, level, operation, needs };
};

/** The statuses of checks that were decided. */
const decidedStatuses: ReadonlySet<string> = new Set(['pass', 'fail', 'unstable']);

/** How many of the documented facts were checked, and what else the run saw. */
export const coverageOf = (
  checks: readonly Pick<CheckReport, 'level' | 'status' | 'operation'>[],
  adaptations: Run['adaptations'],
  shown: Shown,
): Coverage => {
  const unobservable = unobservableFacts
    .filter(([unseen]) => checks.some(({ operation }) => operation === unseen))
    .map(([, fact]) => fact);
  const documented = checks.filter(({ level }) => level === 'documented');
  return {
    documented: {
      checked: documented.filter(({ status }) => decidedStatuses.has(status)).length,
      total: documented.length + unobservable.length,
    },
    unobservable,
    ...shown,
    adaptations,
  };
};
