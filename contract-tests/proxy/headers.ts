import type { IncomingMessage } from 'node:http';

/** Header fields as they came: names and values in turn. */
type RawHeaders = readonly string[];

/** What concerns one connection only, and is not passed on (RFC 9110, 7.6.1). */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade']);

export const eachHeader = (raw: RawHeaders): [name: string, value: string][] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);

const namesIn = (raw: RawHeaders, header: string): string[] =>
  eachHeader(raw)
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());

/**
 * The fields that are passed on, in their order and spelling. `Transfer-Encoding: chunked` stays, because the body goes on
 * in chunks; what `Connection` names goes with it.
 */
const endToEnd = (raw: RawHeaders): [name: string, value: string][] => {
  const named = new Set(
    namesIn(raw, 'connection').filter(
      (name) => !/^(content-length|transfer-encoding|host|authorization)$/.test(name),
    ),
  );
  return eachHeader(raw).filter(([name]) => {
    const lower = name.toLowerCase();
    return !hopByHop.has(lower) && !named.has(lower);
  });
};

/** The fields of a request as the upstream gets them: its own name in place of the proxy's. */
export const requestHeaders = (raw: RawHeaders, host: string): string[] => {
  const passed = endToEnd(raw).filter(([name]) => name.toLowerCase() !== 'host');
  return [['Host', host] as const, ...passed].flat();
};

/**
 * The fields of a response. A client of HTTP/1.0 knows no chunks: the end of the connection is the end of the body. Trailers
 * are announced only where chunks follow.
 * @param hasBody whether a body follows; not after HEAD, nor with 204 and 304
 */
export const responseHeaders = (raw: RawHeaders, version: string, hasBody: boolean): string[] => {
  const chunked = hasBody && version !== '1.0' && has(raw, 'transfer-encoding');
  return endToEnd(raw)
    .filter(
      ([name]) =>
        !(version === '1.0' && /^transfer-encoding$/i.test(name)) && (chunked || !/^trailer$/i.test(name)),
    )
    .flat();
};

export const has = (raw: RawHeaders, name: string): boolean =>
  raw.some((field, index) => index % 2 === 0 && field.toLowerCase() === name);

type Fields = Readonly<Record<string, string>>;

/**
 * What lets the page that asked read a response of the proxy itself, also one that sends cookies along: such a response says
 * why there is no other, and nothing that a cookie would open. Responses of the upstream have the fields of the upstream.
 */
export const corsHeaders = ({ headers: { origin } }: IncomingMessage): Fields =>
  origin === undefined
    ? {}
    : {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
        'Access-Control-Expose-Headers': 'Email-Leads-Proxy',
        Vary: 'Origin',
      };

/**
 * What lets a page send the request that a preflight asks about; `undefined` for any other request. A browser must not keep
 * it: as soon as the upstream is there, permission is for the upstream to give.
 */
export const permissionHeaders = (req: IncomingMessage): Fields | undefined => {
  const {
    'access-control-request-method': requestedMethod,
    'access-control-request-headers': requestedFields,
  } = req.headers;
  if (req.method !== 'OPTIONS' || req.headers.origin === undefined || requestedMethod === undefined)
    return undefined;
  return {
    ...corsHeaders(req),
    'Access-Control-Allow-Methods': requestedMethod,
    ...(requestedFields === undefined ? {} : { 'Access-Control-Allow-Headers': requestedFields }),
    'Access-Control-Max-Age': '0',
  };
};
