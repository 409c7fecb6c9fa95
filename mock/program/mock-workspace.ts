import type { ClockReading } from '../clock.ts';
import type { FaultRule, FaultState } from '../faults.ts';
import type { Answers } from '../generated/questions.ts';
import type { JournalEntry, Side } from '../journal-entry.ts';
import type { MailContents } from '../mail-contents.ts';
import type { Message, MessageFilter } from '../message.ts';
import type { OperationName } from '../operation-id.ts';
import type { Content, StateDocument } from '../state-document.ts';

/** Which requests: all that is given must hold. */
export type RequestFilter = {
  /** `sendEmail`, `addLead`, …; both path forms of an operation have its name. */
  readonly operation?: OperationName;
  readonly method?: string;
  /** The path without its query, as it was called or as the contract writes it: `/api/v1/leads/{id}`. */
  readonly path?: string;
  /** A status like 503, or a class like `'4xx'`; 0 where a connection fault left the request without a reply. */
  readonly status?: number | string;
};

export type WaitForOptions = {
  /** Milliseconds to wait at most; 10,000 by default, `Infinity` for as long as it takes. */
  readonly timeout?: number;
  /** How many must be there; 1 by default. */
  readonly count?: number;
};

export type WaitForNoneOptions = {
  /** Milliseconds in which none may come; 1,000 by default, as a test that passes waits so long. */
  readonly timeout?: number;
};

/** A message with where its links lead, and what may be one-time codes in it. */
export type CapturedMessage = Message & MailContents;

/** A request as it came. */
export type ReceivedRequest = JournalEntry & {
  readonly request: Side & {
    /** The body as parsed JSON; `undefined` where it is none, or was too long to be kept. */
    readonly json: unknown;
  };
};

/** ISO 8601 with a zone, a Date, or milliseconds since 1970. */
export type Time = string | Date | number;

/** One at least, newest first: `const [mail] = await outbox.waitFor({ to })`. */
export type OneOrMore<Item> = [Item, ...Item[]];

/** Everything one API key owns. Calls go straight to it, without HTTP; what they return is yours to keep and change. */
export type MockWorkspace = {
  /** The key an app must use to work in this workspace. */
  readonly apiKey: string;
  /** The messages captured instead of sent. */
  readonly outbox: {
    /** Newest first. */
    readonly list: (filter?: MessageFilter) => CapturedMessage[];
    readonly latest: (filter?: MessageFilter) => CapturedMessage | undefined;
    /**
     * Resolves as soon as enough matching messages are there, also when they came before.
     * @throws Error after `timeout`, naming what came instead
     */
    readonly waitFor: (
      filter?: MessageFilter,
      options?: WaitForOptions,
    ) => Promise<OneOrMore<CapturedMessage>>;
    /**
     * Resolves when no matching message was or came within `timeout`.
     * @throws Error as soon as one is there
     */
    readonly waitForNone: (filter?: MessageFilter, options?: WaitForNoneOptions) => Promise<void>;
    readonly clear: () => void;
  };
  /** The requests received under the key, and what was answered. */
  readonly requests: {
    /** Newest first. */
    readonly list: (filter?: RequestFilter) => ReceivedRequest[];
    readonly latest: (filter?: RequestFilter) => ReceivedRequest | undefined;
    readonly count: (filter?: RequestFilter) => number;
    /** As `outbox.waitFor`. */
    readonly waitFor: (
      filter?: RequestFilter,
      options?: WaitForOptions,
    ) => Promise<OneOrMore<ReceivedRequest>>;
    /** As `outbox.waitForNone`. */
    readonly waitForNone: (filter?: RequestFilter, options?: WaitForNoneOptions) => Promise<void>;
    readonly clear: () => void;
  };
  /** What is to go wrong. */
  readonly faults: {
    /** These rules and no others: the first that fits a request takes it. */
    readonly set: (rules: FaultRule | readonly FaultRule[]) => void;
    /** With how often each was met and used. */
    readonly list: () => FaultState[];
    readonly clear: () => void;
  };
  /** The time that leads, messages and requests get. */
  readonly clock: {
    readonly now: () => ClockReading;
    /** Stands still, now or at a time. An app's fake timers do not move it: the mock is a server with a time of its own. */
    readonly freeze: (at?: Time) => void;
    /** Goes to a time; runs on from there unless it stands still. */
    readonly set: (time: Time) => void;
    /** Goes forward by milliseconds. */
    readonly advance: (ms: number) => void;
    /** Real time again. */
    readonly reset: () => void;
  };
  /** What is answered to the open questions here, differently from the rest of the server. */
  readonly answers: {
    /** All of them, as they are in force. */
    readonly get: () => Answers;
    /**
     * Changes some; `null` puts one back.
     * @throws Error for an unknown id or answer, and for `auth.*`, which are the server's
     */
    readonly set: (changes: { readonly [Id in keyof Answers]?: Answers[Id] | null }) => void;
  };
  /** This instead of what there is, now and after every reset. What is left out is as at the start. */
  readonly seed: (data: StateDocument) => void;
  /** All there is, in the form that `seed` takes. */
  readonly state: () => Content;
  /** Back to the seed; ids, clock, faults and answers too. */
  readonly reset: () => void;
};
