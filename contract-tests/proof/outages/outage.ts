/** What a front does with a request: leaves it to the service, answers it, or breaks it off. */
export type Action =
  | { readonly do: 'forward' }
  | { readonly do: 'hang' }
  /** The service ends and starts again without its data. This request and those that are pending get no response. */
  | { readonly do: 'restart' }
  | ({ readonly do: 'reset' } & Late)
  | ({
      readonly do: 'answer';
      readonly status: number;
      readonly headers?: Headers;
      readonly body: string;
    } & Late);

/** Whether the service carries the request out all the same: its answer is lost or replaced. */
type Late = { readonly afterEffect?: true };

type Headers = Readonly<Record<string, string>>;

/** A request as a front sees it. */
export type FrontRequest = {
  /** Counted from 1. */
  readonly nth: number;
  readonly method: string;
  readonly path: string;
  readonly body: string;
  /** Whether it carries the key of the deployment. */
  readonly hasKey: boolean;
  /** Requests with another key so far, this one included. */
  readonly wrongKeys: number;
  /** Leads that were added so far. */
  readonly added: number;
};

/** A way in which something in front of a conforming service stops answering for it. */
export type Outage = {
  readonly id: string;
  readonly title: string;
  /** Whether it begins at a given request; the others begin when what they watch for happens. */
  readonly timed: boolean;
  /** Whether the service answers again during the run. */
  readonly ends?: true;
  /** Whether it concerns one request only, so that a run still decides everything. */
  readonly single?: true;
  /** @param start number of the first request that is concerned */
  readonly act: (request: FrontRequest, start: number) => Action;
};

const forward: Action = { do: 'forward' };

const json = (status: number, body: object, headers: Headers = {}): Action => ({
  do: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const refusal = (status: number, error: string, headers?: Headers): Action =>
  json(status, { success: false, error, message: 'The request was refused.' }, headers);

const page = (status: number, title: string): Action => ({
  do: 'answer',
  status,
  headers: { 'content-type': 'text/html', server: 'gateway' },
  body: `<!doctype html><title>${title}</title><h1>${title}</h1>\n`,
});

/** Declares the outages that concern these requests: with one action, or with one for each of them. */
const outage =
  (
    isConcerned: (request: FrontRequest, start: number) => boolean,
    more: Partial<Pick<Outage, 'timed' | 'ends' | 'single'>> = {},
  ) =>
  (id: string, title: string, action: Action | ((request: FrontRequest) => Action)): Outage => ({
    id,
    title,
    timed: true,
    ...more,
    act: (request, start) => {
      if (!isConcerned(request, start)) return forward;
      return typeof action === 'function' ? action(request) : action;
    },
  });

/** From its first request on for good. */
const lasting = outage(({ nth }, start) => nth >= start);

const lengths = [6, 12, 20, 40] as const;

/** For a number of requests that depends on the moment, then the service answers again. */
const passing = outage(({ nth }, start) => nth >= start && nth < start + (lengths[start % 4] ?? 0), {
  ends: true,
});

/** The same for every second request. */
const passingByHalf = outage(
  ({ nth }, start) => nth >= start && nth < start + (lengths[start % 4] ?? 0) && nth % 2 === 0,
  { ends: true },
);

/** For one request. */
const single = outage(({ nth }, start) => nth === start, { ends: true, single: true });

const restarting = outage(({ nth }, start) => nth === start, { ends: true });

const everySo = (count: number) => outage(({ nth }, start) => nth >= start && nth % count === 0);

const watching = (isConcerned: (request: FrontRequest) => boolean) => outage(isConcerned, { timed: false });

/** Who has never seen an operation succeed cannot tell a gateway that blocks it from a service that lacks it. */
const afterDiscovery = 20;

/** For some requests only, for good. */
const partial = (isConcerned: (request: FrontRequest) => boolean) =>
  outage((request, start) => request.nth >= Math.max(start, afterDiscovery) && isConcerned(request));

const lockOut = watching(({ wrongKeys }) => wrongKeys > 20);

const isAddition = ({ method, path }: FrontRequest): boolean => method === 'POST' && /\/leads\/?$/.test(path);

/** Another app in place of the service knows none of its addresses, and names the one that was asked for. */
const unknownRoute = ({ method, path }: FrontRequest): Action =>
  json(404, { statusCode: 404, message: `Route ${method}:${path} not found` });

const diskFull = partial(({ method, path }) => /^(POST|PUT)$/.test(method) && path.includes('/leads'))(
  'disk-full',
  'No lead can be stored, while mails are sent and leads deleted',
  refusal(507, 'no space left on device'),
);

const suspicious = /<b>|\{\{|select,|drop |%41|''|--/i;

export const outages: readonly Outage[] = [
  lasting('key-expires', 'The key expires', refusal(401, 'key expired')),
  lasting('rate-limit', 'Everything is too fast, without a Retry-After', refusal(429, 'slow down')),
  lasting(
    'rate-limit-retry-after',
    'Everything is too fast, with a Retry-After',
    refusal(429, 'slow down', { 'retry-after': '1' }),
  ),
  lasting('server-error', 'Every request fails', refusal(500, 'internal error')),
  lasting('bad-gateway', 'The gateway finds no service', page(502, 'Bad Gateway')),
  lasting('unavailable', 'Maintenance', page(503, 'Service Unavailable')),
  lasting(
    'maintenance-page',
    'A page with status 200 in place of every answer',
    page(200, 'We will be back'),
  ),
  restarting('restarts-empty', 'The service restarts, and has no leads then', { do: 'restart' }),
  lasting('hang', 'Nothing is answered', { do: 'hang' }),
  lasting('reset', 'Every connection is reset', { do: 'reset' }),
  lasting('reset-after-effect', 'Every connection is reset when the request has taken effect', {
    do: 'reset',
    afterEffect: true,
  }),
  passingByHalf('worker-fails', 'One of two workers fails for some time', refusal(500, 'internal error')),
  passing('some-refusals', 'Some requests are refused', refusal(401, 'key expired')),
  passing('some-errors', 'Some requests fail', refusal(500, 'internal error')),
  passing('some-not-found', 'For some requests, the gateway knows no such address', page(404, 'Not Found')),
  passing(
    'some-maintenance',
    'Some requests get the same JSON with status 200',
    json(200, { status: 'maintenance' }),
  ),
  outage(({ nth }, start) => nth >= start && nth < start + 40 && nth % 2 === 0, { ends: true })(
    'one-of-two-down',
    'For a while, the gateway finds no service for every second request',
    page(502, 'Bad Gateway'),
  ),
  single('one-error', 'One request fails', refusal(500, 'internal error')),
  everySo(9)('resets-now-and-then', 'Every ninth connection is reset when the request has taken effect', {
    do: 'reset',
    afterEffect: true,
  }),
  everySo(7)(
    'timeouts-after-effect',
    'The gateway waits in vain for every seventh answer, when the request has taken effect',
    { do: 'answer', afterEffect: true, status: 504, body: '<h1>504 Gateway Timeout</h1>' },
  ),
  lasting('not-found-page', 'The gateway knows no such address any more', page(404, 'Not Found')),
  lasting('replaced-json', 'Another app refuses everything in JSON of its own', unknownRoute),
  partial(({ path }) => path.includes('/leads'))(
    'replaced-leads',
    'Another app refuses everything about leads in JSON of its own',
    unknownRoute,
  ),
  lasting('redirect', 'Everything is redirected to a page to sign in', {
    do: 'answer',
    status: 307,
    headers: { location: '/login' },
    body: '',
  }),
  lasting(
    'maintenance-json',
    'The same JSON with status 200 in place of every answer',
    json(200, { status: 'maintenance', message: 'We will be back soon' }),
  ),
  watching((request) => isAddition(request) && request.hasKey && request.added >= 60)(
    'quota',
    'A quota of 60 leads',
    refusal(402, 'plan limit'),
  ),
  ...[403, 429].map((status) =>
    lockOut(
      `lock-out-${status}`,
      `Locks out after 20 wrong keys, with ${status}`,
      refusal(status, 'too many failed attempts'),
    ),
  ),
  // As all methods that are not of a form.
  partial(({ method }) => /^(PUT|DELETE)$/.test(method))(
    'methods-blocked',
    'The gateway blocks updates and deletions',
    page(405, 'Not Allowed'),
  ),
  diskFull,
  partial(({ method, path }) => method === 'GET' && path.includes('/email/template'))(
    'list-fails',
    'The list of templates fails, and nothing else does',
    refusal(500, 'internal error'),
  ),
  watching(({ path }) => path.endsWith('/email/send'))(
    'firewall-of-mail',
    'A firewall answers every mail with a page',
    page(406, 'Not Acceptable'),
  ),
  watching(({ body }) => suspicious.test(body))(
    'firewall',
    'A firewall answers certain texts with a page',
    page(403, 'Forbidden'),
  ),
  {
    ...diskFull,
    id: 'disk-full-and-down',
    title: 'No lead can be stored, and after 30 requests nothing responds',
    act: (request, start) =>
      request.nth >= Math.max(start, afterDiscovery) + 30 ? { do: 'reset' } : diskFull.act(request, start),
  },
];
