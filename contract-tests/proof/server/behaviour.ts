import { ordinaryTemplates, type Template } from './store.ts';

const usualStatuses = {
  key: 401,
  route: 404,
  method: 405,
  'media-type': 415,
  size: 413,
  json: 400,
  fields: 400,
  duplicate: 409,
  template: 404,
  lead: 404,
};

/** Why a request is refused. The document names no cause and no status (§7.4, §7.5). */
export type Reason = keyof typeof usualStatuses;

export type Verdict = 'accepted' | 'rejected';

/** Every point the document leaves open, decided one way. A conforming deployment is `defaultBehaviour` with some of them changed. */
export type Behaviour = {
  // §5
  readonly key: string;
  readonly keyForms: 'bearer' | 'any-case' | 'bare-too';
  readonly keyJudged: 'first' | 'last';
  // {base_url}, §4.4, §4.8
  readonly prefix: string;
  readonly listPaths: 'both' | 'plural' | 'singular';
  readonly sendPaths: 'both' | 'template' | 'send-template';
  readonly trailingSlash: Verdict;
  readonly leadReading: 'absent' | 'present';
  readonly outsideService: 'refusal' | 'html' | 'home-page' | 'redirect';
  // §4.1, §4.3
  readonly mailRequires: readonly string[];
  readonly addresses: 'checked' | 'unchecked';
  readonly senders?: RegExp;
  readonly templateMailRequires: readonly string[];
  readonly templateTo: Verdict;
  readonly missingVariable: Verdict;
  readonly extraVariable: Verdict;
  // §2.3, §4.5, §4.6, §4.7
  readonly leadRequires: readonly string[];
  readonly leadEmail: Verdict;
  /** Ignored, an empty name or source in an update counts as none. */
  readonly emptyName: Verdict | 'ignored';
  readonly unknownField: Verdict;
  readonly wrongType: 'rejected' | 'as-text';
  readonly duplicate: 'accepted' | 'rejected' | 'merged';
  readonly updateRequires: readonly string[];
  readonly updateOthers: 'accepted' | 'ignored' | 'rejected';
  /** What becomes of a source where that is not what becomes of a name. */
  readonly updateSource?: Behaviour['updateOthers'];
  readonly updateWithoutNote: 'applied' | 'ignored' | 'empties';
  readonly updateEmpty: Verdict;
  readonly deleteUnknown: Verdict;
  readonly newLeadHiddenMs: number;
  /** One of them has each change at once, the others later; they answer in turn. */
  readonly replicas: number;
  readonly deletedLeadAliveMs: number;
  // §8
  readonly limits: { readonly [field: string]: number };
  readonly beyondLimit: 'rejected' | 'cut';
  readonly refusesText?: RegExp;
  /** What the texts of a lead are changed by before they are stored. */
  readonly sanitises: {
    readonly blanks?: true;
    readonly lineBreaks?: true;
    readonly letters?: true;
    readonly controls?: true;
  };
  readonly bodyLimit: number;
  readonly mediaType: 'checked' | 'ignored';
  readonly rate?: {
    readonly perSecond: number;
    readonly status: number;
    readonly retryAfter?: (now: Date) => string;
  };
  // §7
  readonly statuses: { readonly [reason in Reason]: number };
  readonly failure: (sentence: string, reason: Reason) => object;
  readonly failureType: string;
  // §2, §4: what replies carry
  readonly newId: (n: number) => string;
  readonly time: (date: Date) => string;
  readonly templates: readonly Template[];
  readonly templateOrder: 'stable' | 'changing';
  readonly messages: 'text' | 'empty';
  readonly undocumentedError: 'absent' | 'empty';
  readonly extras: object;
  readonly dataExtras: object;
  readonly leadTimes: 'one' | 'both';
  // the way replies travel
  readonly encoding: 'identity' | 'gzip' | 'br' | 'deflate';
  readonly delivery: 'whole' | 'chunked' | 'dribbled';
  readonly connection: 'keep-alive' | 'close';
  readonly latencyMs: number;
  readonly json: (value: unknown) => string;
  readonly contentType: string;
  readonly headers: { readonly [name: string]: string };
  readonly date: 'absent' | ((now: Date) => Date);
};

export const sameStatus = (status: number): Behaviour['statuses'] => ({
  ...usualStatuses,
  ...Object.fromEntries(Object.keys(usualStatuses).map((reason) => [reason, status])),
});

export const defaultBehaviour: Behaviour = {
  key: 'sk_live_4f9c1e7ab2d8463095be',
  keyForms: 'bearer',
  keyJudged: 'first',
  prefix: '',
  listPaths: 'both',
  sendPaths: 'both',
  trailingSlash: 'rejected',
  leadReading: 'absent',
  outsideService: 'refusal',
  mailRequires: ['subject', 'from', 'html'],
  addresses: 'checked',
  templateMailRequires: ['template_id', 'variables'],
  templateTo: 'accepted',
  missingVariable: 'rejected',
  extraVariable: 'accepted',
  leadRequires: ['name'],
  leadEmail: 'accepted',
  emptyName: 'rejected',
  unknownField: 'accepted',
  wrongType: 'rejected',
  duplicate: 'accepted',
  updateRequires: [],
  updateOthers: 'accepted',
  updateWithoutNote: 'applied',
  updateEmpty: 'accepted',
  deleteUnknown: 'rejected',
  newLeadHiddenMs: 0,
  replicas: 1,
  deletedLeadAliveMs: 0,
  limits: {},
  beyondLimit: 'rejected',
  sanitises: {},
  bodyLimit: 1_048_576,
  mediaType: 'checked',
  statuses: usualStatuses,
  failure: (sentence) => ({ success: false, error: sentence, message: 'The request was refused.' }),
  failureType: 'application/json',
  newId: (n) => `lead_${(n * 7919).toString(36).padStart(6, '0')}`,
  time: (date) => date.toISOString(),
  templates: ordinaryTemplates,
  templateOrder: 'stable',
  messages: 'text',
  undocumentedError: 'absent',
  extras: {},
  dataExtras: {},
  leadTimes: 'one',
  encoding: 'identity',
  delivery: 'whole',
  connection: 'keep-alive',
  latencyMs: 0,
  json: (value) => JSON.stringify(value),
  contentType: 'application/json',
  headers: {},
  date: (now) => now,
};
