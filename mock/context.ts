import type { FastifyRequest } from 'fastify';
import type { Taken } from './faults.ts';
import type { Arrival } from './journal-entry.ts';
import type { RequestLog } from './log.ts';
import type { Answers } from './questions.ts';
import type { Workspace } from './state.ts';
import type { StateDocument } from './state-document.ts';
import type { View } from './view.ts';
import type { Workspaces } from './workspaces.ts';

export type AppOptions = {
  readonly acceptKeys: readonly string[];
  readonly answers: Answers;
  readonly outboxLimit: number;
  /** What every workspace starts from and resets to; sound by `state-rules.ts`. */
  readonly seed?: StateDocument;
  /** Milliseconds every reply to an accepted key waits. */
  readonly delay: number;
  /** Host names beside loopback under which the admin API may be called. */
  readonly allowedHosts: readonly string[];
  /** Origins of other sites whose pages may call the admin API. */
  readonly allowedOrigins: readonly string[];
  readonly admin: boolean;
  readonly version: string;
  readonly log: RequestLog;
  /** For the mock's own tests: a reply that breaks the contract in force becomes a 500. */
  readonly validateReplies: boolean;
};

/** What the parts of the app share. */
export type Context = AppOptions & {
  readonly workspaces: Workspaces;
  /** Seconds since the mock was made. */
  readonly uptime: () => number;
  /** The contract in force where a request names no workspace. */
  readonly view: View;
  /** The contract in force for a request: as the workspace answers that its `Authorization` header names, else as the server. */
  readonly viewFor: (request: FastifyRequest) => View;
};

declare module 'fastify' {
  interface FastifyInstance {
    /** For `startMock`, which works on them without HTTP. */
    workspaces: Workspaces;
  }
  interface FastifyRequest {
    /** The view the request is judged by; set on admission. */
    view: View | null;
    /** Whose state the request works on; set on admission. */
    workspace: Workspace | null;
    /** What the journal will say of it; begun where the service was asked for something. */
    trace: Arrival | null;
    /** False where the operation takes no body (§4.2, §4.7): what is sent is not looked at. Set on admission. */
    takesBody: boolean;
    /** Milliseconds its reply waits: what was asked for is done at once, as by a server that is slow to say so. */
    wait: number;
    /** Whether a success carries no header but its type: the journal need not ask then. */
    bare: boolean;
    /** Whether a fault rule may take it once its body was read. */
    faultsDue: boolean;
    /** The fault rule that took it and lets it take effect before. */
    faultAfter: Taken | null;
  }
}
