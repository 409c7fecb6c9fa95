import type { QuestionId } from '../../mock/contract/questions.ts';
import {
  dataOf,
  type Exchange,
  isObject,
  type JsonObject,
  type LeadSnapshot,
  parseJson,
  responseFingerprint,
} from '../client/exchange.ts';

/**
 * One lead that stays until the end, for checks that need no lead of their own. One check uses it at a time: two updates
 * at once leave open which note is the last.
 */
export type SharedLead = {
  lead?: OwnLead | undefined;
  /** Whether an update without a note shows the one that is stored; unset until it is asked. */
  showsNotes?: boolean;
  /** What was shown of it before the first request with a wrong key. */
  watched?:
    | { readonly lead: OwnLead; readonly before: Partial<Fields>; readonly isRetrievable: boolean }
    | undefined;
  /** Waits until no other check uses the lead. A check that has it already goes on at once. */
  readonly take: (check: string) => Promise<void>;
  /** Whether no check uses the lead now. */
  readonly isFree: () => boolean;
  /** Whether a check uses the lead now. */
  readonly isUsedBy: (check: string) => boolean;
  /** Called when a check ends, whether it used the lead or not. */
  readonly release: (check: string) => void;
};

export const createSharedLead = (): SharedLead => {
  let user: string | undefined;
  const waiting: { readonly check: string; readonly begin: () => void }[] = [];
  return {
    take: async (check) => {
      if (user === undefined) user = check;
      else if (user !== check) await new Promise<void>((begin) => waiting.push({ check, begin }));
    },
    isFree: () => user === undefined,
    isUsedBy: (check) => user === check,
    release: (check) => {
      if (user !== check) return;
      const next = waiting.shift();
      user = next?.check;
      next?.begin();
    },
  };
};

const goneStatuses: readonly number[] = [404, 410];

/** Whether a deployment says of a lead that it is not there. */
export const saysGone = ({ status }: Pick<Exchange, 'status'>): boolean => goneStatuses.includes(status);

/** A response as it would be for any lead: without the id that was asked for. */
export const fingerprintForAnyId = (exchange: Exchange): string => {
  const id = exchange.path.split('/').at(-1) ?? '';
  const json = parseJson(JSON.stringify(exchange.json ?? null).replaceAll(id, '0'));
  return responseFingerprint({ ...exchange, json, rawText: exchange.rawText.replaceAll(id, '0') });
};

/** Whether a deletion was answered with a success in the wrong form, such as 204 or no JSON: a finding, and the lead is gone. */
export const isWrongSuccess = ({ status, outcome }: Pick<Exchange, 'status' | 'outcome'>): boolean =>
  status >= 200 && status < 300 && outcome === 'broken';

/** How long a lead may take to be known or to be gone: the document says nothing of it, and somewhere it is too long. */
export const maxPropagationMs = 5000;

export type Fields = { name: string; source: string; note: string };

/** The texts of a lead (§2.3). */
export const leadFields = ['name', 'source', 'note'] as const;

/** The texts that `data` of a response shows. What is of another type is another check's finding. */
export const textsIn = (data: JsonObject): Partial<Record<(typeof leadFields)[number], string>> =>
  Object.fromEntries(
    leadFields.flatMap((field) => (typeof data[field] === 'string' ? [[field, data[field]]] : [])),
  );

/** What common middleware makes of a text, which §2.3 leaves open. */
type TextChange = {
  readonly question: QuestionId;
  /** The answer of a deployment that does so; one that does not answers `kept`. */
  readonly answer: string;
  readonly change: (text: string) => string;
};

/** In the order in which software makes more than one of them. */
export const textChanges: readonly TextChange[] = [
  {
    question: 'lead.control-characters',
    answer: 'removed',
    change: (text) => text.replaceAll(/(?![\t\r\n])\p{Cc}/gu, ''),
  },
  {
    question: 'lead.line-breaks',
    answer: 'normalised',
    change: (text) => text.replaceAll('\r\n', '\n'),
  },
  { question: 'lead.unicode-form', answer: 'composed', change: (text) => text.normalize('NFC') },
  { question: 'lead.outer-blanks', answer: 'trimmed', change: (text) => text.trim() },
];

/** The text as sent, and as any combination of these changes leaves it. */
export const storedForms = (text: string): readonly string[] =>
  textChanges.reduce((forms, { change }) => forms.concat(forms.map(change)), [text]);

/** Whether a response shows a field `email`, which the document's does not (§2.3). */
export const carriesEmail = (exchange: Exchange): boolean =>
  Object.hasOwn(dataOf(exchange), 'email') ||
  (isObject(exchange.json) && Object.hasOwn(exchange.json, 'email'));

/** A lead that this run created, in the state that a conforming deployment must have now. */
export type OwnLead = {
  readonly id: string;
  readonly createdAt: unknown;
  expected: Fields;
  /** The note before the last update, which must not come back. */
  noteBefore?: string;
  readonly createdAtMs: number;
  /** Added with texts of this run that nothing should change; `false` once something may have changed them. */
  predictable: boolean;
  deleted: boolean;
  /** Why nobody knows its state: an update of it got no answer that says whether it took effect. */
  doubt?: string;
  /** An update has succeeded: the lead is visible from then on. */
  observed: boolean;
};

/** Ids of no lead: one that cannot exist, and that of a lead the run deleted, which fits a route that expects numbers. */
export const missingIds = (unknownId: string, leads: ReadonlyMap<string, OwnLead>): readonly string[] => {
  const deleted = [...leads.values()].find((lead) => lead.deleted && Date.now() - lead.createdAtMs > 3000);
  return [unknownId, ...(deleted ? [deleted.id] : [])];
};

/** The current state of a lead, for the responses that show it. */
export const snapshot = ({ id, createdAt, expected, createdAtMs }: OwnLead): LeadSnapshot => ({
  id,
  createdAt,
  ...expected,
  age: Date.now() - createdAtMs,
});
