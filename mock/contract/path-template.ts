/**
 * Tests whether a concrete path matches a path template: `{id}` stands for at least one character within one segment. Uses no
 * regular expression, because a template from a client could make it exponentially slow.
 */
export const pathMatcher = (template: string): ((path: string) => boolean) => {
  const templateSegments = template.split('/').map((segment) => segment.split(/\{[^{}]+\}/));
  return (path) => {
    const segments = path.split('/');
    return (
      segments.length === templateSegments.length &&
      templateSegments.every((texts, at) => matchesSegment(texts, segments[at] as string))
    );
  };
};

// Takes each text at its first possible place: this leaves the most room for the texts after it.
const matchesSegment = (texts: readonly string[], segment: string): boolean => {
  if (texts.length === 1) return segment === texts[0];
  const [first, last] = [texts[0] as string, texts.at(-1) as string];
  const end = segment.length - last.length;
  let at = first.length;
  for (const text of texts.slice(1, -1)) {
    const position = segment.indexOf(text, at + 1);
    if (position < 0) return false;
    at = position + text.length;
  }
  return at < end && segment.startsWith(first) && segment.endsWith(last);
};

type AnyRoute = { readonly method: string; readonly path: string };

/**
 * Finds routes by path templates with one `{id}` at most, which stands for a whole segment. A path that is written out has
 * priority: `/outbox/wait` over `/outbox/{id}`.
 */
export const createRouter = <Route extends AnyRoute>(routes: readonly Route[]) => {
  const list = routes.map((route) => {
    const template = route.path.split('/');
    const idAt = template.findIndex((part) => part.startsWith('{'));
    return { route, method: route.method.toUpperCase(), template, idAt };
  });
  // Most requests are to a path without an id, written as it is.
  const writtenOut = new Map(
    list
      .filter(({ idAt }) => idAt < 0)
      .map(({ route, method }) => [`${method} ${route.path}`, { route, id: '' }]),
  );
  const routesAt = (segments: readonly string[]) => {
    const matching = list.filter(
      ({ template, idAt }) =>
        template.length === segments.length &&
        template.every((part, at) => (at === idAt ? segments[at] !== '' : part === segments[at])),
    );
    const exact = matching.filter(({ idAt }) => idAt < 0);
    return exact.length > 0 ? exact : matching;
  };
  return {
    /** The route of a request, and the id in its path. HEAD has that of GET. @throws URIError for a path that cannot be decoded */
    find: (method: string, path: string): { readonly route: Route; readonly id: string } | undefined => {
      const wanted = method === 'HEAD' ? 'GET' : method;
      const found = writtenOut.get(`${wanted} ${path}`);
      if (found) return found;
      const raw = path.split('/');
      const segments = path.includes('%') ? raw.map(decodeURIComponent) : raw;
      const matched = routesAt(segments).find((candidate) => candidate.method === wanted);
      return matched && { route: matched.route, id: segments[matched.idAt] ?? '' };
    },
    /** The routes of a path, which is not decoded. */
    at: (path: string): Route[] => routesAt(path.split('/')).map(({ route }) => route),
  };
};

/** A path without its query, and without the host of an absolute request target. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.startsWith('/') ? path : path.replace(/^https?:\/\/[^/]*/i, '');
};

/** Whether the path of a fault rule, which may itself be a template, can match an operation's path template. */
export const canMatchPath = (template: string, rulePath: string): boolean => {
  const templateSegments = template.split('/');
  const ruleSegments = rulePath.split('/');
  return (
    templateSegments.length === ruleSegments.length &&
    templateSegments.every((segment, at) => {
      const text = ruleSegments[at] ?? '';
      return segment.startsWith('{') ? text !== '' : pathMatcher(text)(segment);
    })
  );
};
