import { type Exchange, hasServiceEnvelope } from '../client/exchange.ts';
import { failed, type Verdict, verdictFor } from '../runner/verdict.ts';
import { describeAbsence, hasList, isAbsent } from '../session/availability.ts';
import { type Check, isReplyCheck, type ReplyCheck } from '../session/check.ts';
import { isInScope, operationOf, operations } from '../session/operations.ts';
import type { Failure } from '../session/outcome.ts';
import { concernsOneLead, routes } from '../session/routes.ts';
import { isForeignPage } from '../session/trouble.ts';
import { historyClaims } from './claims/index.ts';
import type { HistoryClaim } from './claims/leads.ts';
import type { Context, History } from './exchanges/history.ts';
import { createRetained } from './exchanges/history.ts';

/** A claim that an exchange breaks. */
export type Finding = { readonly check: Check; readonly failure: Failure };

type Judge = {
  /** The claims that this exchange breaks. Must be called once per exchange, before it is applied to the history. */
  readonly inspect: (context: Context) => Finding[];
  /** The verdict on every check, from all exchanges. */
  readonly verdicts: () => Verdict[];
  /** The exchanges that are still in memory. */
  readonly exchanges: () => readonly Exchange[];
  /** Number of exchanges that were dropped before claims about several responses could use them. */
  readonly evicted: () => number;
};

type JudgeOptions = {
  readonly checks: readonly Check[];
  readonly history: History;
  /** Removes keys and records that the session did not create from a finding. */
  readonly present: (failure: Failure, context: Context | undefined) => Failure;
  /** Milliseconds until a change must be visible everywhere. */
  readonly propagationMs?: number | undefined;
};

/** Why a check has no result, although traffic could give it one. */
export const notSeen = 'no such traffic was seen';

/** Why a check has no result, if no traffic can give it one. */
const needsOwnRequests = 'only the requests of email-leads contract can test it';

type Tally = { seen: number; failure: Failure | undefined };

export const createJudge = ({ checks, history, present, propagationMs }: JudgeOptions): Judge => {
  const replyChecks = checks.filter(isReplyCheck);
  const known = new Map(checks.map((check) => [check.id, check]));
  const claims: readonly HistoryClaim[] = historyClaims({ propagationMs }).filter(({ check }) =>
    known.has(check),
  );
  // Grouped once, because every exchange of an operation is checked with these claims.
  const byOperation = new Map(
    operations.map(({ id }) => [
      id,
      [
        ...replyChecks
          .filter((check) => isInScope(check, id))
          .map((check) => ({ check: check.id, inspect: ({ exchange }: Context) => check.inspect(exchange) })),
        ...claims.filter(({ operation }) => operation === id),
      ],
    ]),
  );
  const tallies = new Map<string, Tally>(
    [...replyChecks.map(({ id }) => id), ...claims.map(({ check }) => check), ...lateClaims].map((id) => [
      id,
      { seen: 0, failure: undefined },
    ]),
  );
  const retained = createRetained();
  const forms = createPathForms();
  const refusedTemplates = new Map<string, Context>();

  const record = (id: string, result: Failure | 'fine' | 'not applicable', context: Context): Finding[] => {
    const [check, tally] = [known.get(id), tallies.get(id)];
    if (!check || !tally || result === 'not applicable') return [];
    tally.seen += 1;
    if (result === 'fine') return [];
    const failure = present(result, context);
    tally.failure ??= failure;
    return [{ check, failure }];
  };

  /** §4.3: finds a template that was refused as unknown, although it is listed before and after that. */
  const inspectListed = (context: Context): Finding[] => {
    const { exchange, request } = context;
    const id = String((request as { template_id?: unknown } | undefined)?.template_id ?? '');
    if (exchange.operation === 'sendTemplateEmail') {
      const isRefused =
        exchange.outcome === 'refusal' && exchange.status === 404 && exchange.intent === 'complete';
      if (isRefused && forms.succeeded(exchange) && refusedTemplates.size < 100)
        refusedTemplates.set(id, context);
      if (exchange.outcome !== 'success') return [];
      refusedTemplates.delete(id);
      return record('email.template.listed-ids-known', 'fine', context);
    }
    if (!hasList(exchange) || context.observed.target.includes('?')) return [];
    const listed = new Set((exchange.json as { data: { id?: unknown }[] }).data.map((item) => item?.id));
    return [...refusedTemplates].flatMap(([template, refused]) => {
      refusedTemplates.delete(template);
      if (!listed.has(template)) return [];
      const failure: Failure = {
        expected: 'a listed template to be known',
        actual: `refused with ${refused.exchange.status}`,
        exchange: refused.exchange,
      };
      return record('email.template.listed-ids-known', failure, refused);
    });
  };

  const inspect = (context: Context): Finding[] => {
    const { exchange } = context;
    if (!isFromService(context, forms)) {
      forms.note(exchange);
      return [];
    }
    const findings = new Map<string, Finding>();
    const add = (more: readonly Finding[]): void => {
      for (const finding of more)
        if (!findings.has(finding.check.id)) findings.set(finding.check.id, finding);
    };
    for (const { check, inspect } of byOperation.get(exchange.operation) ?? [])
      add(record(check, inspect(context), context));
    add(inspectListed(context));
    forms.note(exchange);
    if (exchange.operation !== 'listTemplates' || exchange.check === 'traffic')
      retained.add(exchange, context);
    if (isForeignPage(exchange)) add(inspectPage());
    return [...findings.values()];
  };

  const presentResponse = (failure: Failure): Failure =>
    present(failure, failure.exchange && retained.contextOf(failure.exchange));

  /** The verdict on all responses together; `undefined` if they break nothing and leave nothing open. */
  const inspectTogether = (check: ReplyCheck): Verdict | undefined => {
    try {
      const failure = check.inspectAll?.(
        retained.exchanges().filter((exchange) => isInScope(check, exchange.operation)),
      );
      return failure && failed(check, presentResponse(failure));
    } catch (error) {
      const verdict = verdictFor(check, error);
      return verdict.failure ? { ...verdict, failure: presentResponse(verdict.failure) } : verdict;
    }
  };

  /** Checks error pages again: a page that names its server belongs to the service if a JSON response named the same server. */
  const inspectPage = (): Finding[] => {
    const check = replyChecks.find(({ id }) => id === 'failures.error');
    const { failure } = (check && inspectTogether(check)) ?? {};
    return check && failure ? [{ check, failure }] : [];
  };

  const verdictOn = (check: Check): Verdict => {
    const tally = tallies.get(check.id);
    const late = lateFailure(check, history, forms);
    const failure = tally?.failure ?? (late && presentResponse(late));
    if (failure) return failed(check, failure);
    const together = isReplyCheck(check) ? inspectTogether(check) : undefined;
    if (together) return together;
    if (tally && tally.seen > 0) return { check, status: 'pass' };
    return { check, status: 'skipped', reason: tally ? notSeen : needsOwnRequests };
  };

  return {
    inspect,
    verdicts: () => checks.map(verdictOn),
    exchanges: retained.exchanges,
    evicted: retained.evicted,
  };
};

/** The path forms (§4.4) that have responded, and how. */
type PathForms = ReturnType<typeof createPathForms>;

const createPathForms = () => {
  const succeeded = new Set<string>();
  const foreign = new Map<string, Exchange>();
  const keyOf = ({ operation, path }: Exchange): string =>
    `${operation} ${concernsOneLead(operation) ? '' : path}`;
  return {
    succeeded: (exchange: Exchange): boolean => succeeded.has(keyOf(exchange)),
    note: (exchange: Exchange): void => {
      if (exchange.outcome === 'success') succeeded.add(keyOf(exchange));
      else if (exchange.intent === 'complete' && !foreign.has(keyOf(exchange)))
        foreign.set(keyOf(exchange), exchange);
    },
    any: (): boolean => succeeded.size > 0,
    /** One response per path form of an operation, if none of the forms has ever succeeded. */
    failedAt: (operation: Exchange['operation']): readonly Exchange[] | undefined => {
      const keys = routes[operation].paths.map((path) => `${operation} ${path}`);
      if (keys.some((key) => succeeded.has(key))) return undefined;
      const responses = keys.flatMap((key) => foreign.get(key) ?? []);
      return responses.length === keys.length ? responses : undefined;
    },
  };
};

/**
 * Whether the response comes from the operation, and not from a path form that does not exist, or from a router that expects
 * other ids. The suite tests this with requests of its own; in traffic, earlier successes show it.
 */
const isFromService = ({ exchange, lead }: Context, forms: PathForms): boolean => {
  const { operation, outcome } = exchange;
  if (outcome === 'success' || outcome === 'gateway') return true;
  if (concernsOneLead(operation))
    return lead !== undefined || outcome === 'broken' || hasServiceEnvelope(exchange.json);
  if (routes[operation].paths.length === 1 || forms.succeeded(exchange)) return true;
  return hasServiceEnvelope(exchange.json) && !isAbsent(exchange);
};

/** Checks that are decided after all exchanges. */
const lateClaims = ['leads.delete.nothing-else', 'email.template.listed-ids-known'];

const lateFailure = (check: Check, history: History, forms: PathForms): Failure | undefined => {
  if (check.id === 'leads.delete.nothing-else') return disappearedLead(history);
  return check.id === `${operationOf(check.operation).area}.success`
    ? absentOperation(check, forms)
    : undefined;
};

/** §4.7: finds a lead of the session that was visible once, was never deleted in the session, and is gone. */
const disappearedLead = (history: History): Failure | undefined => {
  for (const { own, missing, deletedAtMs, mayBeDeleted, seenAtMs, addedAtMs, id } of history.leads()) {
    const wasSeen = own && seenAtMs > addedAtMs;
    if (!missing || !wasSeen || deletedAtMs !== undefined || mayBeDeleted) continue;
    return {
      expected: `the lead ${JSON.stringify(id)} to exist until it is deleted`,
      actual: `gone: ${missing.status}`,
      exchange: missing,
    };
  }
  return undefined;
};

/** §4: finds an operation that is absent at every path form, while other operations succeed. */
const absentOperation = ({ operation }: Check, forms: PathForms): Failure | undefined => {
  if (concernsOneLead(operation) || routes[operation].paths.length === 1 || !forms.any()) return undefined;
  const responses = forms.failedAt(operation);
  const isGone = responses?.every((response) => isAbsent(response) || !hasServiceEnvelope(response.json));
  const [first] = responses ?? [];
  return isGone && first
    ? { expected: '200 and success: true', actual: describeAbsence(first), exchange: first }
    : undefined;
};
