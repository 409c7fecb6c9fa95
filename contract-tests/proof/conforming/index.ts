import { randomUUID } from 'node:crypto';
import { fieldsOf, inData, isKeyRefused, refuse, rewrite } from '../server/mutation.ts';
import { createService } from '../server/server.ts';
import { ordinaryTemplates } from '../server/templates.ts';
import type { Deployment, Fields, Mutation } from '../server/types.ts';
import { combined } from './combined.ts';
import { concurrentEdits } from './concurrent-edits.ts';
import { conformingWith } from './deployment.ts';
import { failures } from './failures.ts';
import { startIndependentServer } from './independent-server.ts';
import { addresses } from './paths.ts';
import { readings } from './readings.ts';
import { refusedMails } from './refused-mails.ts';
import { repeatedRequests } from './repeated-requests.ts';
import { requests } from './requests.ts';
import { replies } from './responses.ts';
import { transport } from './transport.ts';
import { type Requirements, type Variant, variants } from './variant.ts';

export type ConformingDeployment = Deployment & { readonly requirements: Requirements };

const plain = variants('plain')('plain', 'Decides every open point in the most usual way', {});

/** Every conforming deployment that is `createService` with behaviour; what broken ones are built on. */
export const conformingVariants: readonly Variant[] = [
  plain,
  ...addresses,
  ...requests,
  ...failures,
  ...replies,
  ...transport,
  ...combined,
];

const independentServer: ConformingDeployment = {
  id: 'another-service',
  title: 'An implementation that shares no line with the others',
  group: 'another',
  requirements: {},
  start: startIndependentServer,
};

/** Invalid JSON never reaches the operation: the framework in front of it answers (§7 says nothing). */
const bodyParserPage = conformingWith(
  'body-parser-page',
  'A body parser answers what is no JSON with a page of its own',
  'failures',
  plain.behaviour,
  rewrite(
    ({ refused }) => refused === 'json',
    () => ({ headers: { 'content-type': 'text/html' }, payload: Buffer.from('<pre>SyntaxError</pre>') }),
  ),
);

/** A parser that takes objects and arrays only refuses a bare value as it refuses what is no JSON. */
const strictBodyParser = conformingWith(
  'strict-body-parser',
  'A body parser refuses a bare null with the page for what is no JSON',
  'failures',
  plain.behaviour,
  rewrite(
    ({ refused }, { body }) => refused === 'json' || (refused === 'fields' && body === null),
    () => ({
      status: 400,
      headers: { 'content-type': 'text/html; charset=utf-8' },
      payload: Buffer.from('<pre>SyntaxError: Unexpected token in JSON</pre>'),
    }),
  ),
);

/** A typed parameter of a path: any other id is no address of the service, and gets the page of the router. */
const typedRoutes = (
  id: string,
  title: string,
  newId: (n: number) => string,
  ids: RegExp,
): ConformingDeployment =>
  conformingWith(
    id,
    title,
    'failures',
    { ...plain.behaviour, newId },
    rewrite(
      (_, call) => call.id !== '' && !ids.test(call.id),
      () => ({
        status: 404,
        headers: { 'content-type': 'text/html' },
        payload: Buffer.from('<!doctype html><title>404 Not Found</title><h1>Not Found</h1>'),
      }),
    ),
  );

const typedRouters = [
  typedRoutes(
    'typed-routes',
    'A router that knows ids in digits answers any other id with a page',
    (n) => String(5000 + n),
    /^\d+$/,
  ),
  typedRoutes(
    'typed-uuid-routes',
    'A router that knows UUIDs answers any other id with a page',
    () => randomUUID(),
    /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  ),
];

/** How much a server in front of the service takes is not shown (§8). */
const limitInFront = conformingWith(
  'limit-in-front',
  'A server in front answers bodies beyond 16 KiB with a page',
  'limits',
  plain.behaviour,
  {
    // What is refused in front does not reach the service.
    handle: (call, next) =>
      call.text.length > 16_384 ? { status: 413, refused: 'fields', body: {} } : next(call),
    rewrite: (raw, { text }) =>
      text.length > 16_384
        ? {
            status: 413,
            headers: { 'content-type': 'text/html', server: 'nginx' },
            payload: Buffer.from('<html><center><h1>413 Request Entity Too Large</h1></center></html>'),
          }
        : raw,
  },
);

/** How long the headers of a response are is not shown (§8); a policy for the content of pages is easily that long. */
const longHeaders = conformingWith(
  'long-headers',
  'Sends 20 KB of headers with every response',
  'limits',
  plain.behaviour,
  {
    rewrite: (raw) => ({
      ...raw,
      headers: {
        ...raw.headers,
        'content-security-policy': `img-src${' https://cdn.example.com'.repeat(850)}`,
      },
    }),
  },
);

const maxLengths = { name: 64, source: 32, note: 255 } as const;

/** Columns of usual widths (§8). */
const shortTexts = conformingWith(
  'short-texts',
  'Refuses names beyond 64 letters, sources beyond 32 and notes beyond 255',
  'limits',
  plain.behaviour,
  {
    handle: (call, next) => {
      const fields = fieldsOf(call);
      const tooLong = Object.entries(maxLengths).find(
        ([name, max]) => String(fields[name] ?? '').length > max,
      );
      const isAboutLeads = call.operation === 'addLead' || call.operation === 'updateLead';
      if (!isAboutLeads || !tooLong || isKeyRefused(call, next)) return next(call);
      const error = `${tooLong[0]} is too long`;
      return refuse(400, error);
    },
  },
);

const mostLeads = 60;

/** A plan with a limit (§8): refused are the leads beyond it, until one is deleted. */
const limitedLeads = conformingWith(
  'limited-leads',
  `Holds ${mostLeads} leads and refuses more`,
  'limits',
  plain.behaviour,
  {
    handle: (call, next, { store }) => {
      const full = call.operation === 'addLead' && store.living().length >= mostLeads;
      if (!full || isKeyRefused(call, next)) return next(call);
      const error = `the plan is limited to ${mostLeads} leads`;
      return refuse(403, error);
    },
  },
);

/** A lead of an address that is known is the same lead (§2.3 says only that some requests send one). */
const mergesByEmail = conformingWith(
  'merges-by-email',
  'Answers with the lead it holds of the same email instead of adding another',
  'lead-fields',
  plain.behaviour,
  {
    handle: (call, next, { store, memory }) => {
      const { email } = fieldsOf(call);
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
  },
);

/** Somebody edits the first template; `edit` gets how often the templates were listed. */
const editFirstTemplate = (edit: (template: Fields, nth: number) => Fields): Mutation =>
  inData('listTemplates', (data, { nth }) =>
    (data as unknown as Fields[]).map((template, index) => (index === 0 ? edit(template, nth) : template)),
  );

const templatesEdited = conformingWith(
  'templates-edited',
  'Somebody edits a template again and again',
  'templates',
  plain.behaviour,
  editFirstTemplate((template, nth) => ({ ...template, name: `Welcome, version ${Math.floor(nth / 3)}` })),
);

/** Somebody may edit a template during a run, and undo it. */
const templateEditUndone = conformingWith(
  'template-edit-undone',
  'Somebody edits a template, name and body, and undoes it a moment later',
  'templates',
  plain.behaviour,
  editFirstTemplate((template, nth) =>
    nth > 20 && nth < 30
      ? { ...template, name: `${template.name}, new`, body: `${template.body} Bye.` }
      : template,
  ),
);

/** What the document shows without a body may be refused with one. */
const refusesBodies = conformingWith(
  'bodies-refused-where-none-is-shown',
  'Refuses a list and a deletion that carry a body',
  'limits',
  plain.behaviour,
  {
    handle: (call, next) => {
      const hasNone = call.operation === 'listTemplates' || call.operation === 'deleteLead';
      if (!hasNone || call.text === '' || isKeyRefused(call, next)) return next(call);
      return refuse(400, 'no body is expected');
    },
  },
);

/** The note from before an update is in its response, beside the note that is stored. */
const showsPreviousNote = conformingWith(
  'previous-note-shown',
  'Shows what each update replaced beside what it stored',
  'reply-fields',
  plain.behaviour,
  {
    handle: (call, next, { store }) => {
      const replaced = { ...store.find(call.id) };
      const reply = next(call);
      if (call.operation !== 'updateLead' || reply.refused) return reply;
      return { ...reply, body: { ...reply.body, replaced: { note: replaced.note } } };
    },
  },
);

const listCopies = inData('listTemplates', (data, { nth }) =>
  (data as unknown as Fields[]).flatMap((one, index) =>
    index === 0
      ? [one, ...Array.from({ length: Math.floor(nth / 4) }, (_, copy) => ({ ...one, id: `copy-${copy}` }))]
      : [one],
  ),
);

/** Somebody may add templates during a run, which can be sent from then on. */
const templatesAdded = conformingWith(
  'templates-added',
  'Somebody adds a template again and again',
  'templates',
  plain.behaviour,
  {
    handle: (call, next, context) => {
      const body = fieldsOf(call);
      if (call.operation === 'sendTemplateEmail' && /^copy-\d+$/.test(String(body.template_id)))
        return next({ ...call, body: { ...body, template_id: ordinaryTemplates[0]?.id } });
      return listCopies.handle?.(call, next, context) ?? next(call);
    },
  },
);

/** Servers that keep every promise of the document, and of which no suite may say otherwise. */
export const conforming: readonly ConformingDeployment[] = [
  ...conformingVariants.map(({ behaviour, ...variant }) => ({
    ...variant,
    start: createService(behaviour).start,
  })),
  bodyParserPage,
  strictBodyParser,
  ...typedRouters,
  limitInFront,
  longHeaders,
  shortTexts,
  limitedLeads,
  ...concurrentEdits(plain.behaviour),
  ...repeatedRequests(plain.behaviour),
  templatesEdited,
  templateEditUndone,
  templatesAdded,
  refusesBodies,
  showsPreviousNote,
  mergesByEmail,
  ...refusedMails(plain.behaviour),
  ...readings(plain.behaviour),
  independentServer,
];
