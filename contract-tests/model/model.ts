import type { Exchange } from '../exchange/exchange.ts';
import type { LeadField } from '../exchange/leads.ts';
import type { Events } from './events.ts';
import type { LeadState } from './lead.ts';
import type { Window } from './register.ts';
import type { Templates } from './templates.ts';

/** What a deployment does where the document leaves it open, as the history has shown it. */
export type Dialect = {
  /** Milliseconds for which a new lead may be unknown, and a deleted one known. */
  lagMs: number;
  /** Milliseconds for which a response may show texts from before an update. */
  textLagMs: number;
  /** Whether an update without a note empties the note; `undefined` until one was seen. */
  emptiesNote: boolean | undefined;
};

/** A change of a lead as a response showed it: its time and its note, both as `digest` names them, and when the response arrived. */
export type Change = { readonly time: string; readonly note: string; readonly at: number };

/** The texts of an addition that only this run has, and whether it was sent with the key. */
export type RefusedAddition = { readonly isKey: boolean; readonly texts: readonly string[] };

/**
 * Longest time in milliseconds for which a response may show the state from before a change. The document states none; a longer
 * delay is a finding.
 */
export const maxLagMs = 5000;

/** What may be true after the exchanges so far. */
export type Model = {
  readonly leads: ReadonlyMap<string, LeadState>;
  readonly templates: Templates;
  /** The last change of a lead that a response showed; of an addition, by its `created_at`. */
  readonly changeBefore: (key: string) => Change | undefined;
  /** Forgets what is known of a lead, because another request in this window took effect in an unknown order. */
  readonly forget: (id: string, by: Window) => void;
  readonly events: Events;
  /** The latest additions of this run that were refused. */
  readonly refusedAdditions: readonly RefusedAddition[];
  readonly dialect: Dialect;
  /** Number of exchanges so far. */
  readonly count: () => number;
  /** Whether a request of this kind was accepted before. */
  readonly accepts: (exchange: Exchange) => boolean;
  /** Whether an error response means that a lead does not exist: by its status, or because an unknown lead got the same. */
  readonly saysAbsent: (exchange: Exchange) => boolean;
  /** Number of leads that this history added and that exist for certain at a moment. */
  readonly held: (at: number) => number;
  /** Whether the deployment may have a limit on the number of leads: no addition succeeded while there were as many. */
  readonly mayBeFull: () => boolean;
  /** Whether an update that sends only this field was applied. */
  readonly appliesAlone: (name: LeadField) => boolean;
  /** Whether a mail with this content was accepted before: a deployment may refuse duplicates. */
  readonly wasSent: (mail: Exchange) => boolean;
  /** Whether a lead with this name was added before. */
  readonly hasName: (name: unknown) => boolean;
  /** The values of `Server` in JSON responses. */
  readonly servers: ReadonlySet<string | undefined>;
  /** Statuses with which bodies that are not JSON were refused. */
  readonly malformedStatuses: ReadonlySet<number>;
  /** Whether additions with the key were refused with a status below 500, which the document does not show (§7.4). */
  readonly refusesBelow500: () => boolean;
  /** Whether an id belongs or belonged to a lead of this history, regardless of letter case. */
  readonly ownerOf: (id: string) => LeadState | undefined;
  /** Enters what a request may have changed. Must be called in the order in which requests were sent. */
  readonly enter: (exchange: Exchange) => void;
  /** Enters what a response has shown. Must be called in the order in which responses were received. */
  readonly note: (exchange: Exchange) => void;
  /** Number of leads that were forgotten because of the limit. */
  readonly evicted: () => number;
};
