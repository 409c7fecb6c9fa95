// Requests as curl commands. They read the key from the environment of the user.

import { type ShellCode, sh } from '../../mock/contract/shell.ts';
import { type Call, type Credentials, pathSegment } from '../exchange/exchange.ts';
import { type Address, curlThrough } from './gateway.ts';

/** The `Authorization` header of a request as one word; nothing for a request without one. `$random` is a key like that of the user. */
export const authorization: Readonly<Record<Credentials, ShellCode | undefined>> = {
  key: sh`"Authorization: Bearer $EMAIL_LEADS_API_KEY"`,
  none: undefined,
  'random key': sh`"Authorization: Bearer $random"`,
  'key with ~ appended': sh`"Authorization: Bearer $EMAIL_LEADS_API_KEY~"`,
  'key in other case': sh`"Authorization: Bearer $(printf %s "$EMAIL_LEADS_API_KEY" | tr a-zA-Z A-Za-z)"`,
  'key after ~': sh`"Authorization: Bearer ~$EMAIL_LEADS_API_KEY"`,
  'end of the key': sh`"Authorization: Bearer \${random%????}\${EMAIL_LEADS_API_KEY#"\${EMAIL_LEADS_API_KEY%????}"}"`,
  'key without its last character': sh`"Authorization: Bearer \${EMAIL_LEADS_API_KEY%?}"`,
  'key with another last character': sh`"Authorization: Bearer \${EMAIL_LEADS_API_KEY%?}\${random#"\${random%?}"}"`,
  'key with another first character': sh`"Authorization: Bearer ~\${EMAIL_LEADS_API_KEY#?}"`,
  'key with - and _ exchanged': sh`"Authorization: Bearer $(printf %s "$EMAIL_LEADS_API_KEY" | tr -- -_ _-)"`,
  'bearer with a random key': sh`"Authorization: bearer $random"`,
  'Bearer null': sh`'Authorization: Bearer null'`,
  'Bearer undefined': sh`'Authorization: Bearer undefined'`,
  'Bearer %': sh`'Authorization: Bearer %'`,
  'Bearer .*': sh`'Authorization: Bearer .*'`,
  'Bearer without a key': sh`'Authorization: Bearer'`,
  Basic: sh`'Authorization: Basic eDp5'`,
};

/** Whether a header has a part of `$random`, which a script makes in lines of its own. */
export const needsRandom = (credentials: Credentials): boolean =>
  authorization[credentials]?.code.includes('random') === true;

export const methods: Readonly<Record<Call['method'], ShellCode>> = {
  GET: sh`GET`,
  POST: sh`POST`,
  PUT: sh`PUT`,
  DELETE: sh`DELETE`,
};

/** curl sends a line break in a header as it is: what follows would be another header, or another request. */
const header = (name: string, value: string): ShellCode =>
  sh`-H ${`${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`}`;

/** The arguments for the headers of a request, except for the key. */
export const headerArguments = ({ bare, contentType, body }: Call): ShellCode[] => [
  ...(contentType === undefined ? [] : [header('Content-Type', contentType)]),
  ...(contentType === undefined && body !== undefined ? [sh`-H 'Content-Type:'`] : []),
  ...(bare ? [sh`-H 'Accept:' -H 'User-Agent:'`] : []),
];

/** Returns a command that deletes a lead. */
export const deleteCurl = ({ url, gateway }: Address, id: string): string =>
  sh`${curlThrough(gateway, authorization.key)} -X DELETE ${`${url}/api/v1/leads/${pathSegment(id)}`}`.code;

/** A command that repeats the request. */
export const curlFor = ({ url, gateway }: Address, call: Call): string => {
  const { method, path, credentials, body } = call;
  const wrong = sh`'Authorization: Bearer not-a-key-of-this-service'`;
  const key = needsRandom(credentials) ? wrong : authorization[credentials];
  return sh`${[
    sh`${curlThrough(gateway, key)} -i -X ${methods[method]} ${url + path}`,
    ...headerArguments(call),
    ...(body === undefined ? [] : [sh`--data-raw ${body.length > 2000 ? `${body.slice(0, 2000)}…` : body}`]),
  ]}`.code;
};
