import type { Exchange } from '../exchange/exchange.ts';
import { bodyLength, headersLength } from './exchanges/observed.ts';
import type { Context } from './exchanges/reader.ts';

const maxExchanges = 4000;

/** Characters of texts, and bytes of bodies as they were observed. */
const maxSize = 24 * 2 ** 20;

/** The latest exchanges, for claims about several responses; limited in number and in size. */
export const createRetained = () => {
  const latest: Context[] = [];
  const contexts = new WeakMap<Exchange, Context>();
  let size = 0;
  let evicted = 0;

  const sizeOf = ({ exchange: { rawText, body = '', headers }, observed }: Context): number =>
    rawText.length +
    body.length +
    headersLength(headers) +
    headersLength(observed.requestHeaders) +
    bodyLength(observed.requestBody) +
    bodyLength(observed.responseBody);

  return {
    add: (exchange: Exchange, context: Context): void => {
      latest.push(context);
      contexts.set(exchange, context);
      size += sizeOf(context);
      while (latest.length > maxExchanges || size > maxSize) {
        const oldest = latest.shift();
        if (!oldest) break;
        size -= sizeOf(oldest);
        evicted += 1;
      }
    },
    exchanges: (): readonly Exchange[] => latest.map(({ exchange }) => exchange),
    contextOf: (exchange: Exchange): Context | undefined => contexts.get(exchange),
    evicted: (): number => evicted,
  };
};
