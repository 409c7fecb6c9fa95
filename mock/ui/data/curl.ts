import { type ShellCode, sh } from '../../contract/shell.ts';
import { mockAddress } from './api.ts';
import { isProxy } from './router.ts';

export type CurlRequest = {
  readonly method: string;
  readonly path: string;
  readonly type?: string | undefined;
  readonly body: string | null;
};

/** The Authorization header in a command. The key of a real deployment is never on the page: the shell has it in a variable. */
const authorizationOf = (key: string): ShellCode =>
  isProxy ? sh`"Authorization: Bearer $EMAIL_LEADS_API_KEY"` : sh`${`Authorization: Bearer ${key}`}`;

/** A curl command that sends exactly this request, with the key of the workspace. The URL is literal: `[1-9]` is not a range. */
export const curlCommand = ({ method, path, type, body }: CurlRequest, key: string): string =>
  [
    sh`curl -g --path-as-is -X ${method} ${mockAddress + path}`,
    sh`-H ${authorizationOf(key)}`,
    ...(type === undefined ? [] : [sh`-H ${`Content-Type: ${type}`}`]),
    ...(body ? [sh`--data-raw ${body}`] : []),
  ]
    .map(({ code }) => code)
    .join(' \\\n  ');
