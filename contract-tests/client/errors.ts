/** Why there was no response. `malformed`: the data received is not HTTP. `too large`: the suite stopped reading. */
export type RequestFailureKind =
  | 'unreachable'
  | 'closed'
  | 'tls'
  | 'proxy'
  | 'timeout'
  | 'malformed'
  | 'too large'
  | 'interrupted';

type Options = { readonly unsent?: boolean; readonly cause?: unknown };

/** No response, or an unreadable one. It does not show whether the deployment conforms. */
export class RequestFailed extends Error {
  readonly kind: RequestFailureKind;
  /** Whether the request definitely did not reach the deployment. */
  readonly unsent: boolean;

  constructor(kind: RequestFailureKind, message: string, { unsent = false, cause }: Options = {}) {
    super(message, { cause });
    this.kind = kind;
    this.unsent = unsent;
  }
}

/** A request that was not sent because it is not permitted; the message names the flag that permits it. */
export class NotPermitted extends Error {}

/** The mails that a run may cause are used up. */
export class MailsUsedUp extends NotPermitted {}

/** Whether the connection broke, or none was established: a service that restarts is available again after some seconds. */
export const isDisconnected = (failure: RequestFailed): boolean =>
  failure.kind === 'unreachable' || failure.kind === 'closed';

export const codeOf = (error: unknown): string =>
  String((error as { code?: unknown }).code ?? (error as Error).name);

const closed = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE', 'ECONNABORTED']);

/** Whether the server ended a response early or sent invalid HTTP, as opposed to a broken connection. */
export const isBadMessage = (error: unknown): boolean =>
  /^(UND_ERR_SOCKET$|HTTPParserError|HPE_|UND_ERR_RES_CONTENT_LENGTH)/.test(codeOf(error));

const tls =
  /^(EPROTO$|ERR_(TLS|SSL|OSSL)|CERT|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|CRL_|UND_ERR_PRX_TLS)/;
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ETIMEDOUT)/;

/** @param requestLine the request as the error message shows it */
export const toRequestFailed = (error: unknown, requestLine: string): RequestFailed => {
  const code = codeOf(error);
  const message = (error as Error).message || code;
  const make = (kind: RequestFailureKind, text: string, unsent = false): RequestFailed =>
    new RequestFailed(kind, `${requestLine}: ${text}`, { unsent, cause: error });
  if (/proxy/i.test(message)) return make('proxy', message, true);
  if (closed.has(code)) return make('closed', `the connection was closed without a response (${code})`);
  if (tls.test(code)) return make('tls', `${firstLine(message)} (${code})`, true);
  if (unreachable.test(code)) return make('unreachable', firstLine(message), true);
  if (/^(HTTPParserError|HPE_|UND_ERR_HEADERS_OVERFLOW)/.test(code))
    return make('malformed', `${message} (${code})`);
  return make('unreachable', `${firstLine(message)} (${code})`);
};

// OpenSSL adds its own file names and line numbers to the reason.
const firstLine = (message: string): string => {
  const [line = ''] = message.split('\n', 1);
  const [, , , reason = ''] = (line.split(':error:', 2)[1] ?? '').split(':', 4);
  return reason === '' ? line : reason;
};

/** Advice for a TLS error with this message. */
export const tlsHint = (message: string): string => {
  if (/CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE|UNKNOWN_CA\b/.test(message))
    return 'the server may want a client certificate: give one with --client-cert and --client-key';
  if (/EPROTO|ERR_SSL|wrong version/i.test(message)) return 'the port may not support TLS: try http://';
  if (/ALTNAME|altnames|HOSTNAME/.test(message))
    return 'the certificate is for another host: check the name in the URL';
  if (/EXPIRED|NOT_YET/.test(message)) return 'check its dates and the clock of this machine';
  return 'set --ca, or NODE_EXTRA_CA_CERTS, to a file with the certificate authorities to trust';
};
