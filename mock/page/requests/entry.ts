import { mockAddress } from '../api.ts';

export type RequestSummary = {
  readonly id: string;
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** 0 where the connection was broken instead of a reply. */
  readonly status: number;
  readonly created_at: string;
  readonly duration_ms: number;
  readonly why: {
    readonly code: string;
    readonly what: string;
    readonly question?: string;
    readonly answer?: string | number;
  } | null;
};

export type Side = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly body_cut: boolean;
};

export type RequestEntry = RequestSummary & { readonly request: Side; readonly response: Side };

export type RequestPage = { readonly requests: readonly RequestSummary[]; readonly total: number };

export const operations = [
  'sendEmail',
  'listTemplates',
  'sendTemplateEmail',
  'addLead',
  'updateLead',
  'deleteLead',
] as const;

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly type: string | undefined;
  readonly body: string | null;
};

/** A line for a shell that sends the same again, with the key of the workspace. */
export const curlOf = ({ method, path, type, body }: Asked, key: string): string =>
  [
    `curl -X ${method} ${quote(mockAddress + path)}`,
    `-H ${quote(`Authorization: Bearer ${key}`)}`,
    ...(type === undefined ? [] : [`-H ${quote(`Content-Type: ${type}`)}`]),
    ...(body ? [`--data-raw ${quote(body)}`] : []),
  ].join(' \\\n  ');

/** JSON with line breaks, anything else as it is. */
export const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

export const statusText = (status: number): string => (status === 0 ? 'broken' : String(status));

export const statusClass = (status: number): string => (status === 0 ? 's0' : `s${Math.floor(status / 100)}`);
