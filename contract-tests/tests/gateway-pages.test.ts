// What a gateway or a firewall answers in place of the service decides nothing, and is named.
import { expect, test } from 'vitest';
import type { Mutation } from '../proof/server/types.ts';
import { observeOn, runOn } from '../testing/run-on.ts';

const blocks = (text: string): boolean => text.includes('<') || text.includes('ref=7');
const page = Buffer.from('<html><head><title>Request blocked</title></head><body>Sorry.</body></html>');

/** A page in place of the response to certain requests; the service itself may name its server too. */
const firewall = (isBlocked: (text: string) => boolean, ofService?: object): Mutation => {
  const headers = { 'content-type': 'text/html', server: 'example-waf' };
  return {
    rewrite: (raw, { text }) =>
      isBlocked(text)
        ? { status: 403, headers, payload: page }
        : { ...raw, headers: { ...raw.headers, ...ofService } },
  };
};

test.concurrent.each([
  ['of a service that names no server', firewall(blocks)],
  ['of a service with another server', firewall(blocks, { server: 'gunicorn' })],
])('a page of a firewall in front %s is not judged', async (_, mutation) => {
  const ids = ['failures.error', 'leads.add.free-source', 'leads.add.keeps-texts'];
  const run = await runOn(ids, { mutation });
  const said = run.verdicts.map(({ check, status, reason }) => [check.id, `${status}: ${reason}`]);
  const verdicts: Record<string, string> = Object.fromEntries(said);
  const answered = 'example-waf responded instead of the service: 403 a page: Request blocked, to POST ';
  const refused = /^inconclusive: .*(example-waf refused it|something in front of the service)/;
  expect(verdicts).toMatchObject({
    'failures.error': expect.stringContaining(`inconclusive: ${answered}`),
    'leads.add.free-source': expect.stringMatching(refused),
    'leads.add.keeps-texts': expect.stringMatching(
      /^pass: not tested for .*<b>.* 403 a page: Request blocked/,
    ),
  });
  expect(verdicts['failures.error']).toContain('; configure it to let the texts');
});

test.concurrent('observe says what to do where a firewall answers', async () => {
  const mutation = firewall((text) => text.includes('\u0301'));
  const { results, troubles } = await observeOn(['lead.unicode-form'], { mutation });
  expect(troubles.join()).toMatch(
    /something in front .*403 a page: Request blocked; configure it to let the texts of the run pass/,
  );
  expect(results.find(({ question }) => question.id === 'lead.unicode-form')?.status).toBe('inconclusive');
});
