import { Pool } from 'undici';

/** A request to repeat. */
export type Shot = { readonly method: 'GET' | 'POST' | 'PUT'; readonly path: string; readonly body?: string };

/** Sends requests to one server over connections that stay open. */
export type Load = {
  /** Sends `count` requests and returns the wall time in milliseconds. @throws when an answer is not 200 */
  readonly send: (shot: Shot, count: number) => Promise<number>;
  /** The JSON of one answer. */
  readonly ask: (shot: Shot) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

const connections = 24;

export const createLoad = (url: string): Load => {
  const pool = new Pool(url, { connections, pipelining: 1, headersTimeout: 10_000, bodyTimeout: 10_000 });
  const request = async ({ method, path, body }: Shot) => {
    const headers = {
      authorization: 'Bearer test_bench',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const answer = await pool.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
    if (answer.statusCode !== 200)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
    return answer;
  };
  return {
    send: async (shot, count) => {
      let left = count;
      const lane = async (): Promise<void> => {
        while (left > 0) {
          left -= 1;
          const { body } = await request(shot);
          await body.dump();
        }
      };
      const begin = performance.now();
      await Promise.all(Array.from({ length: connections }, lane));
      return performance.now() - begin;
    },
    ask: async (shot) => (await request(shot)).body.json(),
    close: () => pool.close(),
  };
};
