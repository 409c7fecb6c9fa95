import type { OperationId } from '../mock/spec.ts';
import type { Check } from './check.ts';
import { operationsFor } from './engine.ts';
import type { Permissions } from './permissions.ts';
import { paths } from './session.ts';
import { templatesTried } from './survey-mails.ts';

/** Mails the survey asks for at most: at each path form, without a recipient and with one, for a template or two. */
const surveyMails = (operation: OperationId): number => {
  if (operation === 'sendEmail') return 2;
  return operation === 'sendTemplateEmail' ? templatesTried * 2 * paths.sendTemplateEmail.length : 0;
};

/** Mails the checks ask for at most where no request has to be repeated, the survey's first ones among them. */
export const plannedMails = (checks: readonly Check[]): number => {
  const first = [...operationsFor(checks)].reduce((sum, operation) => sum + surveyMails(operation), 0);
  return checks.reduce((sum, check) => sum + ('mails' in check ? (check.mails ?? 0) : 0), first);
};

/**
 * What somebody is about to receive, said before the first mail is asked for.
 * @param more mails that something beside the checks asks for
 */
export const mailNotice = (checks: readonly Check[], permissions: Permissions, more = 0): string => {
  const { sendTo, unaddressed, maxSends } = permissions;
  const planned = plannedMails(checks) + more;
  const others = unaddressed ? ', some of them naming no recipient (--allow-unaddressed)' : '';
  if (planned >= maxSends)
    return `This run asks for ${maxSends} mails at most (--max-sends) of the ${planned} it wants, to ${sendTo}${others}.`;
  return `This run asks for ${planned} mails at most, to ${sendTo}${others}; repeats after failures included, for ${maxSends} (--max-sends).`;
};
