import { type IncomingMessage, request as overHttp } from 'node:http';

type HttpRequest = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

type HttpResponse = { readonly status: number; readonly text: string };

/**
 * One HTTP exchange. Does not use the global `fetch`, which in a simulated browser enforces CORS and may be faked by the test.
 * @throws Error of the system if nothing answers
 */
export const httpCall = async (
  url: string,
  { method, headers, body }: HttpRequest,
): Promise<HttpResponse> => {
  const request = url.startsWith('https:') ? (await import('node:https')).request : overHttp;
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    // A new connection each time: a kept one may be closed at the moment it is used again.
    request(url, { method, headers: { ...headers, ...length }, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
  return { status: reply.statusCode ?? 0, text: await readText(reply) };
};

const readText = (reply: IncomingMessage): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    reply
      .setEncoding('utf8')
      .on('data', (part: string) => {
        text += part;
      })
      .on('end', () => resolve(text))
      .on('error', reject);
  });
