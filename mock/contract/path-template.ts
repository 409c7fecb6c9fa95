/** The segments of a template; `undefined` for a placeholder such as `{id}`, which is a whole segment. */
type Template = readonly (string | undefined)[];

const parse = (template: string): Template =>
  template.split('/').map((segment) => (/^\{[^{}]+\}$/.test(segment) ? undefined : segment));

/** A placeholder stands for any segment that is not empty. */
const matches = (template: Template, segments: readonly string[]): boolean =>
  template.length === segments.length &&
  template.every((part, at) => (part === undefined ? segments[at] !== '' : part === segments[at]));

/** Tests whether a concrete path matches a path template. */
export const pathMatcher = (path: string): ((path: string) => boolean) => {
  const template = parse(path);
  return (concrete) => matches(template, concrete.split('/'));
};

export type Routed = { readonly method: string; readonly path: string; readonly longLived?: boolean };

/** GET implies HEAD, except where the connection stays open. */
export const methodsOf = ({ method, longLived = false }: Omit<Routed, 'path'>): string[] =>
  /^get$/i.test(method) && !longLived ? ['GET', 'HEAD'] : [method.toUpperCase()];

/**
 * Finds routes by path templates with one `{id}` at most, which stands for a whole segment. A path that is written out has
 * priority: `/outbox/wait` over `/outbox/{id}`.
 */
export const createRouter = <Route extends Routed>(routes: readonly Route[]) => {
  const list = routes.map((route) => {
    const template = parse(route.path);
    return { route, methods: methodsOf(route), template, idAt: template.indexOf(undefined) };
  });
  const routesAt = (segments: readonly string[]) => {
    const matching = list.filter(({ template }) => matches(template, segments));
    const exact = matching.filter(({ idAt }) => idAt < 0);
    return exact.length > 0 ? exact : matching;
  };
  return {
    /** The route of a request, and the id in its path. @throws URIError for a path that cannot be decoded */
    find: (method: string, path: string): { readonly route: Route; readonly id: string } | undefined => {
      // Most requests are to a path without an id, written as it is.
      const written = list.find(
        ({ route, methods, idAt }) => idAt < 0 && route.path === path && methods.includes(method),
      );
      if (written) return { route: written.route, id: '' };
      const raw = path.split('/');
      const segments = path.includes('%') ? raw.map(decodeURIComponent) : raw;
      const matched = routesAt(segments).find(({ methods }) => methods.includes(method));
      return matched && { route: matched.route, id: segments[matched.idAt] ?? '' };
    },
    /** The methods of a path, which is not decoded; `[]` for one that no route has. */
    methodsAt: (path: string): string[] => routesAt(path.split('/')).flatMap(({ methods }) => methods),
  };
};

/** A path without its query, and without the host of an absolute request target. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '');
};

/** Whether two templates, or a path and a template, can stand for the same path. */
export const canMatchPath = (template: string, other: string): boolean =>
  pathMatcher(template)(other) || pathMatcher(other)(template);
