import { version } from './version.ts';

type Started = {
  readonly url: string;
  readonly host: string;
  readonly acceptKeys: readonly string[];
  readonly admin: boolean;
};

const loopback = /^(127\.|localhost$|::1$)/;

/** What a person needs to begin. A key that does not begin `test_` may be real: its place is taken by a variable. */
export const banner = ({ url, host, acceptKeys, admin }: Started): string => {
  const listed = acceptKeys.length > 0;
  const key = listed ? (acceptKeys.find((accepted) => accepted.startsWith('test_')) ?? variable) : 'test_key';
  const rule = listed ? '(from --accept-key)' : '(any test_… works; each has a workspace of its own)';
  return [
    `email-leads mock ${version}: nothing is sent, everything is captured`,
    '',
    `  Base URL   ${url}`,
    `  API key    ${key}  ${rule}`,
    ...(admin ? [`  Outbox     ${url}/  (a page; the same as JSON at /__admin/outbox)`] : []),
    `  Reference  ${url}/docs`,
    ...(loopback.test(host) ? [] : [`  Listening on ${host}: ${exposed(admin)}`]),
    '',
    'Try it:',
    `  curl -X POST ${url}/api/v1/leads -H "Authorization: Bearer ${key}" -H "Content-Type: application/json" \\`,
    `    -d '{"name":"Lena Fischer","source":"Webinar","note":"Call back after 17:00"}'`,
    '',
  ].join('\n');
};

const variable = '$EMAIL_LEADS_API_KEY';

const exposed = (admin: boolean): string =>
  admin
    ? 'everyone who reaches this machine reaches the mock and reads its outbox.'
    : 'everyone who reaches this machine reaches the mock.';
