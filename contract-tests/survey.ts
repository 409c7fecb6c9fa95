import type { OperationId } from '../mock/spec.ts';
import { CheckInconclusive, CheckSkipped, type Problem } from './check.ts';
import { NoAnswer, NotPermitted } from './client.ts';
import { controls, hasList, likeness } from './controls.ts';
import { type Exchange, isObject, type JsonObject, speaks, wordsOf } from './exchange.ts';
import { type ListedTemplate, paths, type Session } from './session.ts';

/** What asking each operation once, with everything documented, brought to light. */
export type Finding = {
  readonly problem?: Problem;
  readonly inconclusive?: string;
  readonly skipped?: string;
};
export type Survey = Map<OperationId, Finding>;

/**
 * Asks the operations the run needs, in an order in which each has what it needs: finds the path forms that exist (§4.4),
 * the templates, and what a deployment demands beyond the documented shapes.
 */
export const survey = async (session: Session, wanted: ReadonlySet<OperationId>): Promise<Survey> => {
  const findings: Survey = new Map();
  const steps: readonly [OperationId, (session: Session) => Promise<Finding>][] = [
    ['listTemplates', surveyList],
    ['addLead', surveyAdd],
    ['updateLead', surveyUpdate],
    ['deleteLead', surveyDelete],
    ['sendEmail', surveySend],
    ['sendTemplateEmail', surveyTemplateSend],
  ];
  for (const [operation, step] of steps) {
    if (wanted.has(operation)) findings.set(operation, await permitted(session, operation, step));
  }
  return findings;
};

const permitted = async (
  session: Session,
  operation: OperationId,
  step: (session: Session) => Promise<Finding>,
): Promise<Finding> => {
  try {
    return await step(session);
  } catch (error) {
    if (error instanceof NotPermitted || error instanceof CheckSkipped) {
      return unable(session, operation, { skipped: error.message });
    }
    if (error instanceof CheckInconclusive || (error instanceof NoAnswer && error.kind !== 'interrupted')) {
      return unable(session, operation, { inconclusive: error.message });
    }
    throw error;
  }
};

const unable = (session: Session, operation: OperationId, finding: Finding): Finding => {
  const reason = finding.problem
    ? `it failed: ${finding.problem.actual}`
    : (finding.inconclusive ?? finding.skipped ?? '');
  session.abilities.set(operation, { usable: false, reason });
  return finding;
};

const absentStatuses = new Set([404, 405, 501]);

const isAbsent = ({ status }: Exchange): boolean => absentStatuses.has(status);

/** Asks again, twice at most, where the server failed: once may be chance, three times is an answer. */
const persistently = async (ask: () => Promise<Exchange>): Promise<Exchange> => {
  let exchange = await ask();
  for (
    let again = 0;
    again < 2 && exchange.status >= 500 && exchange.outcome !== 'gateway' && !isAbsent(exchange);
    again += 1
  ) {
    exchange = await ask();
  }
  return exchange;
};

/** §6 of the design: which answers to a complete request break a documented fact, and which leave it open. */
const judge = (replies: readonly Exchange[], hint: string): Finding => {
  if (replies.some(({ outcome }) => outcome === 'success')) return {};
  const broken = replies.find(({ outcome }) => outcome === 'broken');
  if (broken)
    return {
      problem: { expected: '200 and success: true', actual: describeBroken(broken), exchange: broken },
    };
  const gateway = replies.find(({ outcome }) => outcome === 'gateway');
  if (gateway) return { inconclusive: `a gateway answered: ${wordsOf(gateway)}` };
  const [first] = replies;
  if (replies.every(isAbsent)) {
    const forms = replies.map(({ method, path }) => `${method} ${path}`).join(' and ');
    return {
      problem: {
        expected: '200 and success: true',
        actual: `${forms} answered ${first?.status}: no such operation`,
        exchange: first,
      },
    };
  }
  const failing = replies.find(({ status }) => status >= 500 && !absentStatuses.has(status));
  if (failing) {
    return {
      problem: {
        expected: '200 and success: true',
        actual: `${failing.status} three times in a row`,
        exchange: failing,
      },
    };
  }
  const refusal = replies.find((reply) => !isAbsent(reply)) ?? first;
  return {
    inconclusive: `the deployment refused a complete request: ${refusal ? wordsOf(refusal) : ''}${hint === '' ? '' : ` (${hint})`}`,
  };
};

export const describeBroken = ({ status, json }: Exchange): string => {
  if (status !== 200) return `status ${status}`;
  if (json === undefined) return '200 with a body that is not JSON';
  if (!isObject(json)) return '200 with a JSON body that is not an object';
  return Object.hasOwn(json, 'success') ? `success: ${JSON.stringify(json.success)}` : 'no field success';
};

const conclude = (
  session: Session,
  operation: OperationId,
  replies: readonly Exchange[],
  hint = '',
): Finding => {
  const finding = judge(replies, hint);
  const working = replies.filter(
    ({ outcome, json }) => outcome === 'success' || (outcome === 'broken' && isObject(json)),
  );
  const forms = working.map(({ path }) => path);
  if (forms.length > 0) session.abilities.set(operation, { usable: true, forms });
  else unable(session, operation, finding);
  return finding;
};

/** A path form counts only when it answers in the service's terms: some servers answer any path with 200. */
const inOurTerms = ({ json }: Exchange): boolean => speaks(json);

const surveyList = async (session: Session): Promise<Finding> => {
  const replies: Exchange[] = [];
  for (const path of paths.listTemplates) {
    replies.push(
      await persistently(() =>
        session.send('listTemplates', { path, intent: replies.length === 0 ? 'complete' : 'probe' }),
      ),
    );
  }
  const own = replies.every(hasList) ? replies : await told(session, replies);
  const existing = own.some(succeeded) ? own : replies;
  const relevant = existing.filter(inOurTerms).length > 0 ? existing.filter(inOurTerms) : existing;
  const finding = conclude(session, 'listTemplates', relevant);
  session.templates.push(
    ...templatesIn(relevant.find(({ outcome }) => outcome === 'success') ?? relevant[0]),
  );
  return finding;
};

/** Replies but those that are what this deployment answers to any path or to any method: some take everything for a success. */
const told = async (session: Session, replies: readonly Exchange[]): Promise<Exchange[]> => {
  if (!replies.some(succeeded)) return [...replies];
  const generic = new Set((await controls(session)).filter(succeeded).map(likeness));
  return replies.filter((reply) => !succeeded(reply) || !generic.has(likeness(reply)));
};

const succeeded = ({ outcome }: Exchange): boolean => outcome === 'success';

const templatesIn = (reply: Exchange | undefined): ListedTemplate[] => {
  const data = isObject(reply?.json) && Array.isArray(reply.json.data) ? reply.json.data : [];
  return data
    .filter(isObject)
    .flatMap(({ id, body, variables }: JsonObject) =>
      typeof id === 'string' && id !== '' && typeof body === 'string' && Array.isArray(variables)
        ? [{ id, body, variables: variables.filter((name): name is string => typeof name === 'string') }]
        : [],
    );
};

const isPlainRefusal = (reply: Exchange): boolean =>
  reply.outcome === 'refusal' && !isAbsent(reply) && reply.status < 500;

/** What to try when a complete lead is refused; each is a demand a deployment may make, or a limit it may not have. */
const adaptations = (runId: string): JsonObject[] => {
  // Some examples of the document send an email with a lead (§2.3); a deployment may insist on it.
  const email = `contract-test-${runId}@example.com`;
  const sources = ['website', 'web', 'webinar', 'referral', 'newsletter', 'other'];
  return [
    { email },
    { name: 'Contract Test' },
    { email, name: 'Contract Test' },
    ...sources.map((source) => ({ source })),
  ];
};

const surveyAdd = async (session: Session): Promise<Finding> => {
  const ask = async (): Promise<Exchange> => (await session.addLead()).exchange;
  const documented = await persistently(ask);
  if (!isPlainRefusal(documented)) return conclude(session, 'addLead', [documented]);
  for (const extra of adaptations(session.runId)) {
    session.demands.leadExtra = extra;
    const adapted = await ask();
    if (adapted.outcome === 'success') return conclude(session, 'addLead', [adapted]);
  }
  session.demands.leadExtra = {};
  return conclude(session, 'addLead', [documented]);
};

const surveyUpdate = async (session: Session): Promise<Finding> => {
  const add = session.abilities.get('addLead');
  if (!add?.usable) return unable(session, 'updateLead', noLead(add?.reason));
  const lead = await session.ownLead();
  const ask = (): Promise<Exchange> => session.updateLead(lead, session.unique('note'));
  let reply = await persistently(ask);
  // A 404 too: it may be what this deployment says of a body that lacks fields.
  if (isPlainRefusal(reply) || reply.status === 404) {
    session.demands.updateInFull = true;
    reply = await persistently(ask);
  }
  return conclude(session, 'updateLead', [{ ...reply, path: paths.updateLead[0] }]);
};

const surveyDelete = async (session: Session): Promise<Finding> => {
  const add = session.abilities.get('addLead');
  if (!add?.usable) return unable(session, 'deleteLead', noLead(add?.reason));
  const lead = await session.ownLead();
  const reply = await persistently(() => session.deleteLead(lead));
  return conclude(session, 'deleteLead', [{ ...reply, path: paths.deleteLead[0] }]);
};

const noLead = (reason: string | undefined): Finding => ({
  skipped: `it needs a lead, and none can be added: ${reason ?? 'not asked'}`,
});

/** A mail with everything §4.1 documents. */
export const completeEmail = (session: Session): JsonObject => ({
  subject: session.unique('mail'),
  from: session.sender,
  to: session.permissions.sendTo ?? '',
  html: `<p>Contract test, run ${session.runId}. Please ignore.</p>`,
});

const surveySend = async (session: Session): Promise<Finding> => {
  const reply = await persistently(() => session.send('sendEmail', { body: completeEmail(session) }));
  return conclude(session, 'sendEmail', [reply], 'another sender may help: --from ADDRESS');
};

/** A template mail in §4.3's own shape, with `to` where the deployment wants it or the permission demands it. */
export const templateEmail = (
  session: Session,
  template: ListedTemplate,
  values: JsonObject = {},
): JsonObject => ({
  template_id: template.id,
  variables: { ...Object.fromEntries(template.variables.map((name) => [name, 'Contract test'])), ...values },
  ...(session.demands.templateTo ? { to: session.permissions.sendTo ?? '' } : {}),
});

const surveyTemplateSend = async (session: Session): Promise<Finding> => {
  const [template] = session.templates;
  if (!template) return unable(session, 'sendTemplateEmail', { skipped: 'the deployment lists no template' });
  const ask = async (): Promise<Exchange[]> => {
    const replies: Exchange[] = [];
    for (const path of paths.sendTemplateEmail) {
      replies.push(
        await persistently(() =>
          session.send('sendTemplateEmail', { path, body: templateEmail(session, template) }),
        ),
      );
    }
    return replies;
  };
  session.demands.templateTo = !session.permissions.unaddressed;
  let replies = await ask();
  let own = await told(session, replies);
  const refused = (): boolean => !own.some(({ outcome }) => outcome === 'success' || outcome === 'broken');
  // Absent or not: a deployment may say 404 of a body that lacks its recipient.
  if (refused() && !session.demands.templateTo) {
    session.demands.templateTo = true;
    replies = await ask();
    own = await told(session, replies);
  }
  const hint = session.permissions.unaddressed ? '' : 'it may not take a recipient: --allow-unaddressed';
  return conclude(
    session,
    'sendTemplateEmail',
    replies.filter(inOurTerms).length > 0 ? onlyForms(refused() ? replies : own) : replies,
    hint,
  );
};

/** Of several path forms, those that exist; an absent one is no finding while another answers. */
const onlyForms = (replies: readonly Exchange[]): Exchange[] => {
  const existing = replies.filter(
    (reply) => reply.outcome === 'success' || (reply.outcome === 'broken' && inOurTerms(reply)),
  );
  return existing.length > 0 ? existing : [...replies];
};
