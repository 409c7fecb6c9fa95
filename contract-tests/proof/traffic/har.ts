import type { IncomingHttpHeaders } from 'node:http';
import {
  decodeBody,
  headerText,
  type ObservedBody,
  type ObservedExchange,
} from '../../traffic/exchanges/observed.ts';

const pairs = (headers: IncomingHttpHeaders) =>
  Object.entries(headers).map(([name, value]) => ({ name, value: headerText(value) }));

/** A body as a browser records it: decompressed. */
const bytesOf = (body: ObservedBody, encoding: string): string => {
  const decoded = decodeBody(body, encoding);
  return 'missing' in decoded ? '' : decoded.rawText;
};

/** Traffic as a browser would have recorded it (HAR 1.2). */
export const toHar = (base: string, observed: readonly ObservedExchange[]): string => {
  const entries = observed.map((exchange) => {
    const { method, target, status, requestHeaders, responseHeaders, startedAt, endedAt } = exchange;
    const sent = bytesOf(exchange.requestBody, headerText(requestHeaders['content-encoding']));
    const text = bytesOf(exchange.responseBody, headerText(responseHeaders['content-encoding']));
    return {
      startedDateTime: new Date(startedAt).toISOString(),
      time: endedAt - startedAt,
      request: {
        method,
        url: base + target,
        headers: pairs(requestHeaders),
        bodySize: sent.length,
        ...(sent === '' ? {} : { postData: { mimeType: requestHeaders['content-type'], text: sent } }),
      },
      response: {
        status,
        headers: pairs(responseHeaders),
        content: { size: text.length, text },
        bodySize: -1,
      },
    };
  });
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'proof', version: '1' }, entries } });
};
