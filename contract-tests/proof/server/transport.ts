import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Behaviour } from './behaviour.ts';
import type { Match } from './routes.ts';
import type { Call, RawResponse, Reply } from './types.ts';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const readCall = async (
  request: IncomingMessage,
  path: string,
  { operation, id }: Match,
): Promise<Omit<Call, 'nth' | 'at'>> => {
  const text = (await buffer(request)).toString('utf8');
  return {
    method: request.method ?? 'GET',
    path,
    query: /\?.*$/s.exec(request.url ?? '')?.[0] ?? '',
    operation,
    id,
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    text,
    body: parse(text),
  };
};

export const toRawResponse = ({ status, body, refused }: Reply, behaviour: Behaviour): RawResponse => ({
  status,
  headers: { 'content-type': refused ? behaviour.failureType : behaviour.contentType, ...behaviour.headers },
  payload: Buffer.from(behaviour.json(body)),
});

const compressors = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };

const compress = (raw: RawResponse, acceptedEncodings: string, { encoding }: Behaviour): RawResponse => {
  if (encoding === 'identity' || !acceptedEncodings.includes(encoding) || raw.payload.length === 0)
    return raw;
  return {
    ...raw,
    headers: { ...raw.headers, 'content-encoding': encoding, vary: 'accept-encoding' },
    payload: compressors[encoding](raw.payload),
  };
};

export const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  raw: RawResponse,
  behaviour: Behaviour,
  { sleep, now }: { readonly sleep: (ms: number) => Promise<void>; readonly now: () => number },
) => {
  const { status, headers, payload } = compress(
    raw,
    String(request.headers['accept-encoding'] ?? ''),
    behaviour,
  );
  if (behaviour.date === 'absent') response.sendDate = false;
  else response.setHeader('date', behaviour.date(new Date(now())).toUTCString());
  if (behaviour.connection === 'close') response.setHeader('connection', 'close');
  response.writeHead(status, {
    ...headers,
    ...(behaviour.delivery === 'whole' && status !== 204 ? { 'content-length': payload.length } : {}),
  });
  if (behaviour.delivery !== 'whole') {
    const middle = Math.ceil(payload.length / 2);
    response.write(payload.subarray(0, middle));
    if (behaviour.delivery === 'dribbled') await sleep(15);
    response.end(payload.subarray(middle));
  } else response.end(payload);
};
