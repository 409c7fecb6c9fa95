import { usualChecks } from '../checks/index.ts';
import { everythingPermitted } from '../client/permissions.ts';
import { entryOf } from '../cost/cost.ts';
import { runContract } from '../runner/run.ts';
import { broken, conforming } from './servers.ts';

const d = [...conforming, ...broken].find((s) => s.id === process.argv[2])!;
const r = await d.start();
const run = await runContract({
  url: r.url,
  key: r.key,
  permissions: everythingPermitted,
  checks: usualChecks,
  timeout: 60000,
});
const m = new Map<string, Map<string, number>>();
for (const e of run.exchanges) {
  const k = entryOf(e);
  const x = m.get(k) ?? new Map();
  m.set(k, x);
  const o = `${e.method} ${e.operation ?? ''} ${e.outcome === 'refusal' ? 'ref' : ''}`;
  x.set(o, (x.get(o) ?? 0) + 1);
}
for (const [k, x] of m)
  console.log(
    [...x.values()].reduce((a, b) => a + b),
    k,
    [...x].map(([o, n]) => `${o}:${n}`).join(', '),
  );
console.log(run.exchanges.length, run.mailsRequested);
if (process.argv[3])
  for (const e of run.exchanges.filter((e) => entryOf(e) === process.argv[3]))
    console.log(e.method, e.path, String(e.sentBody ?? (e as any).body ?? '').slice(0, 110), e.status);
await r.close();
process.exit(0);
