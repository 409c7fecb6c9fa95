import { authenticationProbes } from './authentication.ts';
import { emailProbes, unaddressedEmailProbe } from './email.ts';
import { failureProbes } from './failures.ts';
import { limitProbes } from './lead-limits.ts';
import { leadProbes } from './leads.ts';
import { missingLeadProbes } from './missing-leads.ts';
import type { Probe } from './probe.ts';
import { retrieveProbe, routeProbes } from './routes.ts';
import { recipientProbe, templateEmailProbes } from './template-email.ts';
import { headerProbes, templateProbes } from './templates.ts';
import { updateProbes } from './updates.ts';

export type { Probe } from './probe.ts';

/**
 * One probe per observable question, in the order they are asked: reading, writing, mail, mail that names nobody. The
 * recipient of template mail comes before the other questions about it, which depend on it.
 */
export const probes: readonly Probe[] = [
  ...templateProbes,
  ...headerProbes,
  ...routeProbes,
  ...authenticationProbes,
  ...leadProbes,
  retrieveProbe,
  ...updateProbes,
  ...missingLeadProbes,
  ...failureProbes,
  ...limitProbes,
  ...emailProbes,
  recipientProbe,
  ...templateEmailProbes,
  unaddressedEmailProbe,
];
