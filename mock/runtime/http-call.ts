import { type IncomingMessage, request as overHttp } from 'node:http';
import { text } from 'node:stream/consumers';

type HttpRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
};

/**
 * One HTTP exchange. Does not use the global `fetch`, which enforces CORS in a simulated browser, and may be faked by the test.
 * @throws Error of the system if nothing answers
 */
export const httpCall = async (url: string, { headers, body, ...options }: HttpRequest) => {
  const request = url.startsWith('https:') ? (await import('node:https')).request : overHttp;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    // A new connection each time: a kept one may be closed at the moment it is used again.
    request(url, { ...options, headers: { ...headers, ...length }, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
  return { status: reply.statusCode ?? 0, text: await text(reply) };
};
