/** Why there was no answer. `malformed`: what came is not HTTP. `too large`: the suite stopped reading. */
export type NoAnswerKind =
  | 'unreachable'
  | 'closed'
  | 'tls'
  | 'proxy'
  | 'timeout'
  | 'malformed'
  | 'too large'
  | 'interrupted';

type Options = { readonly unsent?: boolean; readonly cause?: unknown };

/** No answer at all, or none that can be read: says nothing about what the deployment promises. */
export class NoAnswer extends Error {
  readonly kind: NoAnswerKind;
  /** Whether the request certainly never reached the deployment. */
  readonly unsent: boolean;

  constructor(kind: NoAnswerKind, message: string, { unsent = false, cause }: Options = {}) {
    super(message, { cause });
    this.kind = kind;
    this.unsent = unsent;
  }
}

export const codeOf = (error: unknown): string =>
  String((error as { code?: unknown }).code ?? (error as Error).name);

const closed = new Set(['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE', 'ECONNABORTED']);

/** Whether the connection broke, as against never having come about. */
export const isReset = (error: unknown): boolean => closed.has(codeOf(error));

/** Whether the other side ended a reply early or wrote it wrong, as against a connection that was torn. */
export const isBadMessage = (error: unknown): boolean =>
  /^(UND_ERR_SOCKET$|HTTPParserError|HPE_|UND_ERR_RES_CONTENT_LENGTH)/.test(codeOf(error));

const tls =
  /^(EPROTO$|ERR_(TLS|SSL|OSSL)|CERT|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|CRL_|UND_ERR_PRX_TLS)/;
const unreachable =
  /^(ECONNREFUSED|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|ETIMEDOUT)/;

/** @param what the request, as it is to stand in a message */
export const noAnswerFor = (error: unknown, what: string): NoAnswer => {
  if (error instanceof NoAnswer) return error;
  const code = codeOf(error);
  const message = (error as Error).message || code;
  const make = (kind: NoAnswerKind, text: string, unsent = false): NoAnswer =>
    new NoAnswer(kind, `${what}: ${text}`, { unsent, cause: error });
  if (/proxy/i.test(message)) return make('proxy', message, true);
  if (closed.has(code)) return make('closed', `the connection was closed without an answer (${code})`);
  if (tls.test(code)) return make('tls', `${firstLine(message)} (${code})`, true);
  if (unreachable.test(code)) return make('unreachable', firstLine(message), true);
  if (/^(HTTPParserError|HPE_|UND_ERR_HEADERS_OVERFLOW)/.test(code))
    return make('malformed', `${message} (${code})`);
  return make('unreachable', `${firstLine(message)} (${code})`);
};

// OpenSSL puts its own file names and line numbers behind the reason.
const firstLine = (message: string): string => {
  const [line = ''] = message.split('\n', 1);
  return line.replace(/^.*?:error:[^:]*:[^:]*:[^:]*:([^:]+):.*$/, '$1');
};
