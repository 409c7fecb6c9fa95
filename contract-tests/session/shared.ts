import { randomBytes } from 'node:crypto';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Client } from '../client/client.ts';
import type { Ledger } from '../client/ledger.ts';
import type { Permissions } from '../client/permissions.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { madeUpMark } from '../exchange/leads.ts';
import type { History } from '../judge/history.ts';
import { createHealth } from './health.ts';
import { CheckInconclusive, CheckSkipped, type Discovery } from './outcome.ts';
import { createRequirements } from './requirements.ts';

/** A template as a deployment lists it. Its content is not validated here, because checks validate it. */
export type ListedTemplate = {
  readonly id: string;
  readonly body: string;
  readonly variables: readonly string[];
};

/** What measurements have shown of when changes become visible; the delay itself is part of the model. */
type Lag = {
  /** Whether the deployment shows changes late; unset until it was measured. */
  isLate?: Promise<boolean>;
  measurements: number;
  /** The number of judged exchanges when it was known. */
  knownFrom: number;
  /** Whether a lead that was added did not become visible. */
  hasInvisibleLead: boolean;
  /** The delay that was measured, where longer ones are tried. */
  measuredMs?: number;
  /** Whether longer ones made no difference. */
  isFinal?: boolean;
};

export const newRunId = (): string => randomBytes(4).toString('hex');

type SharedOptions = {
  readonly runId: string;
  readonly client: Client;
  readonly permissions: Permissions;
  readonly sender: string;
  readonly ledger: Ledger;
  /** What may be true after the exchanges of the run, and what they show. */
  readonly history: History;
  /** Whether the run tests everything, whatever it costs. */
  readonly isThorough?: boolean;
};

/** The state that all checks of a run share. */
export type Shared = ReturnType<typeof createShared>;

export const createShared = ({ isThorough = false, ...options }: SharedOptions) => {
  let counter = 0;
  const discovery: Discovery = new Map();
  const templates: ListedTemplate[] = [];
  const lag: Lag = { measurements: 0, knownFrom: 0, hasInvisibleLead: false };
  const pathForms = (operation: OperationId): readonly string[] => discovery.get(operation)?.pathForms ?? [];
  const can = (operation: OperationId): boolean => pathForms(operation).length > 0;
  /** Why an operation cannot be used. */
  const obstacleTo = (operation: OperationId) => {
    const { failure, inconclusive, skipped, absent = false } = discovery.get(operation) ?? {};
    const isUndecided = inconclusive !== undefined || (failure !== undefined && !absent);
    const status = isUndecided ? ('inconclusive' as const) : ('skipped' as const);
    const reason = failure
      ? `it failed: ${failure.actual}`
      : (inconclusive ?? skipped ?? 'it was not tested');
    return { status, reason };
  };
  return {
    ...options,
    isThorough,
    discovery,
    requirements: createRequirements(),
    lag,
    templates,
    /** The responses to the first requests of the run, by path, so that discovery need not repeat the requests. */
    firstLists: new Map<string, Exchange>(),
    health: createHealth(options.client),
    /** The control requests that are pending: why they fail, if they do. */
    controls: new Map<OperationId, Promise<string | undefined>>(),
    /** Leads whose deletion got a 404, or a 2xx that is no documented success. Only the final clean-up tries again. */
    probablyDeleted: new Set<string>(),
    /** A text of at most 60 characters that is unique to this run. */
    unique: (label: string): string => {
      counter += 1;
      // The number has a constant length, so that a deployment that accepts only short texts refuses the first
      // ones or none. A source has 32 characters.
      const number = counter.toString(36).padStart(2, '0');
      return `Contract test ${options.runId}-${number} ${label}`.slice(0, 60);
    },
    /** An id that no lead or template has. An id in the deployment's own format might exist. */
    unknownId: `${madeUpMark}${options.runId}-unknown`,
    /** Whether discovery found the operation to work. */
    can,
    /** The paths at which an operation works. */
    pathForms,
    /** Why an operation cannot be used. What needs it is undecided, unless there is no such operation. */
    obstacleTo,
    /** @throws CheckInconclusive or CheckSkipped, as `obstacleTo` says, if the operation does not work */
    expectUsable: (operation: OperationId, consequence: string): void => {
      if (!discovery.has(operation) || can(operation)) return;
      const { status, reason } = obstacleTo(operation);
      const text = `${consequence}: ${reason}`;
      throw status === 'inconclusive' ? new CheckInconclusive(text) : new CheckSkipped(text);
    },
  };
};
