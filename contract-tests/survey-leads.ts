import type { Exchange, JsonObject } from './exchange.ts';
import { conclude, type Finding, isPlainRefusal, persistently, unable } from './finding.ts';
import { type Ability, type OwnLead, paths, type Session } from './session.ts';

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

export const surveyAdd = async (session: Session): Promise<Finding> => {
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

export const surveyUpdate = async (session: Session): Promise<Finding> => {
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

export const surveyDelete = async (session: Session): Promise<Finding> => {
  const add = session.abilities.get('addLead');
  const lead = surveyedLead(session);
  if (!add?.usable || !lead) return unable(session, 'deleteLead', noLead(add));
  const reply = await persistently(() => session.deleteLead(lead));
  return conclude(session, 'deleteLead', [{ ...reply, path: paths.deleteLead[0] }]);
};

const noLead = (add: Ability | undefined): Finding => ({
  skipped: `it needs a lead, and none can be added: ${add?.usable ? 'no reply named a lead_id' : (add?.reason ?? 'not asked')}`,
});
