import type { Call, Credentials } from './exchange.ts';

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const authorizationOfKey = '-H "Authorization: Bearer $EMAIL_LEADS_API_KEY"';

const authorization: Readonly<Record<Credentials, string | undefined>> = {
  key: '"Authorization: Bearer $EMAIL_LEADS_API_KEY"',
  none: undefined,
  'random key': "'Authorization: Bearer not-a-key-of-this-service'",
  'key with ~ appended': '"Authorization: Bearer $EMAIL_LEADS_API_KEY~"',
  'key in other case': `"Authorization: Bearer $(printf %s "$EMAIL_LEADS_API_KEY" | tr a-zA-Z A-Za-z)"`,
  'key after ~': '"Authorization: Bearer ~$EMAIL_LEADS_API_KEY"',
  'end of the key': '"Authorization: Bearer not-a-key-$(printf %s "$EMAIL_LEADS_API_KEY" | tail -c 4)"',
  'key without its last character': '"Authorization: Bearer ${EMAIL_LEADS_API_KEY%?}"',
  'key with another last character': '"Authorization: Bearer ${EMAIL_LEADS_API_KEY%?}~"',
  'bearer with a random key': "'Authorization: bearer not-a-key-of-this-service'",
  'Bearer null': "'Authorization: Bearer null'",
  'Bearer %': "'Authorization: Bearer %'",
  'Bearer without a key': "'Authorization: Bearer'",
  Basic: "'Authorization: Basic eDp5'",
};

/** An id as part of a path; half a character, which no path can carry, becomes the sign for one that is unknown. */
export const pathSegment = (id: string): string =>
  encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'));

/** A command that deletes a lead. */
export const deleteCurl = (base: string, id: string): string =>
  `curl -X DELETE ${quoted(`${base}/api/v1/leads/${pathSegment(id)}`)} ${authorizationOfKey}`;

/** A command that sends the request again, the key left to the environment of whoever runs it. */
export const curlFor = (base: string, call: Call): string => {
  const header = authorization[call.credentials];
  return [
    `curl -i -X ${call.method} ${quoted(base + call.path)}`,
    ...(header ? [`-H ${header}`] : []),
    ...(call.contentType ? [`-H ${quoted(`Content-Type: ${call.contentType}`)}`] : []),
    ...(call.body === undefined
      ? []
      : [`--data-raw ${quoted(call.body.length > 2000 ? `${call.body.slice(0, 2000)}…` : call.body)}`]),
  ].join(' ');
};
