import { rateLimit } from '../contract/schemas.ts';
import { createEvents } from '../nouns/events.ts';
import { type Contents, type Parts, partList, parts } from '../nouns/index.ts';
import type { StateDocument, WorkspaceState } from '../nouns/state.ts';
import type { PartSettings, StateDefaults } from '../route/noun.ts';
import type { Explain } from '../route/wait.ts';
import { elapsedMs } from '../runtime/timers.ts';
import { createMeter, lengthOf } from '../store/store.ts';
import { checkStateRules, completeState, saveState } from './state.ts';

/** All data of one API key. Workspaces share no data. */
export type Workspace = Parts & {
  readonly key: string;
  readonly rate: ReturnType<typeof createRateLimit>;
  /** Ends open waits and event streams. A workspace that is dropped gives back its room. */
  readonly end: (reason: 'dropped' | 'stopping') => void;
};

type WorkspaceOptions = StateDefaults &
  Pick<PartSettings, 'answers' | 'redact' | 'waiting' | 'meter'> &
  Pick<Parts, 'unclaimed' | 'mock'> &
  Pick<Parts['whole'], 'refreshSeed'> & {
    /** Its initial state, as the server has it now. */
    readonly seed: () => WorkspaceState;
    /** Another number after a workspace was dropped: cursors of that one are not of the next with its key. */
    readonly generation: number;
    readonly explain: (item: Parameters<Explain>[0], workspace: Workspace) => readonly string[];
  };

// Characters for each workspace, in addition to its stores.
const overhead = 6 * 1024;

const otherParts = partList.filter(([name]) => name !== 'clock');

/** Creates a workspace from its seed. It is the only source of time and ids: the same calls give the same ids. */
export const createWorkspace = (options: WorkspaceOptions): Workspace => {
  const { key, waiting, unclaimed, mock, refreshSeed } = options;
  const meter = createMeter(options.meter);
  meter.add(overhead);
  const events = createEvents(waiting);
  // All others take the time from it.
  const clock = parts.clock.create({ publish: events.publisher('clock') });
  const settings = { ...options, meter, now: clock.now };
  const contents = {
    ...Object.fromEntries(
      otherParts.map(([name, { create }]) => [
        name,
        create({ ...settings, publish: events.publisher(name) }),
      ]),
    ),
    clock,
  } as Contents;
  const rate = createRateLimit();

  let ownSeed: WorkspaceState | undefined;
  let fills = 0;
  const fill = (state: WorkspaceState): void => {
    const epoch = `${options.generation}.${fills}`;
    fills += 1;
    const counters: Readonly<Record<string, number>> = state.counters;
    for (const [name, { counter = '' }] of partList)
      contents[name].load(state[name] as never, counters[counter], epoch);
    rate.restart();
    events.publisher('reset')(() => ({ leads: contents.leads.size(), messages: contents.outbox.size() }));
  };
  fill(options.seed());
  const complete = (document: StateDocument): WorkspaceState =>
    completeState(checkStateRules(document), options);

  const workspace: Workspace = {
    ...contents,
    key,
    events,
    rate,
    whole: {
      exportState: () => saveState(contents),
      load: (document) => fill(complete(document)),
      seed: (document) => {
        const state = complete(document);
        meter.add(lengthOf(state) - lengthOf(ownSeed));
        ownSeed = state;
      },
      reset: () => fill(ownSeed ?? options.seed()),
      ownSeed: () => ownSeed,
      refreshSeed,
    },
    unclaimed,
    mock,
    explain: (item) => options.explain(item, workspace),
    end: (reason) => {
      contents.outbox.release(reason);
      contents.requests.release(reason);
      events.end();
      if (reason === 'dropped') options.meter.add(-meter.held());
    },
  };
  return workspace;
};

/** Counts the requests of a key, in windows of real time: a frozen clock must not keep a client from trying again. */
const createRateLimit = () => {
  let end = 0;
  let count = 0;
  return {
    /** Counts a request. */
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
        /** Whole seconds until the window ends. */
        seconds: Math.ceil((end - now) / 1000),
      };
    },
    restart: (): void => {
      end = 0;
    },
  };
};
