import { createRouter } from '../contract/path-template.ts';
import { AdminError } from './noun.ts';

type Routed = { readonly method: string; readonly path: string; readonly longLived?: boolean };

/** Routes by method and path, as a list. */
export const listRoutes = <Route extends object>(routes: Readonly<Record<string, Route>>) =>
  Object.entries(routes).map(([address, route]) => {
    const [method = '', path = ''] = address.split(' ');
    return { ...route, method, path };
  });

/** Finds routes. There is no HEAD for one that keeps the connection open. */
export const createRoutes = <Route extends Routed>(routes: readonly Route[]) => {
  const router = createRouter(routes);
  const methodsAt = (path: string): string[] =>
    router
      .at(path)
      .flatMap(({ method, longLived }) => (method === 'GET' && !longLived ? ['GET', 'HEAD'] : [method]));
  return {
    /** @throws URIError for a path that cannot be decoded */
    find: (method: string, path: string) => {
      const found = router.find(method, path);
      return method === 'HEAD' && found?.route.longLived ? undefined : found;
    },
    methodsAt,
    /** 405 with `Allow` if the path exists. @param shown the path as in the message */
    methodError: (method: string, path: string, shown = path): AdminError | undefined => {
      const allow = methodsAt(path).join(', ');
      if (allow === '') return undefined;
      return new AdminError(405, `${shown} has no ${method}`, `Allowed methods: ${allow}.`, { allow });
    },
  };
};
