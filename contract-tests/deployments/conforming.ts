import { startAnotherService } from './another-service.ts';
import { asBytes, inData } from './broken/faults.ts';
import { addresses } from './conforming/addresses.ts';
import { combined } from './conforming/combined.ts';
import { failures } from './conforming/failures.ts';
import { meanwhile } from './conforming/meanwhile.ts';
import { replies } from './conforming/replies.ts';
import { requests } from './conforming/requests.ts';
import { transport } from './conforming/transport.ts';
import { type Demands, type Variant, variants } from './conforming/variant.ts';
import type { Deployment } from './deployment.ts';
import type { Fields } from './exchange.ts';
import { isObject } from './rules.ts';
import { createService } from './service.ts';

export type ConformingDeployment = Deployment & { readonly demands: Demands };

const plain = variants('plain')('plain', 'Decides every open point in the most usual way', {});

/** Every conforming deployment that is `createService` with choices; what broken ones are built on. */
export const conformingVariants: readonly Variant[] = [
  plain,
  ...addresses,
  ...requests,
  ...failures,
  ...replies,
  ...transport,
  ...combined,
];

const another: ConformingDeployment = {
  id: 'another-service',
  title: 'An implementation that shares no line with the others',
  group: 'another',
  demands: {},
  start: startAnotherService,
};

/** What is no JSON never reaches the operation: the framework in front of it answers as it does everywhere (§7 says nothing). */
const bodyParserPage: ConformingDeployment = {
  id: 'body-parser-page',
  title: 'A body parser answers what is no JSON with a page of its own',
  group: 'failures',
  demands: {},
  start: createService(
    plain.choices,
    asBytes(
      ({ refused }) => refused === 'json',
      () => ({ headers: { 'content-type': 'text/html' }, payload: Buffer.from('<pre>SyntaxError</pre>') }),
    ),
  ).start,
};

/** A lead of an address that is known is the lead of that address (§2.3 says only that some requests send one). */
const mergesByEmail: ConformingDeployment = {
  id: 'merges-by-email',
  title: 'Answers with the lead it holds of the same email instead of adding another',
  group: 'lead-fields',
  demands: {},
  start: createService(plain.choices, {
    around: (call, next, { store, memory }) => {
      const email = isObject(call.body) ? call.body.email : undefined;
      const reply = next(call);
      if (call.operation !== 'addLead' || reply.refused || email === undefined) return reply;
      const { data } = (memory.get(`of ${email}`) ?? reply.body) as { data: { lead_id: string } };
      const held = store.living().find(({ id }) => id === data.lead_id);
      if (held === store.leads.at(-1)) memory.set(`of ${email}`, reply.body);
      if (!held || held === store.leads.at(-1)) return reply;
      store.leads.pop();
      const { name, source, note } = held;
      return { ...reply, body: { ...reply.body, data: { ...data, name, source, note } } };
    },
  }).start,
};

/** Templates are somebody's work: it may go on while a run lists them. */
const templatesEdited: ConformingDeployment = {
  id: 'templates-edited',
  title: 'Somebody edits a template again and again',
  group: 'templates',
  demands: {},
  start: createService(
    plain.choices,
    inData('listTemplates', (data, { nth }) =>
      (data as unknown as Fields[]).map((one, index) =>
        index === 0 ? { ...one, name: `Welcome, version ${Math.floor(nth / 3)}` } : one,
      ),
    ),
  ).start,
};

/** Servers that keep every promise of the document, and of which no suite may say otherwise. */
export const conforming: readonly ConformingDeployment[] = [
  ...conformingVariants.map(({ choices, ...variant }) => ({
    ...variant,
    start: createService(choices).start,
  })),
  bodyParserPage,
  ...meanwhile(plain.choices),
  templatesEdited,
  mergesByEmail,
  another,
];
