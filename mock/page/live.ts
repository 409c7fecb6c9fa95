export type Topic = 'outbox' | 'leads' | 'templates' | 'requests' | 'faults' | 'clock' | 'answers' | 'reset';

export type Connection = 'connecting' | 'live' | 'lost';

export type Live = {
  readonly on: (topics: readonly Topic[], call: () => void) => () => void;
  /** What was just changed here, before the mock says so, or instead of it where it is not heard. */
  readonly tell: (topic: Topic) => void;
  readonly close: () => void;
};

const topicsKnown: readonly Topic[] = [
  'outbox',
  'leads',
  'templates',
  'requests',
  'faults',
  'clock',
  'answers',
  'reset',
];
const retryMs = 1500;
// A browser allows six connections to one address: a tab nobody looks at gives its own back after a while.
const idleMs = 60_000;

/** Server-sent events of one workspace, reconnected for as long as the page is open. */
export const createLive = (address: string, told: (connection: Connection) => void): Live => {
  const listeners = new Map<() => void, ReadonlySet<Topic>>();
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let lost = false;
  let idle: ReturnType<typeof setTimeout> | undefined;

  const tell = (topic: Topic): void => {
    for (const [call, topics] of listeners) if (topic === 'reset' || topics.has(topic)) call();
  };
  const open = (): void => {
    clearTimeout(retry);
    source?.close();
    source = new EventSource(address);
    for (const topic of topicsKnown) source.addEventListener(topic, () => tell(topic));
    source.onopen = () => {
      told('live');
      // What happened in between is not repeated: look again at everything. Nothing was looked at before the first time.
      if (lost) tell('reset');
      lost = false;
    };
    source.onerror = () => {
      told('lost');
      lost = true;
      source?.close();
      retry = setTimeout(open, retryMs);
    };
  };
  const watched = (): void => {
    clearTimeout(idle);
    if (document.visibilityState === 'hidden') {
      idle = setTimeout(() => {
        clearTimeout(retry);
        source?.close();
        source = undefined;
        lost = true;
      }, idleMs);
    } else if (!source) open();
  };
  document.addEventListener('visibilitychange', watched);
  open();
  return {
    on: (topics, call) => {
      listeners.set(call, new Set(topics));
      return () => void listeners.delete(call);
    },
    tell,
    close: () => {
      document.removeEventListener('visibilitychange', watched);
      clearTimeout(retry);
      clearTimeout(idle);
      source?.close();
    },
  };
};
