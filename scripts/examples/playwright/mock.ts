// What a test needs of the mock. Each worker has a key of its own, so workers never see each other's leads and mails.
import { type APIRequestContext, test as base } from '@playwright/test';

export { expect } from '@playwright/test';

type Mail = { readonly id: string; readonly to: string; readonly subject: string };

type MockOfTest = {
  readonly url: string;
  readonly apiKey: string;
  /** The newest mail to that address; waits for it in the mock. */
  readonly mailTo: (to: string) => Promise<Mail>;
  /** What is to go wrong from now on, e.g. `{ operation: 'addLead', status: 503, times: 1 }`. */
  readonly fail: (rule: object) => Promise<void>;
};

export const test = base.extend<{ mock: MockOfTest }, { apiKey: string }>({
  apiKey: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are used
    async ({}, use, { workerIndex }) => use(`test_worker_${workerIndex}`),
    { scope: 'worker' },
  ],
  mock: async ({ apiKey, request, baseURL }, use) => {
    const admin = adminOf(request, apiKey);
    await admin('POST', '/reset');
    await use({
      url: baseURL ?? '',
      apiKey,
      mailTo: async (to) => {
        const { messages } = await admin('GET', `/outbox/wait?to=${encodeURIComponent(to)}`);
        return (messages as Mail[])[0] as Mail;
      },
      fail: async (rule) => void (await admin('PUT', '/faults', { rules: [rule] })),
    });
  },
});

const adminOf =
  (request: APIRequestContext, apiKey: string) =>
  async (method: string, path: string, data?: object): Promise<Record<string, unknown>> => {
    const headers = { authorization: `Bearer ${apiKey}` };
    const reply = await request.fetch(`/__admin${path}`, { method, headers, ...(data ? { data } : {}) });
    if (!reply.ok()) throw new Error(`${method} ${path}: ${await reply.text()}`);
    return reply.json();
  };
