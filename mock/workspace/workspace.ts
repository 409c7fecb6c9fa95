import { rateLimit } from '../contract/schemas.ts';
import { createEvents } from '../nouns/events.ts';
import type { Contents, Parts } from '../nouns/index.ts';
import { type ContentSettings, createContents, saveState } from '../nouns/index.ts';
import type { StateDocument, WorkspaceState } from '../nouns/state.ts';
import type { Explain } from '../route/logs.ts';
import { elapsedMs } from '../runtime/timers.ts';
import type { WaitResult } from '../store/log.ts';
import { createMeter, lengthOf, type Meter } from '../store/store.ts';

/** All data of one API key. Workspaces share no data. */
export type Workspace = Omit<Parts, 'mock'> & {
  readonly key: string;
  readonly rate: ReturnType<typeof createRateLimit>;
  /** Ends open waits and event streams. A workspace that is dropped gives back its room. */
  readonly end: (reason: 'dropped' | 'stopping') => void;
};

type WorkspaceOptions = Omit<ContentSettings, 'publisher'> &
  Pick<Parts, 'unclaimed'> & {
    /** Its initial state, as the server has it now. */
    readonly seed: () => WorkspaceState;
    /** Reads the file of the seed again if it has changed. */
    readonly refreshSeed: () => void;
    readonly explain: (item: Parameters<Explain>[0], workspace: Workspace) => readonly string[];
  };

// Characters for each workspace, in addition to its stores.
const overhead = 6 * 1024;

/** Creates a workspace from its seed. It is the only source of time and ids: the same calls give the same ids. */
export const createWorkspace = (options: WorkspaceOptions): Workspace => {
  const { key, unclaimed } = options;
  const meter = createMeter(options.meter);
  meter.add(overhead);
  const events = createEvents(options.waiting);
  const rate = createRateLimit();
  /** Contents that are in no workspace yet, and what counts them. @throws StateError, StoreFull */
  const create = (document: StateDocument): { readonly contents: Contents; readonly held: Meter } => {
    const counted = createMeter();
    const contents = createContents(document, {
      ...options,
      meter: counted,
      // Of earlier contents nothing is told any more.
      publisher: (kind) => (change) => contents === current && events.publisher(kind)(change),
    });
    return { contents, held: counted };
  };
  let { contents: current, held } = create(options.seed());
  held.moveTo(meter);
  let ownSeed: WorkspaceState | undefined;
  const replaceBy = (document: StateDocument): void => {
    const next = create(document);
    held.moveTo(undefined);
    release(current, 'reset');
    ({ contents: current, held } = next);
    held.moveTo(meter);
    Object.assign(workspace, current);
    rate.restart();
    events.publisher('reset')({});
  };

  const workspace: Workspace = {
    ...current,
    key,
    events,
    rate,
    whole: {
      exportState: () => saveState(current),
      load: replaceBy,
      seed: (document) => {
        const state = saveState(create(document).contents);
        meter.add(lengthOf(state) - lengthOf(ownSeed));
        ownSeed = state;
        replaceBy(state);
      },
      reset: () => {
        if (!ownSeed) options.refreshSeed();
        replaceBy(ownSeed ?? options.seed());
      },
      ownSeed: () => ownSeed,
    },
    unclaimed,
    explain: (item) => options.explain(item, workspace),
    end: (reason) => {
      release(current, reason);
      events.end();
      if (reason === 'dropped') meter.moveTo(undefined);
    },
  };
  return workspace;
};

/** Ends the open waits. */
const release = ({ outbox, requests }: Contents, result: WaitResult): void => {
  outbox.release(result);
  requests.release(result);
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
