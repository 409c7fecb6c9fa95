// What a gateway or a firewall answers in place of the service decides nothing, and is named; a page of the service counts.
import { expect, test } from 'vitest';
import { rewrite } from '../proof/server/mutation.ts';
import type { Call, Mutation } from '../proof/server/types.ts';
import { observeOn, runOn } from '../testing/run-on.ts';

const blocks = (text: string): boolean => text.includes('<') || text.includes('ref=7');
const page = Buffer.from('<html><head><title>Request blocked</title></head><body>Sorry.</body></html>');

/** A page in place of a JSON response; the service itself may name its server too. */
const withPages = (
  isDue: (call: Call, isRefused: boolean) => boolean,
  server?: string,
  ofService?: string,
): Mutation => {
  const named = (name: string | undefined) => (name === undefined ? {} : { server: name });
  const replace = rewrite(
    (call, { refused }) => isDue(call, refused !== undefined),
    () => ({ status: 403, headers: { 'content-type': 'text/html', ...named(server) }, payload: page }),
  );
  return {
    rewrite: (raw, call, reply) => {
      const own = { ...raw, headers: { ...raw.headers, ...named(ofService) } };
      return replace.rewrite?.(own, call, reply) ?? own;
    },
  };
};

const firewall = (server: string, ofService?: string): Mutation =>
  withPages(({ text }) => blocks(text), server, ofService);

const verdictsOf = async (mutation: Mutation, ...ids: readonly string[]): Promise<Record<string, string>> => {
  const { verdicts } = await runOn(['failures.error', 'leads.add.free-source', ...ids], { mutation });
  return Object.fromEntries(verdicts.map(({ check, status, reason }) => [check.id, `${status}: ${reason}`]));
};

test.concurrent.each([
  ['of a service that names no server', firewall('example-waf')],
  ['of a service with another server', firewall('example-waf', 'gunicorn')],
])('a page of a firewall in front %s is not judged', async (_, mutation) => {
  const verdicts = await verdictsOf(mutation, 'leads.add.keeps-texts');
  const said = 'example-waf responded instead of the service: 403 a page: Request blocked, to POST ';
  const refused = /^inconclusive: .*(example-waf refused it|something in front of the service)/;
  expect(verdicts).toMatchObject({
    'failures.error': expect.stringContaining(`inconclusive: ${said}`),
    'leads.add.free-source': expect.stringMatching(refused),
    'leads.add.keeps-texts': expect.stringMatching(
      /^pass: not tested for .*<b>.* 403 a page: Request blocked/,
    ),
  });
  expect(verdicts['failures.error']).toContain('; configure it to let the texts');
});

test.concurrent.each([
  ['for certain texts', firewall('gunicorn', 'gunicorn'), /^fail/],
  ['for every error response', withPages((_, isRefused) => isRefused), /^/],
])('a page of the service itself is judged: %s', async (_, mutation, source) => {
  const verdicts = await verdictsOf(mutation);
  expect(verdicts['failures.error']).toMatch(/^fail/);
  expect(verdicts['leads.add.free-source']).toMatch(source);
});

test.concurrent('observe says what to do where a firewall answers', async () => {
  const mutation = withPages(({ text }) => text.includes('\u0301'), 'example-waf');
  const { results, troubles } = await observeOn(['lead.unicode-form'], mutation);
  expect(troubles.join()).toMatch(
    /something in front .*403 a page: Request blocked; configure it to let the texts of the run pass/,
  );
  expect(results.find(({ question }) => question.id === 'lead.unicode-form')?.status).toBe('inconclusive');
});

test.concurrent('a list that fails alone stops no other operation, and is named', async () => {
  let lists = 0;
  const listFails: Mutation = {
    handle: (call, next) => {
      if (call.operation === 'listTemplates') lists += 1;
      const isDue = call.operation === 'listTemplates' && lists > 4;
      return isDue ? { status: 403, refused: 'fields', body: { error: 'a limit of lists' } } : next(call);
    },
  };
  const ids = ['templates.list.agrees', 'templates.list.auth.missing-key', 'leads.add', 'leads.update.auth'];
  const { verdicts, troubles, leftoverLeads } = await runOn(ids, { mutation: listFails });
  const undecided = verdicts.filter(({ status }) => status !== 'pass').map(({ reason }) => reason);
  for (const reason of undecided) expect(reason).toMatch(/listTemplates .*: 403 a limit of lists/);
  expect(verdicts.length).toBeGreaterThan(3 * undecided.length);
  expect(troubles).toHaveLength(1);
  expect(troubles[0]).toMatch(/^since request \d+ no listTemplates succeeded: 403 a limit of lists; /);
  expect(leftoverLeads).toEqual([]);
});
