import { type Call, sentFields } from './exchange.ts';

/** What a run may do to a deployment. Set on the command line only, never by the environment. */
export type Permissions = {
  /** Leads may be added, changed and deleted. */
  readonly writes: boolean;
  /** The only address that mail may be sent to. */
  readonly sendTo: string | undefined;
  /** Mail may be requested without a recipient: the service decides who receives it (§4.3). */
  readonly unaddressed: boolean;
  /** Maximum number of requests that may cause a mail. */
  readonly maxSends: number;
};

export const everythingPermitted: Permissions = {
  writes: true,
  sendTo: 'contract-suite@example.com',
  unaddressed: true,
  maxSends: Number.POSITIVE_INFINITY,
};

/** Whether a request may cause a mail, regardless of the recipient. */
export const causesMail = ({ operation, method }: Pick<Call, 'operation' | 'method'>): boolean =>
  method !== 'GET' && (operation === 'sendEmail' || operation === 'sendTemplateEmail');

/** The reason why a request is not permitted, with the flag that permits it; `undefined` if it is permitted. */
export const forbids = (call: Call, permissions: Permissions, sent: number): string | undefined => {
  if (call.method === 'GET') return undefined; // whatever the path: a GET must only read
  if (!causesMail(call))
    return permissions.writes ? undefined : 'it changes leads: allow that with --allow-writes';
  if (permissions.sendTo === undefined) return 'it sends mail: give an address of your own with --send-to';
  if (sent >= permissions.maxSends) return `it would be mail number ${sent + 1}: raise --max-sends`;
  const recipients = recipientsIn(call);
  if (recipients === 'none') {
    return permissions.unaddressed
      ? undefined
      : 'it has no recipient, so the service decides who gets the mail: allow that with --allow-unaddressed';
  }
  return recipients === permissions.sendTo
    ? undefined
    : `it would send mail to ${recipients}, not to the --send-to address`;
};

// A request that does not clearly name one recipient counts as naming none: the deployment may interpret it in another way.
const recipientsIn = (call: Call): string => {
  const { to, cc, bcc } = sentFields(call);
  return typeof to === 'string' && to !== '' && cc === undefined && bcc === undefined ? to : 'none';
};
