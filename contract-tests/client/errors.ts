/** Why there was no answer. `malformed`: what came is not HTTP. `too large`: the suite stopped reading. */
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

/** No response, or an unreadable one: it says nothing about whether the deployment conforms. */
export class RequestFailed extends Error {
  readonly kind: RequestFailureKind;
  /** Whether the request certainly never reached the deployment. */
  readonly unsent: boolean;

  constructor(kind: RequestFailureKind, message: string, { unsent = false, cause }: Options = {}) {
    super(message, { cause });
    this.kind = kind;
    this.unsent = unsent;
  }
}

export const codeOf = (error: unknown): string =>
  String((error as { code?: unknown }).code ?? (error as Error).name);

const closed = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE', 'ECONNABORTED']);

/** Whether the connection broke, in contrast to never having come about. */
export const isReset = (error: unknown): boolean => closed.has(codeOf(error));

/** Whether the other side ended a reply early or wrote it wrong, in contrast to a connection that was torn. */
export const isBadMessage = (error: unknown): boolean =>
  /^(UND_ERR_SOCKET$|HTTPParserError|HPE_|UND_ERR_RES_CONTENT_LENGTH)/.test(codeOf(error));

const tls =
  /^(EPROTO$|ERR_(TLS|SSL|OSSL)|CERT|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|CRL_|UND_ERR_PRX_TLS)/;
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ETIMEDOUT)/;

/** @param requestLine the request, as it is to stand in a message */
export const toRequestFailed = (error: unknown, requestLine: string): RequestFailed => {
  if (error instanceof RequestFailed) return error;
  const code = codeOf(error);
  const message = (error as Error).message || code;
  const make = (kind: RequestFailureKind, text: string, unsent = false): RequestFailed =>
    new RequestFailed(kind, `${requestLine}: ${text}`, { unsent, cause: error });
  if (/proxy/i.test(message)) return make('proxy', message, true);
  if (closed.has(code)) return make('closed', `the connection was closed without an answer (${code})`);
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

/** What helps where TLS failed for this reason. */
export const tlsHint = (message: string): string => {
  if (/EPROTO|ERR_SSL|wrong version/i.test(message)) return 'the port may not speak TLS: try http://';
  if (/ALTNAME|altnames|HOSTNAME/.test(message))
    return 'the certificate is for another host: check the name in the URL';
  if (/EXPIRED|NOT_YET/.test(message)) return 'check its dates and the clock of this machine';
  return 'NODE_EXTRA_CA_CERTS names a file of further authorities to trust';
};

/** Something wrong with a flag, or with a file it names: never with the deployment. */
export class ConfigurationError extends Error {}
