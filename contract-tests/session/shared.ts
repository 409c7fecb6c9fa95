import { randomBytes } from 'node:crypto';
import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Client } from '../client/client.ts';
import type { Exchange, JsonObject } from '../client/exchange.ts';
import type { Ledger } from '../client/ledger.ts';
import type { Permissions } from '../client/permissions.ts';
import { type CircuitBreaker, createCircuitBreaker } from './circuit-breaker.ts';
import { createSharedLead, type OwnLead, type SharedLead } from './own-lead.ts';

/** A template as a deployment lists it; unchecked, because checking it is the point. */
export type ListedTemplate = {
  readonly id: string;
  readonly name?: string;
  readonly body: string;
  readonly variables: readonly string[];
};

/** What discovery learned about one operation. */
export type Capability =
  | { readonly available: true; readonly pathForms: readonly string[] }
  | {
      readonly available: false;
      readonly reason: string;
      /** Nothing was decided of it: something else than the service answered. */
      readonly isUndecided?: boolean;
    };

/** What all checks of a run share. */
export type Shared = {
  readonly runId: string;
  readonly client: Client;
  readonly permissions: Permissions;
  readonly sender: string;
  readonly ledger: Ledger;
  readonly capabilities: Map<OperationId, Capability>;
  /** What this deployment demands beyond the documented shapes; found by discovery. */
  readonly requirements: {
    extraLeadFields: JsonObject;
    /** Makes a name this deployment takes from a unique text. */
    nameFrom?: ((unique: string) => string) | undefined;
    requiresFullUpdate: boolean;
    /** Sender of mails in place of the default, which is the recipient: not every deployment takes one address for both. */
    sender?: string | undefined;
    sendWithoutTo: boolean;
    /** Its mails must be whole HTML documents. */
    sendDocuments: boolean;
    /** The mail of §4.1 that was refused, where it was accepted in another form. */
    sendRefused?: { readonly exchange: Exchange; readonly accepted: string };
    templateTo: boolean;
    /** A template mail was taken in §4.3's own shape, which names no recipient. */
    templateWithoutTo: boolean | undefined;
    /** The template that could be sent. */
    template?: ListedTemplate;
    eventuallyConsistent: boolean;
    /** Whether responses show the state from before an update for a moment; unset until it matters. */
    showsUpdatesLate?: Promise<boolean>;
  };
  readonly templates: ListedTemplate[];
  /** Every lead this run knows that it added, by its id. */
  readonly leads: Map<string, OwnLead>;
  /** Whose the ids of added leads are: the check that added the last one, and whether it was the first of that id. */
  readonly idOwners: Map<string, { readonly check: string; readonly isFirst: boolean }>;
  readonly sharedLead: SharedLead;
  readonly circuit: CircuitBreaker;
  /** The answers to the first requests of the run, by path, so that discovery need not ask for them again. */
  readonly firstLists: Map<string, Exchange>;
  /** A text of at most 60 characters that is unique to this run. */
  readonly unique: (label: string) => string;
  /** An id that cannot be anybody's: one in the deployment's own style might be. */
  readonly unknownId: string;
  /** Whether discovery could use an operation. */
  readonly can: (operation: OperationId) => boolean;
  /** The paths at which an operation can be used. */
  readonly pathForms: (operation: OperationId) => readonly string[];
};

type SharedOptions = Pick<Shared, 'client' | 'ledger' | 'permissions' | 'sender' | 'runId'>;

export const newRunId = (): string => randomBytes(4).toString('hex');

export const createShared = (options: SharedOptions): Shared => {
  let counter = 0;
  const capabilities: Shared['capabilities'] = new Map();
  return {
    ...options,
    capabilities,
    requirements: {
      extraLeadFields: {},
      requiresFullUpdate: false,
      templateTo: false,
      templateWithoutTo: false,
      sendWithoutTo: false,
      sendDocuments: false,
      eventuallyConsistent: false,
    },
    templates: [],
    leads: new Map(),
    idOwners: new Map(),
    sharedLead: createSharedLead(),
    firstLists: new Map(),
    circuit: createCircuitBreaker(options.client),
    unique: (label) => {
      counter += 1;
      // Of one length, so that a deployment that takes short texts only refuses the first ones or none; a source has 32 letters.
      const number = counter.toString(36).padStart(2, '0');
      return `Contract test ${options.runId}-${number} ${label}`.slice(0, 60);
    },
    unknownId: `contract-test-${options.runId}-unknown`,
    can: (operation) => capabilities.get(operation)?.available === true,
    pathForms: (operation) => {
      const capability = capabilities.get(operation);
      return capability?.available ? capability.pathForms : [];
    },
  };
};
