import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Choices } from './choices.ts';
import type { Call, Letter, Reply } from './exchange.ts';
import type { Match } from './routes.ts';

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
): Promise<Omit<Call, 'nth'>> => {
  const text = (await buffer(request)).toString('utf8');
  return {
    method: request.method ?? 'GET',
    path,
    operation,
    id,
    headers: request.headers,
    text,
    body: parse(text),
  };
};

export const toLetter = ({ status, body, refused }: Reply, choices: Choices): Letter => ({
  status,
  headers: { 'content-type': refused ? choices.failureType : choices.contentType, ...choices.headers },
  payload: Buffer.from(choices.json(body)),
});

const compressors = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync };

const compress = (letter: Letter, asked: string, { encoding }: Choices): Letter => {
  if (encoding === 'identity' || !asked.includes(encoding) || letter.payload.length === 0) return letter;
  return {
    ...letter,
    headers: { ...letter.headers, 'content-encoding': encoding, vary: 'accept-encoding' },
    payload: compressors[encoding](letter.payload),
  };
};

export const send = async (
  request: IncomingMessage,
  response: ServerResponse,
  letter: Letter,
  choices: Choices,
  sleep: (ms: number) => Promise<void>,
) => {
  const { status, headers, payload } = compress(
    letter,
    String(request.headers['accept-encoding'] ?? ''),
    choices,
  );
  if (choices.date === 'absent') response.sendDate = false;
  else if (choices.date !== 'honest') response.setHeader('date', choices.date(new Date()).toUTCString());
  if (choices.connection === 'close') response.setHeader('connection', 'close');
  response.writeHead(status, {
    ...headers,
    ...(choices.delivery === 'whole' && status !== 204 ? { 'content-length': payload.length } : {}),
  });
  if (choices.delivery !== 'whole') {
    const middle = Math.ceil(payload.length / 2);
    response.write(payload.subarray(0, middle));
    if (choices.delivery === 'dribbled') await sleep(15);
    response.end(payload.subarray(middle));
  } else response.end(payload);
};
