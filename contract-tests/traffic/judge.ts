import type { Redact } from '../../mock/contract/redaction.ts';
import { type Exchange, hasServiceEnvelope, isObject, sentJson } from '../exchange/exchange.ts';
import { concernsOneLead, operationOf } from '../exchange/operations.ts';
import { isAbsent } from '../exchange/responses.ts';
import { type Check, isReplyCheck } from '../facts/check.ts';
import type { Failure, Result } from '../facts/fact.ts';
import { judge } from '../judge/judge.ts';
import type { Model } from '../model/model.ts';
import { leadIdOf } from '../model/requests.ts';
import { failed, type Status, seenOnce, type Verdict } from '../runner/verdict.ts';

/** A claim that an exchange breaks. */
export type Finding = { readonly check: Check; readonly failure: Failure };

/** Why a check has no result. */
export const notSeen = 'no such traffic was seen';

/** From the weakest to the strongest: another exchange only raises the status of a check. */
const statuses: readonly Status[] = ['skipped', 'pass', 'inconclusive', 'unstable', 'warn', 'fail'];

const rankOf = ({ status }: Verdict): number => statuses.indexOf(status);

/** @param redact removes keys from a finding */
export const createTrafficJudge = (checks: readonly Check[], model: Model, redact: Redact) => {
  const verdicts = new Map(
    checks.map((check): [string, Verdict] => [check.id, { check, status: 'skipped', reason: notSeen }]),
  );
  const succeeded = new Set<string>();

  /** What an exchange shows of a check, given what those before it have shown. */
  const verdictOf = ({ check, failure: earlier }: Verdict, result: Result, exchange: Exchange): Verdict => {
    const { broken, undecided } = result;
    if (broken) {
      const failure = presentFailure(broken, exchange, redact);
      // One server error may be an outage of a moment, whatever the request.
      const isAlone = isReplyCheck(check) && exchange.status >= 500 && earlier === undefined;
      return isAlone ? seenOnce(check, failure) : failed(check, failure);
    }
    if (undecided !== undefined) return { check, status: 'inconclusive', reason: undecided };
    return { check, status: 'pass' };
  };

  /** Enters what the result shows. @returns the finding, if it is one */
  const record = (result: Result, exchange: Exchange): Finding[] => {
    const before = verdicts.get(result.check);
    if (!before) return [];
    const verdict = verdictOf(before, result, exchange);
    const { check, failure, status } = verdict;
    if (rankOf(verdict) > rankOf(before)) verdicts.set(check.id, verdict);
    return failure && status !== 'unstable' ? [{ check, failure }] : [];
  };

  return {
    /**
     * Enters what this exchange may have changed. Must be called in the order of the exchanges.
     * @param isKnown whether its response can be judged
     * @returns the claims that it breaks, each once
     */
    inspect: (exchange: Exchange, isKnown: boolean): Finding[] => {
      const isOfService = isKnown && isFromService(exchange, model, succeeded);
      const results = judge(exchange, model);
      if (!isOfService) return [];
      if (exchange.outcome === 'success') succeeded.add(formOf(exchange));
      const findings = results.flatMap((result) => record(result, exchange));
      return findings.filter(({ check }, at) => at === findings.findIndex((other) => other.check === check));
    },
    /** The verdict on every check, from all exchanges. */
    verdicts: (): Verdict[] => [...verdicts.values()],
  };
};

/** The operation, and the path form (§4.4) where it has several. */
const formOf = ({ operation, path }: Exchange): string =>
  `${operation} ${concernsOneLead(operation) ? '' : path}`;

/**
 * Whether the response comes from the operation, and not from a path form that does not exist, or from a router that expects
 * other ids. The suite tests this with requests of its own; in traffic, earlier successes show it.
 */
const isFromService = (exchange: Exchange, { leads }: Model, succeeded: ReadonlySet<string>): boolean => {
  const { operation, outcome } = exchange;
  if (outcome === 'success' || outcome === 'gateway') return true;
  if (concernsOneLead(operation))
    return leads.has(leadIdOf(exchange)) || outcome === 'broken' || hasServiceEnvelope(exchange.json);
  if (operationOf(operation).paths.length === 1 || succeeded.has(formOf(exchange))) return true;
  return hasServiceEnvelope(exchange.json) && !isAbsent(exchange);
};

/** A text as findings show it, between quotes and perhaps without its end. */
const quoted = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)/g;

const number = /\d[\d.+eE-]{2,}/g;

const stringsIn = (json: unknown): string[] => {
  if (typeof json === 'string') return [json];
  return typeof json === 'object' && json !== null ? Object.values(json).flatMap(stringsIn) : [];
};

const shortest = 3;

/**
 * Removes what may be data of a record that the session did not create: texts in quotes, numbers except for statuses, and the
 * texts of the record where an error message repeats them.
 */
const withoutValues = (text: string, exchange: Exchange): string => {
  const { status, json } = exchange;
  const unquoted = text
    .replaceAll(quoted, '"…"')
    .replaceAll(number, (digits) => (digits === '200' || digits === String(status) ? digits : '…'));
  return stringsIn([sentJson(exchange), isObject(json) ? json.data : undefined])
    .filter((value) => value.length >= shortest && text.includes(value))
    .sort((left, right) => right.length - left.length)
    .reduce((rest, value) => rest.replaceAll(value, '…'), unquoted);
};

/** A finding without keys, and without data of records that the session did not create. */
const presentFailure = (failure: Failure, exchange: Exchange, redact: Redact): Failure => {
  const clean = (text: string): string => redact(exchange.own ? text : withoutValues(text, exchange));
  return { ...failure, expected: clean(failure.expected), actual: clean(failure.actual), exchange };
};
