import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Template } from '../../mail/template.ts';
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
    const opened = createLive(api.address('/events'), (next) =>
      setConnection((last) => (isSame(last, next) ? last : next)),
    );
    setLive(opened);
    return () => opened.close();
  }, [api]);
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    if (connection.state !== 'connecting') setReady(true);
  }, [connection]);
  return useMemo(
    () => (live && isReady ? { api, live, connection } : undefined),
    [api, live, isReady, connection],
  );
};

// An equal connection is not replaced, so that a key being typed is kept while the mock restarts.
const isSame = (last: Connection, next: Connection): boolean =>
  (last.state === next.state && last.refusal?.message === next.refusal?.message) ||
  (isKeyRefused(last) && next.state === 'lost');

export const isKeyRefused = ({ refusal }: Connection): boolean => refusal?.status === 401;

type Loaded<T> = {
  readonly data: T | undefined;
  readonly error: AdminApiError | undefined;
};

// Events come in bursts: the first one reloads immediately, the rest together.
const pauseMs = 200;

type Reader<T> = (api: Api, path: string, signal: AbortSignal) => Promise<T>;

const readJson = <T>(api: Api, path: string, signal: AbortSignal): Promise<T> => api.get<T>(path, signal);

/**
 * Loads from the admin API, and again after each of the events. Old data is shown until the new data is loaded.
 * @param read must be the same function in every render
 */
export const useLoaded = <T>(
  path: string | undefined,
  events: readonly LiveKind[],
  read: Reader<T> = readJson,
): Loaded<T> => {
  const { api, live } = useWorkspace();
  const [state, setState] = useState<{ path?: string; data?: T; error?: AdminApiError }>({});
  const eventList = events.join();
  useEffect(() => {
    if (path === undefined) return;
    const { reload, stop } = createReloader(async (signal) => {
      try {
        const data = await read(api, path, signal);
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
  }, [api, live, path, eventList, read]);
  const { error } = state.path === path ? state : {};
  return { data: path === undefined ? undefined : state.data, error };
};

/** Runs one load at a time with a pause in between. Calls in the meantime cause one more load. */
const createReloader = (load: (signal: AbortSignal) => Promise<void>) => {
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

type List = { readonly templates: readonly Template[] };

/** Template names by id. */
export const useTemplateNames = (): ReadonlyMap<string, string> => {
  const { data } = useLoaded<List>('/templates', ['templates']);
  return useMemo(() => new Map(data?.templates.map(({ id, name }) => [id, name])), [data]);
};
