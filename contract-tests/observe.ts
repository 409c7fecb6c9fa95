import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, findQuestion, type Question, type QuestionId } from '../mock/questions.ts';
import { CheckInconclusive, CheckSkipped } from './check.ts';
import { deleteCreated } from './clean-up.ts';
import { NoAnswer, NotPermitted } from './client.ts';
import { hasList } from './controls.ts';
import { evidenceOf } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import { mask } from './mask.ts';
import { operationsOf } from './probes/index.ts';
import type { Known, Observation, Probe } from './probes/probe.ts';
import { type Session, type Shared, sessionFor } from './session.ts';
import { type Survey, survey } from './survey.ts';

/** What became of one question. `unstable`: the answer differed between two askings. */
export type Found = { readonly question: Question } & (
  | {
      readonly status: 'answered';
      readonly answer: Answer;
      readonly evidence: string;
      readonly exchange: Exchange;
    }
  | { readonly status: 'unstable' | 'inconclusive' | 'skipped'; readonly reason: string }
);

export type Observed = {
  readonly found: readonly Found[];
  /** Leads of the run that could not be deleted. */
  readonly leftovers: readonly string[];
  readonly interrupted: boolean;
};

type Options = {
  /** Answers a profile states: a limit is then tried at its edge before it is searched for. */
  readonly expected?: ReadonlyMap<QuestionId, Answer>;
  readonly onFound?: (found: Found) => void;
};

/** Asks a deployment its questions, in the order of the probes; deletes what it created, whatever happens. */
export const observe = async (
  shared: Shared,
  probes: readonly Probe[],
  { expected = new Map(), onFound = () => undefined }: Options = {},
): Promise<Observed> => {
  const found: Found[] = [];
  const answers = new Map<QuestionId, Answer>();
  let leftovers: readonly string[] = [];
  let interrupted = false;
  try {
    const findings = await survey(sessionFor(shared, 'survey'), operationsOf(probes));
    const known = createKnown(sessionFor(shared, 'deleted lead'), answers, findings);
    const tidy = createTidier(shared);
    for (const probe of probes) {
      const result = await ask(shared, probe, known, tidy, expected.get(probe.question));
      if (result.status === 'answered') answers.set(probe.question, result.answer);
      found.push(result);
      onFound(result);
    }
  } catch (error) {
    if (!(error instanceof NoAnswer && error.kind === 'interrupted')) throw error;
    interrupted = true;
  } finally {
    leftovers = await deleteCreated(shared);
  }
  return { found, leftovers, interrupted };
};

const ask = async (
  shared: Shared,
  probe: Probe,
  known: Known,
  tidy: () => Promise<void>,
  expected?: Answer,
): Promise<Found> => {
  const session = sessionFor(shared, `observe.${probe.question}`);
  const question = findQuestion(probe.question);
  if (!question) throw new Error(`there is a probe of ${probe.question} and no such question`);
  const because = (status: 'unstable' | 'inconclusive' | 'skipped', reason: string): Found => ({
    question,
    status,
    reason: mask(session, reason),
  });
  try {
    const first = await probe.probe(session, known, expected);
    await tidy(); // what the first asking left must not decide the second
    const again = [await probe.probe(session, known, first.answer)];
    if (first.exchange.status >= 500) again.push(await afterControl(session, known, probe, first));
    const other = again.find(({ answer }) => answer !== first.answer);
    if (other) return because('unstable', `first ${first.answer}, then ${other.answer}`);
    const evidence = evidenceOf(session, first.exchange, first.saw);
    return { question, status: 'answered', answer: first.answer, evidence, exchange: first.exchange };
  } catch (error) {
    if (error instanceof NotPermitted || error instanceof CheckSkipped)
      return because('skipped', error.message);
    if (error instanceof CheckInconclusive) return because('inconclusive', error.message);
    if (error instanceof NoAnswer && error.kind !== 'interrupted')
      return because('inconclusive', error.message);
    throw error;
  } finally {
    await tidy();
  }
};

/** A server that fails may be failing altogether: the list must still come, and the answer be the same a third time. */
const afterControl = async (
  session: Session,
  known: Known,
  probe: Probe,
  { answer, exchange }: Observation,
): Promise<Observation> => {
  if (!hasList(await session.send('listTemplates', { intent: 'probe' })))
    throw new CheckInconclusive(`${exchange.status}, and the list of templates failed as well`);
  return probe.probe(session, known, answer);
};

const alive = 1000;

const createKnown = (session: Session, answers: ReadonlyMap<QuestionId, Answer>, findings: Survey): Known => {
  let deleted: { id: string; at: number } | undefined;
  const deletedLead = async (): Promise<string> => {
    if (deleted) return deleted.id;
    const lead = await session.ownLead();
    const { outcome, status } = await session.deleteLead(lead);
    if (outcome !== 'success')
      throw new CheckInconclusive(`deleting the lead it needs was answered with ${status}`);
    deleted = { id: lead.id, at: Date.now() };
    return lead.id;
  };
  const afterDeletion: Known['afterDeletion'] = async (request) => {
    const exchange = await request(await deletedLead());
    const left = alive - (Date.now() - (deleted?.at ?? 0));
    if (exchange.outcome !== 'success' || left <= 0) return exchange;
    await wait(left);
    return request(await deletedLead());
  };
  return { answers, findings, deletedLead, afterDeletion };
};

/** Deletes what the last asking created: a deployment never holds more than a handful. One try; the end tries again. */
const createTidier = (shared: Shared): (() => Promise<void>) => {
  const tried = new Set<string>();
  return async () => {
    if (shared.abilities.get('deleteLead')?.usable !== true) return;
    const session = sessionFor(shared, 'tidy');
    for (const leadId of shared.ledger.open().filter((id) => !tried.has(id))) {
      tried.add(leadId);
      try {
        const { outcome } = await session.send('deleteLead', { leadId, intent: 'probe' });
        if (outcome === 'success') shared.ledger.deleted(leadId);
      } catch (error) {
        if (!(error instanceof NoAnswer) || error.kind === 'interrupted') throw error;
      }
    }
  };
};
