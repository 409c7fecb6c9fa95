import { array, assert, asyncProperty, constantFrom, nat, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../runtime/limits.ts';
import { nextTurn, runAtOnce } from '../runtime/timers.ts';
import { isWhole } from '../testing/scale.ts';
import { parseInSteps } from '../validation/large-json.ts';
import { checkState } from '../validation/snapshot.ts';
import { ruleBytes } from '../workspace/faults.ts';
import { entryBytes, type Journal } from '../workspace/journal.ts';
import { leadBytes } from '../workspace/leads.ts';
import { messageBytes } from '../workspace/outbox.ts';
import { createWorkspaces } from '../workspace/registry.ts';
import { prepareSeedInSteps } from '../workspace/snapshot.ts';
import { templateBytes } from '../workspace/templates.ts';
import { createWorkspace, type Workspace } from '../workspace/workspace.ts';

const message = {
  operation: 'sendEmail',
  to: 'b@example.com',
  from: null,
  template_id: null,
  variables: { a: 'б' },
} as const;
const request = (length: number) => ({
  number: 0,
  operation: null,
  method: 'GET',
  url: '/',
  rawHeaders: ['Host', 'x'.repeat(length)],
  requestBody: null,
  status: 404,
  headers: { 'content-type': 'text/plain' },
  responseBody: 'y'.repeat(length),
  why: null,
  createdAtMs: 0,
  durationMs: 0,
});

const entry = {
  id: 'req_000007',
  operation: null,
  method: 'GET',
  path: '/x',
  status: 200,
  created_at: '2026-03-02T10:15:30Z',
  duration_ms: 1,
  why: null,
  request: { headers: { host: 'x' }, body: 'я', body_cut: false },
  response: { headers: {}, body: null, body_cut: false },
};

/** What each request took when it was recorded: what is kept of it cannot be seen. */
const recordedBytes = new WeakMap<Journal, Map<string, number>>();
const addRequest = (journal: Journal, size: number): void => {
  const recorded = request(size);
  journal.add(recorded);
  const known = recordedBytes.get(journal) ?? new Map<string, number>();
  recordedBytes.set(journal, known.set(journal.latest()?.id ?? '', entryBytes(recorded)));
};

const openConnections = new Set<object>();
const wait = (workspace: Workspace): void => {
  const connection = {};
  openConnections.add(connection);
  void workspace.outbox
    .wait({ subject: 'never' }, { timeoutMs: Number.POSITIVE_INFINITY })
    .then(() => openConnections.delete(connection));
};
const watch = (workspace: Workspace): void => {
  const connection = {};
  const end = (): void => {
    stop?.();
    openConnections.delete(connection);
  };
  const stop = workspace.events.watch({ send: () => undefined, end });
  openConnections.add(connection);
};

/** What the seed takes that a workspace has of its own. */
const seedBytes = new WeakMap<Workspace, number>();

const load = (workspace: Workspace, size: number, seed = false): void => {
  const state = checkState({
    leads: [{ name: 'i'.repeat(size) }],
    templates: [{ name: 'x', body: '{{a}}'.repeat(size) }],
    outbox: Array.from({ length: size % 9 }, () => ({ operation: 'sendEmail', html: 'я'.repeat(size) })),
    requests: [entry],
    faults: [{ status: 500, body: 'f'.repeat(size) }],
  });
  recordedBytes.delete(workspace.journal);
  if (!seed) return workspace.load(runAtOnce(workspace.prepareInSteps(state)));
  workspace.reseed(state);
  seedBytes.set(workspace, runAtOnce(prepareSeedInSteps(state)).bytes);
};

/** What a request does to a workspace, which may have been dropped while it was in flight. */
const actions: Readonly<Record<string, (workspace: Workspace, size: number) => unknown>> = {
  lead: (workspace, size) => workspace.addLead({ name: 'n'.repeat(size), source: '', note: '' }, 'prefixed'),
  update: (workspace, size) =>
    workspace.updateLead('lead_000001', { name: 'm'.repeat(size), source: undefined, note: undefined }),
  delete: (workspace) => workspace.deleteLead('lead_000001'),
  mail: (workspace, size) =>
    workspace.capture({ ...message, subject: 'я'.repeat(size), html: 'h'.repeat(10 * size) }),
  removeMail: (workspace) => workspace.outbox.remove(workspace.outbox.latest()?.id ?? ''),
  clearMails: (workspace) => workspace.outbox.clear(),
  request: (workspace, size) => addRequest(workspace.journal, size),
  clearRequests: (workspace) => workspace.journal.clear(),
  template: (workspace, size) =>
    workspace.saveTemplate({
      id: String(size % 3),
      name: 'x',
      body: 'z'.repeat(size),
      variables: [],
      created_at: '',
    }),
  deleteTemplate: (workspace, size) => workspace.deleteTemplate(String(size % 3)),
  fault: (workspace, size) => workspace.faults.replace([{ status: 500, body: 'f'.repeat(size) }]),
  watch,
  wait,
  reset: (workspace) => {
    recordedBytes.delete(workspace.journal);
    workspace.reset();
  },
  import: (workspace, size) => load(workspace, size),
  seed: (workspace, size) => load(workspace, size, true),
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

const empty = createWorkspace({ key: 'test_empty', seed: {}, templates: [], outboxLimit: 5 });
const emptyBytes = empty.heldBytes() - empty.events.heldBytes();

/** Counted anew, item by item. */
const recount = ({ leads, templates, outbox, journal, faults }: Workspace) => ({
  leads: sum([...leads.values()].map(leadBytes)),
  templates: sum([...templates.values()].map(templateBytes)),
  outbox: sum(outbox.list().map(messageBytes)),
  journal: sum(journal.all().map((each) => recordedBytes.get(journal)?.get(each.id) ?? entryBytes(each))),
  faults: sum(faults.list().map(({ seen: _s, matched: _m, left: _l, ...rule }) => ruleBytes(rule))),
});

test('what is held is exactly what is there, whatever is dropped, reset or still in flight', async () => {
  const step = tuple(constantFrom(...Object.keys(actions)), nat(5), nat(2000));
  await assert(
    asyncProperty(array(step, { maxLength: 80 }), async (plan) => {
      openConnections.clear();
      const workspaces = createWorkspaces({
        acceptKeys: [],
        seed: {},
        templates: [],
        outboxLimit: 5,
        limit: 3,
        maxBytes: 150_000,
      });
      // Requests keep the workspace that they were admitted to.
      const admitted: Workspace[] = [];
      for (const [action, number, size] of plan) {
        const workspace = size % 4 === 0 ? admitted[number] : workspaces.getOrCreate(`test_${number}`);
        if (!workspace) continue;
        admitted[number] ??= workspace;
        actions[action]?.(workspace, size);
        if (size % 7 === 0) addRequest(workspaces.unclaimed, size);
        await new Promise<void>((resolve) => nextTurn(resolve));
        const all = workspaces.byRecentUse();
        expect(workspaces.heldBytes()).toBe(
          sum(all.map((each) => each.heldBytes())) + workspaces.unclaimed.heldBytes(),
        );
        for (const each of all) {
          const stores = recount(each);
          const events = each.events.heldBytes();
          expect(each.outbox.heldBytes()).toBe(stores.outbox);
          expect(each.journal.heldBytes()).toBe(stores.journal);
          expect(each.heldBytes()).toBe(
            sum(Object.values(stores)) + events + (seedBytes.get(each) ?? 0) + emptyBytes,
          );
          expect(events).toBeLessThanOrEqual(limits.eventsBytes);
        }
        expect(workspaces.size()).toBeLessThanOrEqual(3);
        // A dropped workspace has none: those of requests that are still in flight to it end with them.
        expect(workspaces.waiting()).toBe(openConnections.size);
        // More is held only by the workspace in use, of what is not dropped.
        expect(workspaces.heldBytes()).toBeLessThan(150_000 + 2 * 50_000);
      }
      for (const each of [...workspaces.byRecentUse(), ...admitted]) each?.drop();
      expect(workspaces.heldBytes()).toBe(workspaces.unclaimed.heldBytes());
      await new Promise<void>((resolve) => nextTurn(resolve));
      expect(workspaces.waiting()).toBe(0);
    }),
    { numRuns: isWhole ? 300 : 100, seed: 12 },
  );
});

test('a large text is read in steps as JSON.parse reads it', () => {
  const sizes = { memoryBytes: 64 * 1024 * 1024, itemBytes: 1024 * 1024, itemValues: 10_000 };
  const parse = (text: string): unknown => runAtOnce(parseInSteps(Buffer.from(text), sizes));
  const items = Array.from({ length: 5000 }, (_, number) => ({
    name: `"\\${number}]}`,
    note: `я, [{"${'x'.repeat(number % 300)}`,
    nested: [[], {}, [number, null]],
  }));
  const whole = { a: items, __proto: 1, b: [], c: { d: [1, 2] }, e: [1, 'x', [2]], ['__proto__']: [3] };
  const text = JSON.stringify(whole, null, 1);
  expect(JSON.stringify(parse(text))).toBe(JSON.stringify(JSON.parse(text)));
  const broken = [
    text.slice(0, -1),
    text.slice(0, -5),
    text.replace('[]', '[,]'),
    `${text}]`,
    text.replace('"name"', 'name'),
    text.replace(/\}\s*,\s*\{/, '}{'),
    text.replace(/\}\s*\]/, '},]'),
    text.replace(/\}\s*\]/, '}}'),
  ];
  for (const bad of broken) expect(() => parse(bad)).toThrow(SyntaxError);
});
