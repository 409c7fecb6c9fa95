import type { OperationId } from '../../mock/contract/operation-id.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { type Need, operationOf } from '../exchange/operations.ts';
import type { Model } from '../model/model.ts';
import type { Failure } from './fact.ts';

/**
 * `documented`: the document states it. `derived`: the document does not state it, but no
 * sensible interpretation works without it.
 */
export type Level = 'documented' | 'derived';

/**
 * What a claim is about, from the bytes of a response to what only several requests show. If one response breaks several
 * claims, those about a later subject follow from those about an earlier one: texts that cannot be parsed show no field.
 */
export const subjects = ['bytes', 'success', 'envelope', 'fields', 'texts', 'lead', 'history'] as const;

type Subject = (typeof subjects)[number];

/** A published claim. Facts decide it, on the exchanges of scenarios or of any traffic. */
export type Check = {
  /** Stable slug, dotted: `leads.add.echoes-fields`. */
  readonly id: string;
  /** The fact, in present tense. */
  readonly title: string;
  /** Section of the interface document it comes from. */
  readonly section: string;
  readonly level: Level;
  readonly operation: OperationId;
  readonly needs: Need;
  /** Responses of all operations; by default of `operation` only. */
  readonly scope?: 'every';
  /** By default `history`. */
  readonly about?: Subject;
  /** Part of a thorough run only. */
  readonly thorough?: true;
  /** What the responses of a run lack if none of them decides it. */
  readonly missing?: string;
};

/** What is wrong with a response, or why it decides nothing. */
type Defect = Pick<Failure, 'expected' | 'actual' | 'pointer'> | { readonly undecided: string };

/** A check that inspects every response of the run, whichever check sent the request: it finds intermittent faults. */
export type ReplyCheck = Check & {
  /** Whether the claim concerns a response. */
  readonly applies: (exchange: Exchange, model?: Model) => boolean;
  /** What is wrong with a response that it concerns. */
  readonly defect: (exchange: Exchange, model?: Model) => Defect | undefined;
};

export const isReplyCheck = (check: Check): check is ReplyCheck => 'defect' in check;

/** Whether a check is the one of success itself, which an operation that does not exist breaks without any response of it. */
export const isSuccessCheck = (check: Check): boolean => isReplyCheck(check) && check.about === 'success';

/** How a response breaks a check, if it does so by itself. */
export const defectOf = (check: ReplyCheck, exchange: Exchange): Failure | undefined => {
  const defect = check.applies(exchange) ? check.defect(exchange) : undefined;
  return defect && 'actual' in defect ? { ...defect, exchange } : undefined;
};

/** The fields that all checks of one operation share. */
export const claimOf = (id: OperationId): Pick<Check, 'operation' | 'needs' | 'section'> => {
  const { needs, section } = operationOf(id);
  return { operation: id, needs, section };
};

/** The title of a check, alone or with what is special about it. */
type Entry = string | Pick<Check, 'title' | 'about' | 'thorough' | 'missing'>;

/** The checks of an operation that come from one section, by id. */
export const factChecksOf = (
  operation: OperationId,
  section: string,
  level: Level,
  entries: Readonly<Record<string, Entry>>,
): readonly Check[] =>
  Object.entries(entries).map(([id, entry]) => ({
    ...claimOf(operation),
    section,
    level,
    id,
    ...(typeof entry === 'string' ? { title: entry } : entry),
  }));

/** The claim that a request succeeds, and not only the first time. */
export const success = { about: 'success' } as const;

/** Titles of checks that several operations have. */
export const titles = {
  anyJsonForm: 'a body is accepted with line breaks, escapes, and its members in another order',
  documentedHeaders: 'a request with only the documented headers, spelled as documented, succeeds',
  survives: 'no input and no wrong key causes a server error',
} as const;

/** What is missing where a deployment accepts everything, or refuses with a server error only. */
export const onlyServerErrors = { missing: 'no request was refused with a status below 500' };
