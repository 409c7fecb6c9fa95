import {
  dataOf,
  describeRefusal,
  type Exchange,
  isRefusal,
  isSuccess,
  sentFields,
} from '../client/exchange.ts';
import type { ReplyCheck } from '../session/check.ts';
import { templateIdOf } from '../session/email-requests.ts';
import { type Operation, operations, operationsThatNeed } from '../session/operations.ts';
import { CheckUnstable, type Failure } from '../session/outcome.ts';
import { concernsOneLead } from '../session/routes.ts';
import { conflict, isForeignPage, isNotModified, isServerError } from '../session/trouble.ts';
import { isolatedErrors } from './response-fields.ts';

const mails: ReadonlySet<string> = new Set(operationsThatNeed('mail'));

/**
 * Whether a request must succeed every time. A mail with unusual texts counts too, because it
 * is compared only with repeats of itself.
 */
const isComplete = ({ intent, credentials, operation }: Exchange): boolean =>
  credentials === 'key' && (intent === 'complete' || (intent === 'text' && mails.has(operation)));

/** Identifies requests that a deployment must treat alike: for the same lead, from the same template, or the same mail. */
const subjectOf = (exchange: Exchange): string => {
  const { operation, path, intent, body } = exchange;
  if (!mails.has(operation)) return path;
  // Other requests may have a body that is not JSON.
  const isPlainTemplate = operation === 'sendTemplateEmail' && intent === 'complete' && isComplete(exchange);
  return `${path} ${isPlainTemplate ? templateIdOf(exchange) : body}`;
};

/** The number of leads of the run at the time of each response. */
const leadCounts = (exchanges: readonly Exchange[]): Map<Exchange, number> => {
  const counts = new Map<Exchange, number>();
  let count = 0;
  for (const exchange of exchanges) {
    counts.set(exchange, count);
    if (!isSuccess(exchange)) continue;
    if (exchange.operation === 'addLead') count += 1;
    if (exchange.operation === 'deleteLead') count -= 1;
  }
  return counts;
};

/** Whether the deployment may limit the number of leads: no lead was added while there were at least as many. */
const mayBeQuota = (refusal: Exchange, exchanges: readonly Exchange[]): boolean => {
  const counts = leadCounts(exchanges);
  const atRefusal = counts.get(refusal) ?? 0;
  return !exchanges.some(
    (exchange) =>
      exchange.operation === 'addLead' && isSuccess(exchange) && (counts.get(exchange) ?? 0) >= atRefusal,
  );
};

/**
 * Whether an update has the same body as the previous one of that lead. `leads.update.repeatable`
 * tests whether such an update is refused.
 */
const changesNothing = (update: Exchange, exchanges: readonly Exchange[]): boolean =>
  update.operation === 'updateLead' &&
  exchanges
    .slice(0, exchanges.indexOf(update))
    .findLast(
      ({ operation, path, outcome }) =>
        operation === 'updateLead' && path === update.path && outcome === 'success',
    )?.body === update.body;

const mailFields = ['subject', 'html', 'template_id', 'variables'];

const contentOf = (mail: Exchange): string => {
  const sent = sentFields(mail);
  return JSON.stringify(mailFields.map((name) => sent[name]));
};

/** Whether a mail may be refused as a duplicate of an accepted one, which the document does not forbid (§4.1, §4.3). */
const isDuplicate = (mail: Exchange, exchanges: readonly Exchange[]): boolean =>
  mails.has(mail.operation) &&
  mail.status === conflict &&
  exchanges.some(
    (other) =>
      other.operation === mail.operation &&
      isSuccess(other) &&
      other.sentAt < mail.receivedAt &&
      contentOf(other) === contentOf(mail),
  );

/**
 * Refusals between two successes of the same request. A refusal because a lead is not visible yet, a quota is exhausted or an
 * operation is forbidden comes before the first success or lasts, and does not count.
 */
const passingRefusals = (exchanges: readonly Exchange[], operation: Operation): Exchange[] => {
  const complete = exchanges.filter(
    (exchange) => exchange.operation === operation.id && isComplete(exchange),
  );
  return complete.filter((exchange, index) => {
    if (isNotModified(exchange)) return true;
    if (!isRefusal(exchange) || isForeignPage(exchange) || changesNothing(exchange, exchanges)) return false;
    if (isDuplicate(exchange, exchanges)) return false;
    // A request with a body that the document does not show is a different request.
    const alike = (other: Exchange): boolean =>
      subjectOf(other) === subjectOf(exchange) &&
      (other.body === undefined) === (exchange.body === undefined) &&
      isSuccess(other);
    const isRepeat = (other: Exchange): boolean =>
      other.body !== undefined &&
      other.body === exchange.body &&
      other.credentials === 'key' &&
      isSuccess(other);
    const next = later(exchanges, exchange).find(
      (other) => other.operation === operation.id && (alike(other) || isRepeat(other)),
    );
    if (!next) return false;
    // A lead that can be deleted exists now, and existed earlier if an update of it succeeded before.
    const isBefore = (other: Exchange): boolean => other.path === exchange.path && isSuccess(other);
    const before = concernsOneLead(operation.id)
      ? exchanges.slice(0, exchanges.indexOf(exchange)).some(isBefore)
      : complete.slice(0, index).some(operation.needs === 'mail' ? isBefore : alike);
    return before && !(operation.id === 'addLead' && mayBeQuota(exchange, exchanges));
  });
};

/** The requests that were pending at the same time, or the previous request. */
const neighboursOf = (exchange: Exchange, exchanges: readonly Exchange[]): readonly Exchange[] => {
  const before = exchanges
    .filter((other) => other !== exchange && other.sentAt <= exchange.sentAt)
    .sort((left, right) => left.sentAt - right.sentAt);
  const together = before.filter(({ receivedAt }) => receivedAt > exchange.sentAt);
  return together.length > 0 ? together : before.slice(-1);
};

const findSporadicRefusals =
  (operation: Operation) =>
  (exchanges: readonly Exchange[]): Failure | undefined => {
    const refusals = passingRefusals(exchanges, operation);
    const [first] = refusals;
    // One refusal may be a coincidence. For mails one is enough, because a run sends few of them.
    if (!first || refusals.length < (operation.needs === 'mail' ? 1 : 2)) return undefined;
    const count = exchanges.filter(
      (exchange) => exchange.operation === operation.id && isComplete(exchange),
    ).length;
    const problem = isNotModified(first)
      ? 'reported as not modified, although no request is conditional'
      : 'refused between successes of the same request';
    return {
      expected: 'a complete request to succeed every time',
      actual: `${refusals.length} of ${count} ${problem}: ${describeRefusal(first)}`,
      exchange: first,
      causes: neighboursOf(first, exchanges),
    };
  };

/** §4: a request with everything documented that succeeds once must succeed every time. */
export const regularityChecks: readonly ReplyCheck[] = operations.map((operation) => ({
  id: `${operation.area}.every-time`,
  title: `${operation.action} succeeds every time`,
  section: operation.section,
  level: 'documented',
  operation: operation.id,
  needs: operation.needs,
  // Deletions show that a lead exists, and whether a limit on the number of leads may be the reason.
  scope: 'related',
  inspect: (exchange) =>
    exchange.operation === operation.id && isComplete(exchange) && isSuccess(exchange)
      ? 'fine'
      : 'not applicable',
  inspectAll: findSporadicRefusals(operation),
}));

/** Finds server errors that a request causes again. @throws CheckUnstable if a few errors did not come again */
export const findServerErrors = (exchanges: readonly Exchange[]): Failure | undefined => {
  const judged = exchanges.filter(
    ({ intent, credentials }) => intent !== 'complete' || credentials !== 'key',
  );
  const errors = judged.filter(isServerError);
  const isolated = isolatedErrors(judged);
  const exchange = errors.find((error) => !isolated.has(error)) ?? errors[0];
  if (!exchange) return undefined;
  const failure = {
    expected: 'a status below 500, or an error that describes what is wrong with the request',
    actual: `status ${exchange.status}`,
    exchange,
  };
  if (!isolated.has(exchange)) return failure;
  throw new CheckUnstable({
    reason: `status ${exchange.status} for a request that did not cause it when it was repeated`,
    failure: { ...failure, sporadic: true },
  });
};

const later = (exchanges: readonly Exchange[], than: Exchange): readonly Exchange[] =>
  exchanges.slice(exchanges.indexOf(than) + 1);

const isAddition = (exchange: Exchange): boolean =>
  exchange.operation === 'addLead' && isComplete(exchange) && isSuccess(exchange);

/**
 * Normalises an id in upper case to lower case. An id with both cases is unchanged, because its alphabet distinguishes them.
 */
const withoutCase = (id: string): string => (id === id.toUpperCase() ? id.toLowerCase() : id);

/** §2.3: an id identifies one lead, even after that lead was deleted. */
export const idChecks: readonly ReplyCheck[] = [
  {
    id: 'leads.add.new-ids',
    title: 'no id is assigned twice, not even in another letter case',
    section: '2.3',
    level: 'derived',
    operation: 'addLead',
    needs: 'writes',
    generateTraffic: async (session) => {
      for (let round = 0; round < 3; round += 1) {
        const lead = await session.ownLead();
        await session.deleteLead(lead);
        // A deployment may keep deleted leads, and find them again by name and source.
        if (round === 2) await session.addLead({ ...lead.expected, note: session.newNote() });
      }
    },
    inspect: (exchange) => (isAddition(exchange) ? 'fine' : 'not applicable'),
    inspectAll: (exchanges) => {
      const firstUses = new Map<string, string>();
      for (const exchange of exchanges.filter(isAddition)) {
        const { lead_id: id } = dataOf(exchange);
        if (typeof id !== 'string') continue;
        const earlier = firstUses.get(withoutCase(id));
        if (earlier !== undefined)
          return {
            expected: 'an id that no lead has or had',
            actual: earlier === id ? `${id} a second time` : `${id}, after ${earlier}`,
            exchange,
            pointer: '/data/lead_id',
          };
        firstUses.set(withoutCase(id), id);
      }
      return undefined;
    },
  },
];
