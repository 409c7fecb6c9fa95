import { type ContractInForce, createContracts } from '../contract/in-force.ts';
import type { Answers } from '../contract/questions.ts';
import { seedTemplates } from '../mail/seed-templates.ts';
import { rejectNotImitated } from '../nouns/answers.ts';
import type { StateDocument } from '../nouns/state-document.ts';
import { createKeyRedactor, type RedactKeys } from '../store/keys.ts';
import { createWorkspaces, type Workspaces, type WorkspacesOptions } from '../workspace/registry.ts';
import { readCredentials } from './credentials.ts';
import type { RequestLog } from './log.ts';

export type AppOptions = Omit<WorkspacesOptions, 'redact' | 'templates'> & {
  /** Certificate and key; without them the server uses plain HTTP. */
  readonly tls?: { readonly cert: Uint8Array; readonly key: Uint8Array };
  /** Delay of every response to an accepted key, in milliseconds. */
  readonly delay: number;
  /** Host names under which any machine may call the admin API. Loopback names are for callers on this machine. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call the service and the admin API; by default all for the service, and only its own for the admin API. */
  readonly allowedOrigins: readonly string[];
  readonly admin: boolean;
  readonly log: RequestLog;
};

/** Shared by all parts of the app. */
export type Context = Omit<AppOptions, 'seed' | 'answers'> & {
  readonly workspaces: Workspaces;
  readonly redact: RedactKeys;
  /** The contract in force for requests without a workspace. */
  readonly contract: ContractInForce;
  /** The contract in force for a request: with the answers of the workspace of its key, else of the server. */
  readonly contractFor: (authorization: string | undefined) => ContractInForce;
};

export const createContext = (options: AppOptions & { readonly seed?: StateDocument }): Context => {
  const { answers }: { readonly answers: Answers } = options;
  rejectNotImitated(answers);
  const contracts = createContracts(answers);
  const redact = createKeyRedactor(options.acceptKeys);
  const workspaces = createWorkspaces({ ...options, redact, templates: seedTemplates });
  return {
    ...options,
    workspaces,
    redact,
    contract: contracts.server,
    contractFor: (authorization) => {
      const credentials = readCredentials(authorization);
      return contracts.forOverrides('key' in credentials ? workspaces.answersOf(credentials.key) : undefined);
    },
  };
};
