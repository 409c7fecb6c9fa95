import type { Check } from '../facts/check.ts';
import { badInputScenarios } from '../scenarios/bad-input.ts';
import { keyScenarios } from '../scenarios/keys.ts';
import { additionScenarios } from '../scenarios/leads/additions.ts';
import { isolationScenarios } from '../scenarios/leads/isolation.ts';
import { concurrencyScenario, leadScenarios } from '../scenarios/leads/leads.ts';
import { textScenarios } from '../scenarios/leads/texts.ts';
import { mailScenarios } from '../scenarios/mails.ts';
import { refusedTemplate } from '../scenarios/refused-template.ts';
import { requestScenarios } from '../scenarios/requests.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { templateScenarios } from '../scenarios/templates.ts';

/** Every scenario, in the order in which they run. */
export const scenarios: readonly Scenario[] = [
  ...leadScenarios,
  ...textScenarios,
  ...badInputScenarios.filter(({ needs }) => needs === 'writes'),
  ...additionScenarios,
  ...isolationScenarios,
  concurrencyScenario,
  // First the mails that decide most: a deployment may accept those with bad input, and leave none for others.
  ...mailScenarios,
  ...templateScenarios,
  // After the mails from every template.
  refusedTemplate,
  ...badInputScenarios.filter(({ needs }) => needs === 'mail'),
  // Valid requests, which show that refusals before them are no outage.
  ...requestScenarios,
  ...keyScenarios,
];

/** The scenarios of a usual run, or of a thorough one, that decide a check; none for one that every response decides. */
export const decidersOf = ({ id }: Pick<Check, 'id'>, isThorough: boolean): readonly Scenario[] =>
  scenarios.filter(({ decides, thorough }) => decides.includes(id) && (isThorough || !thorough));
