import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import { type Api, createApi, Refused } from './api.ts';
import { type Connection, createLive, type Live, type Topic } from './live.ts';

export type Workspace = { readonly api: Api; readonly live: Live; readonly connection: Connection };

const Current = createContext<Workspace | undefined>(undefined);
export const WorkspaceProvider = Current.Provider;

/** The workspace the page shows. */
export const useWorkspace = (): Workspace => {
  const workspace = useContext(Current);
  if (!workspace) throw new Error('used outside of a workspace');
  return workspace;
};

/** Undefined until it is known whether news will come: what is loaded before that might be stale and never noticed. */
export const useConnected = (key: string): Workspace | undefined => {
  const api = useMemo(() => createApi(key), [key]);
  const [connection, setConnection] = useState<Connection>('connecting');
  const [live, setLive] = useState<Live>();
  useEffect(() => {
    const opened = createLive(api.address('/events'), setConnection);
    setLive(opened);
    return () => opened.close();
  }, [api]);
  const [asked, setAsked] = useState(false);
  useEffect(() => {
    if (connection !== 'connecting') setAsked(true);
  }, [connection]);
  return useMemo(
    () => (live && asked ? { api, live, connection } : undefined),
    [api, live, asked, connection],
  );
};

export type Loaded<T> = {
  readonly data: T | undefined;
  readonly error: Refused | undefined;
};

// Events come in bursts: the first is answered at once, the rest together.
const pauseMs = 200;

/** What a GET of the admin API answers, loaded again whenever one of the topics is news. Old data stays until new is there. */
export const useLoaded = <T>(path: string | undefined, topics: readonly Topic[]): Loaded<T> => {
  const { api, live } = useWorkspace();
  const [state, setState] = useState<{ path?: string; data?: T; error?: Refused }>({});
  const topicList = topics.join();
  useEffect(() => {
    if (path === undefined) return;
    const { reload, stop } = repeatedly(async (signal) => {
      try {
        const data = await api.get<T>(path, signal);
        if (!signal.aborted) setState({ path, data });
      } catch (error) {
        if (!signal.aborted && error instanceof Refused) setState({ path, error });
      }
    });
    reload();
    const off = live.on(topicList.split(',') as Topic[], reload);
    return () => {
      off();
      stop();
    };
  }, [api, live, path, topicList]);
  const { error } = state.path === path ? state : {};
  return { data: path === undefined ? undefined : state.data, error };
};

/** Never two at once, and a pause between two: what is asked for meanwhile is done once, afterwards. */
const repeatedly = (load: (signal: AbortSignal) => Promise<void>) => {
  const stopped = new AbortController();
  let busy = false;
  let again = false;
  const reload = (): void => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    void load(stopped.signal).then(() =>
      setTimeout(() => {
        busy = false;
        if (again && !stopped.signal.aborted) {
          again = false;
          reload();
        }
      }, pauseMs),
    );
  };
  return { reload, stop: () => stopped.abort() };
};
