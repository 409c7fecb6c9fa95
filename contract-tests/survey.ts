import type { OperationId } from '../mock/spec.ts';
import { CheckInconclusive, CheckSkipped, type Problem } from './check.ts';
import { NoAnswer, NotPermitted } from './client.ts';
import { controls, hasList, isAbsent, likeness } from './controls.ts';
import { type Exchange, isObject, type JsonObject, speaks, wordsOf } from './exchange.ts';
import { causesMail } from './permissions.ts';
import { type Ability, type ListedTemplate, type OwnLead, paths, type Session } from './session.ts';

/** What asking each operation once, with everything documented, brought to light. */
export type Finding = {
  readonly problem?: Problem;
  /** The problem is that there is no such operation. */
  readonly absent?: true;
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
    return await onceMore(operation, () => step(session));
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

/** A connection that broke says nothing of the operation; what may have caused mail is not asked for again. */
const onceMore = async (operation: OperationId, step: () => Promise<Finding>): Promise<Finding> => {
  try {
    return await step();
  } catch (error) {
    const broke = error instanceof NoAnswer && error.kind === 'closed';
    if (!broke || causesMail({ operation, method: 'POST' })) throw error;
    return step();
  }
};

const unable = (session: Session, operation: OperationId, finding: Finding): Finding => {
  const reason = finding.problem
    ? `it failed: ${finding.problem.actual}`
    : (finding.inconclusive ?? finding.skipped ?? '');
  session.abilities.set(operation, { usable: false, reason });
  return finding;
};

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
      absent: true,
      problem: {
        expected: '200 and success: true',
        actual: `${forms} answered ${first?.status}: no such operation`,
        exchange: first,
      },
    };
  }
  const failing = replies.find((reply) => reply.status >= 500 && !isAbsent(reply));
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
    ({ outcome, json }) =>
      outcome === 'success' || (outcome === 'broken' && (isObject(json) || paths[operation].length === 1)),
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

/** A name in letters only, and another one every time: a deployment may merge leads of one name. */
const lettersOnly = (unique: string): string => {
  const digits = [...unique.replace(/^Contract test/, '').replace(/[^0-9a-f]/g, '')];
  return `Contract Test ${digits.map((digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))).join('')}`;
};

/** What to try when a complete lead is refused; each is a demand a deployment may make, or a limit it may not have. */
const adaptations = ({ runId }: Session): { readonly extra: JsonObject; readonly letters?: boolean }[] => {
  // Some examples of the document send an email with a lead (§2.3); a deployment may insist on it.
  const email = `contract-test-${runId}@example.com`;
  const sources = ['website', 'web', 'webinar', 'referral', 'newsletter', 'other'];
  return [
    { extra: { email } },
    { extra: {}, letters: true },
    { extra: { email }, letters: true },
    ...sources.map((source) => ({ extra: { source } })),
  ];
};

const surveyAdd = async (session: Session): Promise<Finding> => {
  const ask = async (): Promise<Exchange> => (await session.addLead()).exchange;
  const documented = await persistently(ask);
  if (!isPlainRefusal(documented)) return conclude(session, 'addLead', [documented]);
  for (const { extra, letters } of adaptations(session)) {
    session.demands.leadExtra = extra;
    session.demands.nameFrom = letters ? lettersOnly : undefined;
    const adapted = await ask();
    if (adapted.outcome === 'success') return conclude(session, 'addLead', [adapted]);
  }
  session.demands.leadExtra = {};
  session.demands.nameFrom = undefined;
  return conclude(session, 'addLead', [documented]);
};

/** The lead the survey added: one is enough until it is clear that leads can be deleted again. */
const surveyedLead = ({ leads }: Session): OwnLead | undefined => [...leads.values()].at(-1);

const surveyUpdate = async (session: Session): Promise<Finding> => {
  const add = session.abilities.get('addLead');
  const lead = surveyedLead(session);
  if (!add?.usable || !lead) return unable(session, 'updateLead', noLead(add));
  const ask = (): Promise<Exchange> => session.updateLead(lead, session.newNote());
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
  const lead = surveyedLead(session);
  if (!add?.usable || !lead) return unable(session, 'deleteLead', noLead(add));
  const reply = await persistently(() => session.deleteLead(lead));
  return conclude(session, 'deleteLead', [{ ...reply, path: paths.deleteLead[0] }]);
};

const noLead = (add: Ability | undefined): Finding => ({
  skipped: `it needs a lead, and none can be added: ${add?.usable ? 'no reply named a lead_id' : (add?.reason ?? 'not asked')}`,
});

/** A mail with everything §4.1 documents, without `to` where the deployment takes only the shape that lacks it. */
export const completeEmail = (session: Session): JsonObject => ({
  subject: session.unique('mail'),
  from: session.sender,
  ...(session.demands.sendWithoutTo ? {} : { to: session.permissions.sendTo ?? '' }),
  html: `<p>Contract test, run ${session.runId}. Please ignore.</p>`,
});

const surveySend = async (session: Session): Promise<Finding> => {
  const ask = (): Promise<Exchange> =>
    persistently(() => session.send('sendEmail', { body: completeEmail(session) }));
  const addressed = await ask();
  if (isPlainRefusal(addressed) && session.permissions.unaddressed) {
    session.demands.sendWithoutTo = true;
    const unaddressed = await ask();
    if (!isPlainRefusal(unaddressed)) return conclude(session, 'sendEmail', [unaddressed]);
    session.demands.sendWithoutTo = false;
  }
  return conclude(session, 'sendEmail', [addressed], 'another sender may help: --from ADDRESS');
};

/** A value that a variable of this name may want: some deployments check. */
const valueFor = (session: Session, name: string): string => {
  if (/mail/i.test(name)) return session.sender;
  if (/ur[il]|link|href/i.test(name)) return 'https://example.com/contract-test';
  if (/date|day|until|deadline/i.test(name)) return '2030-01-15';
  return /amount|price|total|count|number|qty/i.test(name) ? '42' : 'Contract test';
};

/** A template mail in §4.3's own shape, with `to` where the deployment takes or wants it, or the permission demands it. */
export const templateEmail = (
  session: Session,
  template: ListedTemplate,
  values: JsonObject = {},
): JsonObject => ({
  template_id: template.id,
  variables: {
    ...Object.fromEntries(template.variables.map((name) => [name, valueFor(session, name)])),
    ...values,
  },
  ...(session.demands.templateTo ? { to: session.permissions.sendTo ?? '' } : {}),
});

const sendAtEveryForm = async (session: Session, template: ListedTemplate): Promise<Exchange[]> => {
  const replies: Exchange[] = [];
  for (const path of paths.sendTemplateEmail) {
    const body = templateEmail(session, template);
    replies.push(await persistently(() => session.send('sendTemplateEmail', { path, body })));
  }
  return replies;
};

const works = (replies: readonly Exchange[]): boolean =>
  replies.some(({ outcome }) => outcome === 'success' || outcome === 'broken');

/** Templates to try before a refusal counts: the first may be a draft, or want values of a kind nobody told us. */
export const templatesTried = 2;

const surveyTemplateSend = async (session: Session): Promise<Finding> => {
  if (session.templates.length === 0)
    return unable(session, 'sendTemplateEmail', { skipped: 'the deployment lists no template' });
  const hint = session.permissions.unaddressed ? '' : 'it may not take a recipient: --allow-unaddressed';
  let first: Exchange[] | undefined;
  for (const template of session.templates.slice(0, templatesTried)) {
    const replies = await tryTemplate(session, template);
    session.demands.template = template;
    if (works(replies)) return conclude(session, 'sendTemplateEmail', onlyForms(replies), hint);
    first ??= replies;
    // Absent or failing is not for the template to change.
    if (!replies.some(isPlainRefusal)) break;
  }
  return conclude(session, 'sendTemplateEmail', first ?? [], hint);
};

const tryTemplate = async (session: Session, template: ListedTemplate): Promise<Exchange[]> => {
  const { unaddressed } = session.permissions;
  session.demands.templateTo = !unaddressed;
  const stated = await sendAtEveryForm(session, template);
  const own = await told(session, stated);
  if (!unaddressed) return works(own) ? own : stated;
  // With a recipient from here on, where that is taken: a mail that names nobody may reach anybody.
  session.demands.templateTo = true;
  const working = own.find(succeeded);
  if (works(own)) {
    const { path } = working ?? own[0] ?? { path: paths.sendTemplateEmail[0] };
    const body = templateEmail(session, template);
    const addressed = await session.send('sendTemplateEmail', { path, body, intent: 'probe' });
    session.demands.templateTo = addressed.outcome === 'success';
    return own;
  }
  // Absent or not: a deployment may say 404 of a body that lacks its recipient.
  const addressed = await sendAtEveryForm(session, template);
  const ownAddressed = await told(session, addressed);
  return works(ownAddressed) ? ownAddressed : addressed;
};

/** Of several path forms, those that exist; an absent one is no finding while another answers. */
const onlyForms = (replies: readonly Exchange[]): Exchange[] => {
  const existing = replies.filter(
    (reply) => reply.outcome === 'success' || (reply.outcome === 'broken' && inOurTerms(reply)),
  );
  return existing.length > 0 ? existing : [...replies];
};
