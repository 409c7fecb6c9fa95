import type { Answer } from '../../mock/contract/questions.ts';
import { broken, unfound } from './broken.ts';
import { conforming } from './conforming/index.ts';
import { expectedAnswersOf } from './expected-answers.ts';

/** The frameworks, by the names of their files in `frameworks/`. */
export const frameworks = ['express4', 'express5', 'koa', 'hapi', 'nest', 'hono', 'fastify'] as const;

export type Framework = (typeof frameworks)[number];

/** The answer of each question; a question without an entry has none, because the mistake of a server hides it. */
export type Answers = Readonly<Partial<Record<string, Answer>>>;

/** What the suite must report about a server: these findings and no other, these answers and no other. */
type Expectation = { readonly findings: readonly string[]; readonly answers: Answers };

/** Answers that most of the frameworks give: those of the plain server, but for some. */
const usualAnswers: Answers = {
  ...expectedAnswersOf('plain'),
  'templates.list-path': 'plural',
  'templates.send-path': 'template',
  'send.to': 'required',
  'template-send.variables': 'optional',
  'lead.empty-name': 'accepted',
  'failure.wrong-method-status': 404,
  'failure.media-type-status': 400,
};

const leadLimits = (limit: Answer): Answers => ({
  'lead.name-limit': limit,
  'lead.source-limit': limit,
  'lead.note-limit': limit,
});

const invalidStatus = (status: Answer): Answers => ({
  'failure.validation-status': status,
  'failure.media-type-status': status,
});

/** How the answers of a framework differ from the usual ones. */
const ownAnswers: Readonly<Record<Framework, Answers>> = {
  express4: {
    ...invalidStatus(422),
    'lead.empty-name': 'rejected',
    'lead.id-format': 'integer',
    'limits.body-size': '100KiB',
  },
  express5: {
    ...leadLimits(5000),
    'auth.malformed-status': 403,
    'auth.unknown-key-status': 403,
    'failure.error-style': 'code',
    'failure.message-field': 'absent',
    'lead.id-format': 'uuid',
    'lead.list': 'present',
    'lead.retrieve': 'present',
    'send.from': 'optional',
    'template-send.variables': 'required',
    'templates.list-path': 'both',
    'templates.send-path': 'both',
  },
  koa: {
    'failure.wrong-method-status': 405,
    'lead.empty-name': 'rejected',
    'lead.id-format': 'prefixed',
    'lead.source': 'required',
    'lead.unknown-field': 'rejected',
    'lead.update-empty': 'rejected',
    'send.to': 'optional',
    'success.error-field': 'empty',
    'templates.send-path': 'send-template',
  },
  hapi: {
    'failure.success-field': 'absent',
    'lead.id-format': 'opaque',
    'template-send.missing-variable': 'accepted',
    'template-send.variables': 'required',
    'templates.limit-parameter': 'honoured',
  },
  nest: {
    'failure.message-field': 'absent',
    'lead.empty-name': 'rejected',
    'lead.id-format': 'uuid',
    'lead.list': 'present',
    'lead.retrieve': 'present',
    'limits.body-size': '100KiB',
    'templates.send-path': 'both',
  },
  hono: {
    ...invalidStatus(422),
    'lead.update-name': 'ignored',
    'lead.update-source': 'ignored',
    'lead.update-empty': 'rejected',
    'auth.malformed-status': 400,
    'lead.id-format': 'uuid',
    'lead.unknown-field': 'rejected',
    'limits.body-size': 'above-1MiB',
    'send.to': 'optional',
    'template-send.to': 'required',
    'templates.send-path': 'both',
  },
  fastify: {
    ...leadLimits(2000),
    'failure.message-field': 'absent',
    'failure.success-field': 'absent',
    'lead.empty-name': 'rejected',
    'lead.id-format': 'integer',
    'lead.note': 'required',
    'lead.retrieve': 'present',
    'lead.source': 'required',
    'lead.wrong-type': 'accepted',
    'send.to': 'optional',
    'template-send.variables': 'required',
  },
};

const bothWrites = (...facts: readonly string[]): string[] =>
  facts.flatMap((fact) => [`leads.add.${fact}`, `leads.update.${fact}`]);

const without = (answers: Answers, ...questions: readonly string[]): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => !questions.includes(id)));

const ignoresName = (framework: Framework): boolean =>
  ownAnswers[framework]['lead.update-name'] === 'ignored';

/** Fields beside the note that may be sent empty, and are then null. hapi makes null of a name in updates only. */
const emptyAsNull: Readonly<Record<Framework, readonly string[]>> = {
  express4: ['add.source', 'update.name', 'update.source'],
  express5: ['add.name', 'add.source', 'update.name', 'update.source'],
  koa: ['update.name', 'update.source'],
  hapi: ['add.source', 'update.name', 'update.source'],
  nest: ['add.source', 'update.source'],
  hono: ['add.name', 'add.source'],
  fastify: [],
};

/** Sanitising answers a question of its own, and is no finding. */
const sanitised =
  (id: string, answer: Answer) =>
  (answers: Answers): Expectation => ({ findings: [], answers: { ...answers, [id]: answer } });

/** What each switch changes: usual sanitising, then usual mistakes. A deployment has one of them, or none. */
const bySwitch: Readonly<Record<string, (answers: Answers, framework: Framework) => Expectation>> = {
  none: (answers) => ({ findings: [], answers }),
  trim: sanitised('lead.outer-blanks', 'trimmed'),
  lineBreaks: sanitised('lead.line-breaks', 'normalised'),
  compose: sanitised('lead.unicode-form', 'composed'),
  created: (answers) => ({ findings: ['leads.add.success'], answers }),
  htmlNotFound: (answers) => ({ findings: ['failures.error'], answers }),
  detail: (answers, framework) => ({
    findings: ['failures.error'],
    answers: {
      ...without(answers, 'failure.error-style'),
      // What hapi calls `message` is the text that this mistake renames.
      ...(framework === 'hapi' ? { 'failure.message-field': 'absent' } : {}),
    },
  }),
  escape: (answers) => ({ findings: bothWrites('keeps-texts'), answers }),
  numbers: (answers, framework) => ({
    findings: [
      ...['name', 'source', 'note'].map((field) => `leads.add.${field}`),
      ...(ignoresName(framework) ? [] : ['leads.update.name', 'leads.update.source']),
      'leads.update.note',
    ],
    answers: { ...answers, 'lead.wrong-type': 'accepted' },
  }),
  emptyAsNull: (answers, framework) => ({
    findings: [...bothWrites('note'), ...emptyAsNull[framework].map((field) => `leads.${field}`)],
    answers,
  }),
};

export const switches = Object.keys(bySwitch);

/** The switches of servers that conform: none, and the sanitising that no document forbids. */
export const conformingSwitches: readonly string[] = ['none', 'trim', 'lineBreaks', 'compose'];

export const expectationOf = (framework: Framework, name: string): Expectation => {
  const expectation = bySwitch[name];
  if (!expectation) throw new Error(`${name} is no switch`);
  return expectation({ ...usualAnswers, ...ownAnswers[framework] }, framework);
};

/** What `npm run proof` and `npm run frameworks` hold, in a phrase each. */
export const scores = (): Readonly<Record<'proof' | 'frameworks', string>> => {
  const [good = 0, all = 0] = [conformingSwitches, switches].map((names) => frameworks.length * names.length);
  return {
    proof: `no false alarm on ${conforming.length} conforming servers, and ${unfound.size} of ${broken.length} broken ones missed`,
    frameworks: `${good} conforming and ${all - good} broken servers`,
  };
};
