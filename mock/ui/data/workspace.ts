import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import {
  AdminApiError,
  type Api,
  type Connection,
  createApi,
  createLive,
  type Live,
  type LiveKind,
} from './api.ts';

type Workspace = { readonly api: Api; readonly live: Live; readonly connection: Connection };

const WorkspaceContext = createContext<Workspace | undefined>(undefined);
export const WorkspaceProvider = WorkspaceContext.Provider;

/** The workspace the page shows. */
export const useWorkspace = (): Workspace => {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('used outside of a workspace');
  return workspace;
};

/** Undefined until the event stream is open or has failed: data loaded earlier could miss a change. */
export const useConnection = (key: string): Workspace | undefined => {
  const api = useMemo(() => createApi(key), [key]);
  const [connection, setConnection] = useState<Connection>({ state: 'connecting' });
  const [live, setLive] = useState<Live>();
  useEffect(() => {
    const opened = createLive(api.address('/events'), setConnection);
    setLive(opened);
    return () => opened.close();
  }, [api]);
  return useMemo(
    () => (live && connection.state !== 'connecting' ? { api, live, connection } : undefined),
    [api, live, connection],
  );
};

export const isKeyRefused = ({ refusal }: Connection): boolean => refusal?.status === 401;

type Loaded<T> = {
  readonly data: T | undefined;
  readonly error: AdminApiError | undefined;
};

/**
 * Loads from the admin API, and again after each of the events. Old data is shown until the new data is loaded.
 * @param from the API of the workspace, or another one
 */
export const useLoaded = <T>(
  path: string | undefined,
  events: readonly LiveKind[],
  from?: Api,
): Loaded<T> => {
  const { api: ownApi, live } = useWorkspace();
  const api = from ?? ownApi;
  const [state, setState] = useState<{ path?: string; data?: T; error?: AdminApiError }>({});
  const eventList = events.join();
  useEffect(() => {
    if (path === undefined) return;
    const { reload, stop } = createReloader(async (signal) => {
      try {
        const data = await api.get<T>(path, signal);
        if (!signal.aborted) setState({ path, data });
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof AdminApiError) setState({ path, error });
        // No response: data already loaded stays, except for another path.
        else setState((last) => (last.path === path ? last : {}));
      }
    });
    reload();
    const unsubscribe = live.on(eventList.split(',') as LiveKind[], reload);
    return () => {
      unsubscribe();
      stop();
    };
  }, [api, live, path, eventList]);
  const { error } = state.path === path ? state : {};
  return { data: path === undefined ? undefined : state.data, error };
};

// Events come in bursts: the first one reloads immediately, the rest together.
const pauseMs = 200;

/** Runs one load at a time with a pause in between. Calls in the meantime cause one more load. */
const createReloader = (load: (signal: AbortSignal) => Promise<void>) => {
  const stopped = new AbortController();
  let isBusy = false;
  let isStale = false;
  const reload = async (): Promise<void> => {
    isStale = true;
    if (isBusy) return;
    isBusy = true;
    while (isStale && !stopped.signal.aborted) {
      isStale = false;
      await load(stopped.signal);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    isBusy = false;
  };
  return { reload: () => void reload(), stop: () => stopped.abort() };
};
