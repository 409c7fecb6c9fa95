import { rateLimit } from '../contract/schemas.ts';
import { createFaults, type Faults } from '../faults/faults.ts';
import type { Answers } from '../generated/questions.ts';
import { createAnswers, type WorkspaceAnswers } from '../nouns/answers.ts';
import { type Clock, createClock } from '../nouns/clock.ts';
import { createEvents, type Events } from '../nouns/events.ts';
import { createJournal, type Journal } from '../nouns/journal.ts';
import { createLeads, type Leads } from '../nouns/leads.ts';
import type { MockStatus } from '../nouns/mock.ts';
import { createOutbox, type Outbox } from '../nouns/outbox.ts';
import {
  completeState,
  type StateDefaults,
  type StateDocument,
  type WholeWorkspace,
  type WorkspaceState,
  withTimestamps,
} from '../nouns/state.ts';
import { createTemplates, type Templates } from '../nouns/templates.ts';
import type { Explain } from '../route/wait.ts';
import { elapsedMs } from '../runtime/timers.ts';
import { initialEpochs, type RedactKeys } from '../store/ids.ts';
import type { Shared } from '../store/log.ts';
import { createMeter, lengthOf, type Meter } from '../store/store.ts';

/** All data of one API key. Workspaces share no data. */
export type Workspace = {
  readonly key: string;
  readonly leads: Leads;
  readonly templates: Templates;
  readonly outbox: Outbox;
  readonly requests: Journal;
  readonly faults: Faults;
  readonly clock: Clock;
  readonly answers: WorkspaceAnswers;
  readonly events: Events;
  readonly rate: RateLimit;
  /** Everything at once. */
  readonly whole: WholeWorkspace;
  /** Requests without an accepted key, of all workspaces. */
  readonly unclaimed: Journal;
  readonly explain: Explain;
  readonly mock: MockStatus;
  /** Ends open waits and event streams. A workspace that is dropped gives back its room. */
  readonly end: (reason: 'dropped' | 'stopping') => void;
};

type WorkspaceOptions = StateDefaults & {
  /** Its initial state, as the server has it now. */
  readonly seed: () => StateDocument;
  readonly answers: Answers;
  readonly outboxLength: number;
  /** Initial cursors are valid for every workspace of the same key and generation. */
  readonly generation: number;
  readonly redact: RedactKeys;
  readonly shared: Shared;
  readonly meter: Meter;
  readonly refreshSeed: () => void;
  readonly unclaimed: Journal;
  readonly mock: MockStatus;
  readonly explain: (item: Parameters<Explain>[0], workspace: Workspace) => readonly string[];
};

// Characters for each workspace, in addition to its stores.
const overhead = 6 * 1024;

/** Creates a workspace from its seed. It is the only source of time and ids: the same calls give the same ids. */
export const createWorkspace = (options: WorkspaceOptions): Workspace => {
  const { key, shared, redact, unclaimed, mock } = options;
  const meter = createMeter(options.meter);
  meter.add(overhead);
  const events = createEvents(shared, meter);
  const { publisher } = events;
  const clock = createClock(undefined, publisher('clock'));
  const { now } = clock;
  const bounds = { count: options.outboxLimit, length: options.outboxLength };
  const leads = createLeads(key, now, meter, publisher('leads'));
  const templates = createTemplates(meter, publisher('templates'));
  const outbox = createOutbox(bounds, now, shared, meter, publisher('outbox'));
  const requests = createJournal(now, redact, shared, meter, publisher('requests'));
  const faults = createFaults(meter, publisher('faults'));
  const answers = createAnswers(options.answers, publisher('answers'));
  const rate = createRateLimit();

  let ownSeed: StateDocument | undefined;
  let seed = options.seed();
  const complete = (document: StateDocument): WorkspaceState => completeState(document, options);
  const fill = (state: WorkspaceState, epochs?: ReturnType<typeof initialEpochs>): void => {
    clock.restore(state.clock);
    leads.load(state.leads, state.counters.leads);
    templates.load(state.templates, state.counters.templates);
    faults.load(state.faults);
    answers.load(state.answers);
    outbox.load(state.outbox, state.counters.messages, epochs?.outbox);
    requests.load(state.requests, state.counters.requests, epochs?.journal);
    rate.restart();
    events.forget();
    publisher('reset')(() => ({ leads: leads.size(), messages: outbox.size() }));
  };
  fill(complete(seed), initialEpochs(key, options.generation));

  const whole: WholeWorkspace = {
    exportState: () => ({
      leads: leads.all(),
      templates: templates.all(),
      outbox: outbox.all(),
      requests: requests.all(),
      faults: faults.list(),
      clock: clock.setting(),
      answers: answers.overrides(),
      counters: {
        leads: leads.lastNumber(),
        templates: templates.lastNumber(),
        messages: outbox.lastNumber(),
        requests: requests.lastNumber(),
      },
    }),
    complete,
    load: (state, seed) => {
      if (seed) {
        const dated = withTimestamps(seed);
        meter.add(lengthOf(dated) - lengthOf(ownSeed));
        ownSeed = dated;
      }
      fill(state);
    },
    reset: () => {
      seed = options.seed();
      fill(complete(ownSeed ?? seed));
    },
    ownSeed: () => ownSeed,
    isOutdated: () => ownSeed === undefined && seed !== options.seed(),
    refreshSeed: options.refreshSeed,
  };
  const workspace: Workspace = {
    key,
    leads,
    templates,
    outbox,
    requests,
    faults,
    clock,
    answers,
    events,
    rate,
    whole,
    unclaimed,
    mock,
    explain: (item) => options.explain(item, workspace),
    end: (reason) => {
      outbox.release(reason);
      requests.release(reason);
      events.end();
      if (reason === 'dropped') options.meter.add(-meter.held());
    },
  };
  return workspace;
};

/** Counts the requests of a key, in windows of real time: a frozen clock must not keep a client from trying again. */
export type RateLimit = {
  /** Counts a request. */
  readonly take: () => {
    readonly isExceeded: boolean;
    readonly remaining: number;
    /** Whole seconds until the window ends. */
    readonly seconds: number;
  };
  readonly restart: () => void;
};

export const createRateLimit = (): RateLimit => {
  let end = 0;
  let count = 0;
  return {
    take: () => {
      const now = elapsedMs();
      if (now >= end) {
        end = now + rateLimit.seconds * 1000;
        count = 0;
      }
      count += 1;
      return {
        isExceeded: count > rateLimit.requests,
        remaining: Math.max(0, rateLimit.requests - count),
        seconds: Math.ceil((end - now) / 1000),
      };
    },
    restart: () => {
      end = 0;
    },
  };
};
