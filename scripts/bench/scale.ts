import { createLoad, type Load, type Shot } from './load.ts';
import { type Server, startServer } from './server.ts';
import { type Figure, median } from './table.ts';

export type ScalePlan = {
  /** Leads in the large workspace; the small one has 1000. */
  readonly leads: number;
  readonly rounds: number;
  readonly requests: number;
};

type Subject = { readonly server: Server; readonly load: Load };

const lead = JSON.stringify({ name: 'Lena Fischer', source: 'Webinar', note: 'Call back after 17:00' });
const changes = JSON.stringify({ note: 'Called; wants the evening course', source: 'Phone' });
const addLead: Shot = { method: 'POST', path: '/api/v1/leads', body: lead };
const reset: Shot = { method: 'POST', path: '/__admin/reset' };
const few = 1000;
const warmUp = 20_000;

/** Measures the cost of many leads and of a full outbox: time of a request, memory, and time to reset. */
export const measureScale = async (command: readonly string[], plan: ScalePlan): Promise<Figure[]> => {
  const small = await withLeads(command, few);
  const large = await withLeads(command, plan.leads);
  try {
    const speeds = await compareSpeeds(small, large, plan);
    const leadMemory = grown(large.before, large.server.memory());
    const outbox = await fillOutbox(small);
    return [...speeds, memoryFigure(`${plan.leads} leads`, leadMemory), outbox, await measureReset(small)];
  } finally {
    for (const { load, server } of [small, large]) {
      load.close();
      await server.stop();
    }
  }
};

const withLeads = async (
  command: readonly string[],
  count: number,
): Promise<Subject & { readonly before: number | undefined }> => {
  const server = await startServer(command);
  const load = await createLoad(server.url);
  // Warms up both servers equally, so that neither compiled code nor the size of the young generation differs.
  await load.send(addLead, warmUp);
  await load.send(reset, 1);
  const before = server.memory();
  await load.send(addLead, count);
  return { server, load, before };
};

/** Sends the same requests with few and with many leads, alternating. */
const compareSpeeds = async (small: Subject, large: Subject, plan: ScalePlan): Promise<Figure[]> => {
  // The same number of leads in both, evenly distributed over the workspace.
  const updates = (leads: number): Shot[] =>
    Array.from({ length: 500 }, (_, index) => {
      const number = 1 + Math.floor((index * leads) / 500);
      return {
        method: 'PUT',
        path: `/api/v1/leads/lead_${String(number).padStart(6, '0')}`,
        body: changes,
      };
    });
  const both = [
    ['POST /leads', addLead, addLead],
    ['PUT /leads/{id}', updates(few), updates(plan.leads)],
  ] as const;
  const figures: Figure[] = [];
  for (const [name, onSmall, onLarge] of both) {
    const ratios: (number | undefined)[] = [];
    for (const [subject, shots] of [[small, onSmall] as const, [large, onLarge] as const])
      await subject.load.send(shots, plan.requests);
    for (let round = 0; round < plan.rounds; round++) {
      const few = await cost(small, onSmall, plan.requests);
      const many = await cost(large, onLarge, plan.requests);
      ratios.push(few === undefined || many === undefined ? undefined : few / many);
    }
    figures.push({
      figure: `${name} at ${plan.leads} leads / at ${few}`,
      value: `${median(ratios).toFixed(2)} × speed`,
      aim: '≥ 0.95',
    });
  }
  return figures;
};

const cost = async (
  { server, load }: Subject,
  shots: Shot | readonly Shot[],
  count: number,
): Promise<number | undefined> => {
  const before = server.cpu();
  await load.send(shots, count);
  const after = server.cpu();
  return before === undefined || after === undefined ? undefined : after - before;
};

const grown = (before: number | undefined, after: number | undefined): number | undefined =>
  before === undefined || after === undefined ? undefined : after - before;

const memoryFigure = (what: string, mebibytes: number | undefined): Figure => ({
  figure: `Memory of ${what}`,
  value: mebibytes === undefined ? 'not available' : `${mebibytes.toFixed(0)} MiB`,
});

const outboxLimit = 1000;
const longMail = 60_000;

/** Fills an outbox up to its default limit: a thousand messages, with the maximum number of characters. */
const fillOutbox = async ({ server, load }: Subject): Promise<Figure> => {
  const html = `<p>${'Watercolour for beginners. '.repeat(longMail / 27)}</p>`;
  const mail = { subject: 'Your seat is reserved', from: 'a@example.com', to: 'b@example.com', html };
  const before = server.memory();
  await load.send(
    { method: 'POST', path: '/api/v1/email/send', body: JSON.stringify(mail) },
    2 * outboxLimit,
  );
  const figure = memoryFigure(`a full outbox (${outboxLimit} × 60 kB)`, grown(before, server.memory()));
  return { ...figure, aim: 'bounded: 64 MiB' };
};

const manyLeads = 10_000;

const measureReset = async ({ load }: Subject): Promise<Figure> => {
  const times: number[] = [];
  for (let round = 0; round < 3; round++) {
    await load.send(reset, 1);
    await load.send(addLead, manyLeads);
    times.push(await load.send(reset, 1));
  }
  return {
    figure: `Reset with ${manyLeads} leads`,
    value: `${median(times).toFixed(1)} ms`,
    aim: 'milliseconds',
  };
};
