import type { IncomingMessage } from 'node:http';
import { type Gateway, withGateway } from '../../mock/contract/gateway.ts';

/** Header fields as received: names and values alternate. */
type RawHeaders = readonly string[];

/** Fields that concern one connection only, and are not forwarded (RFC 9110, 7.6.1); trailers are not either. */
const hopByHop = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'upgrade']);

const eachHeader = (raw: RawHeaders): [name: string, value: string][] =>
  Array.from({ length: Math.floor(raw.length / 2) }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? '']);

const namesIn = (raw: RawHeaders, header: string): string[] =>
  eachHeader(raw)
    .filter(([name]) => name.toLowerCase() === header)
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());

/**
 * The forwarded fields, in their order and spelling. `Transfer-Encoding: chunked` is kept, because the body is forwarded in
 * chunks; fields named in `Connection` are removed with it.
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

/** The request fields for the upstream, with its own host name in place of the proxy's and those of its gateway. */
export const requestHeaders = (raw: RawHeaders, host: string, gateway: Gateway): string[] => {
  const passed = endToEnd(raw).filter(([name]) => name.toLowerCase() !== 'host');
  return withGateway([['Host', host], ...passed], gateway).flat();
};

/** The fields of a response. An HTTP/1.0 client does not support chunks: the end of the connection is the end of the body. */
export const responseHeaders = (raw: RawHeaders, version: string): string[] =>
  endToEnd(raw)
    .filter(([name]) => version !== '1.0' || !/^transfer-encoding$/i.test(name))
    .flat();

export const has = (raw: RawHeaders, name: string): boolean =>
  raw.some((field, index) => index % 2 === 0 && field.toLowerCase() === name);

type Fields = Readonly<Record<string, string>>;

/**
 * The fields that allow the requesting page to read the proxy's own response, even if it sends cookies: such a response only
 * explains an error and contains nothing that cookies protect. Responses of the upstream keep the upstream's fields.
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
 * The fields that allow the request of a CORS preflight; `undefined` for any other request. A browser must not cache them: when
 * the upstream is available, it decides about permissions.
 */
export const permissionHeaders = (req: IncomingMessage): Fields | undefined => {
  const {
    origin,
    'access-control-request-method': requestedMethod,
    'access-control-request-headers': requestedFields,
  } = req.headers;
  if (req.method !== 'OPTIONS' || requestedMethod === undefined || origin === undefined) return undefined;
  return {
    ...corsHeaders(req),
    'Access-Control-Allow-Methods': requestedMethod,
    ...(requestedFields === undefined ? {} : { 'Access-Control-Allow-Headers': requestedFields }),
    'Access-Control-Max-Age': '0',
  };
};
