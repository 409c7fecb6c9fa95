import type { OperationId } from '../../mock/contract/operation-id.ts';
import { UsageError } from '../../mock/contract/system-errors.ts';
import { type Call, sentFields } from '../exchange/exchange.ts';
import { causesMail } from '../exchange/operations.ts';
import { MailsUsedUp, NotPermitted } from './errors.ts';

/** What a run may do to a deployment. Set on the command line only, never by the environment. */
export type Permissions = {
  /** Leads may be added, changed and deleted. */
  readonly writes: boolean;
  /** The only address that mail may be sent to. */
  readonly sendTo: string | undefined;
  /** Mail may be requested although the deployment chooses its recipient. */
  readonly unaddressed: boolean;
  /** Maximum number of requests that may cause a mail. */
  readonly maxSends: number;
};

/** One plain address: a list, or an address with a name, might reach other people. */
export const plainAddress = /^[^\s@,;:<>"()]+@[^\s@,;:<>"()]+$/;

/** Largest maximum number of mails that a user may set. */
export const mostSends = 10_000;

/** Default maximum number of mails per run: enough for a complete one, and for a thorough one. */
export const defaultMaxSends = { usual: 12, thorough: 90 };

export const everythingPermitted: Permissions = {
  writes: true,
  sendTo: 'contract-suite@example.com',
  unaddressed: true,
  maxSends: Number.POSITIVE_INFINITY,
};

/**
 * The permissions of a run: everything on a mock that is started for it.
 * @param given what the user permits
 * @param names how the user writes two of these, for messages
 * @throws UsageError
 */
export const permissionsFor = (
  isEmbedded: boolean,
  given: Omit<Permissions, 'maxSends'> & { readonly maxSends: number | undefined },
  isThorough: boolean,
  names: Readonly<Record<'unaddressed' | 'sendTo', string>>,
): Permissions => {
  if (!isEmbedded && given.unaddressed && given.sendTo === undefined)
    throw new UsageError(`${names.unaddressed} needs ${names.sendTo}: the address for all other mails`);
  const base = isEmbedded
    ? everythingPermitted
    : { ...given, maxSends: defaultMaxSends[isThorough ? 'thorough' : 'usual'] };
  return { ...base, maxSends: given.maxSends ?? base.maxSends };
};

/**
 * The error for a request that is not permitted, which names the flag that permits it.
 * @param mayUseLast whether it may cause the last mail, which is kept for requests with a wrong key
 */
export const forbids = (
  call: Call,
  permissions: Permissions,
  sent: number,
  mayUseLast = false,
): NotPermitted | undefined => {
  const reason = reasonAgainst(call, permissions);
  if (reason !== undefined) return new NotPermitted(reason);
  const { maxSends } = permissions;
  // One mail is kept for wrong keys: a deployment that refuses them, as it should, sends no mail.
  const isKept = !mayUseLast && call.credentials === 'key' && maxSends >= defaultMaxSends.usual;
  if (!causesMail(call) || sent < maxSends - Number(isKept)) return undefined;
  const kept = isKept ? ', the last of them for wrong keys' : '';
  return new MailsUsedUp(`the limit of mails is reached (--max-sends ${maxSends}${kept}): raise it`);
};

/** Why a request is not permitted, whatever was sent before. */
const reasonAgainst = (call: Call, permissions: Permissions): string | undefined => {
  if (call.method === 'GET') return undefined; // whatever the path: a GET must only read
  if (!causesMail(call))
    return permissions.writes ? undefined : 'it changes leads: allow that with --allow-writes';
  if (permissions.sendTo === undefined) return 'it sends mail: give an address of your own with --send-to';
  const { to, cc, bcc } = sentFields(call);
  if (typeof to === 'string' && to !== '' && to !== permissions.sendTo)
    return `it would send mail to ${to}, not to the --send-to address`;
  const isAddressed =
    isAddressable(call.operation) && to === permissions.sendTo && cc === undefined && bcc === undefined;
  return isAddressed || permissions.unaddressed
    ? undefined
    : 'it sends mail whose recipient the deployment chooses: allow that with --allow-unaddressed';
};

/** Whether a mail of this operation can name its recipient. §4.3 documents no `to`, so that a deployment may ignore it. */
const isAddressable = (operation: OperationId): boolean => operation !== 'sendTemplateEmail';

/** Whether a mail of this operation may have a recipient that the deployment chooses, or need not. */
export const permitsOperation = (operation: OperationId, { unaddressed }: Permissions): boolean =>
  unaddressed || isAddressable(operation);
