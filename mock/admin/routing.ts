import { nearest } from '../questions.ts';
import { pathOf } from '../unrouted.ts';
import { AdminError, type AdminRoute } from './route.ts';

type Asked = { readonly method: string; readonly url: string };

const prefix = '/__admin';

/** The methods there are at a path: of the route written out in full, `/outbox/wait`, else of the one with an id. */
export const methodsAt = (url: string, routes: readonly AdminRoute[]): string[] => {
  const path = pathOf(url);
  const exact = routes.filter((route) => prefix + route.path === path);
  const found = exact.length > 0 ? exact : routes.filter((route) => patternOf(route).test(path));
  return found.flatMap(({ method, holds }) =>
    // Asked for its headers only, a route that holds would hold all the same.
    method === 'GET' && !holds ? [method, 'HEAD'] : [method],
  );
};

const patternOf = ({ path }: AdminRoute): RegExp =>
  new RegExp(`^${prefix}${path.replaceAll(/:\w+/g, '[^/]+')}$`);

/** 405 with `Allow` where the path exists, else 404 with the nearest route. The query stays out: it may hold a key. */
export const unrouted = ({ method, url }: Asked, routes: readonly AdminRoute[]): AdminError => {
  const path = pathOf(url);
  const allow = methodsAt(url, routes).join(', ');
  if (allow !== '')
    return new AdminError(405, `${path.slice(0, 200)} has no ${method}`, `It has ${allow}.`, { allow });
  return new AdminError(
    404,
    `there is no ${path.slice(0, 200)}`,
    `Did you mean ${nearestRoute(method, path, routes)}? All routes are at /__admin/openapi.json.`,
  );
};

const nearestRoute = (method: string, path: string, routes: readonly AdminRoute[]): string => {
  const bare = path.replace(/\/$/, '');
  if (methodsAt(bare, routes).includes(method)) return `${method} ${bare.slice(0, 200)}`;
  // Compared without the names of parameters, which are not what people type.
  const known = new Map(
    routes
      .filter(({ doc }) => doc)
      .map((route) => {
        const name = `${route.method} ${prefix}${route.path.replaceAll(/:(\w+)/g, '{$1}')}`;
        return [name.replaceAll(/\{\w+\}/g, ''), name];
      }),
  );
  const found = nearest(`${method} ${path}`.slice(0, 200), [...known.keys()]);
  return known.get(found) ?? found;
};
