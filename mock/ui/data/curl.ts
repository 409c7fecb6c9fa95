import { mockAddress } from './api.ts';
import { isProxy } from './router.ts';

/**
 * Quotes a text as one word of a shell command. Control characters are escaped, because some act on the terminal when they are
 * pasted.
 */
export const quote = (text: string): string =>
  controls.test(text)
    ? `$'${text.replace(/[\\']/g, '\\$&').replace(controlsEach, escapeControl)}'`
    : `'${text.replaceAll("'", "'\\''")}'`;

// A line break inside quotes stays one.
const controls = /[^\P{Cc}\n]/u;
const controlsEach = /[^\P{Cc}\n]/gu;

const escapeControl = (control: string): string => {
  const code = control.charCodeAt(0).toString(16);
  return code.length === 2 && code > '7f' ? `\\u00${code}` : `\\x${code.padStart(2, '0')}`;
};

type CurlRequest = {
  readonly method: string;
  readonly path: string;
  readonly type: string | undefined;
  readonly body: string | null;
};

/** The Authorization header in a command. The key of a real deployment is never on the page: the shell has it in a variable. */
export const authorizationOf = (key: string): string =>
  isProxy ? '"Authorization: Bearer $EMAIL_LEADS_API_KEY"' : quote(`Authorization: Bearer ${key}`);

/** A curl command that repeats the request with the key of the workspace. The URL is literal: `[1-9]` is not a range. */
export const curlCommand = ({ method, path, type, body }: CurlRequest, key: string): string =>
  [
    `curl ${/[[\]{}]/.test(path) ? '--globoff ' : ''}-X ${quote(method)} ${quote(mockAddress + path)}`,
    `-H ${authorizationOf(key)}`,
    ...(type === undefined ? [] : [`-H ${quote(`Content-Type: ${type}`)}`]),
    ...(body ? [`--data-raw ${quote(body)}`] : []),
  ].join(' \\\n  ');
