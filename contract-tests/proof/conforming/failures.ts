import { defaultBehaviour, sameStatus } from '../server/behaviour.ts';
import { variants } from './variant.ts';

const variant = variants('failures');
const statuses = defaultBehaviour.statuses;

/** Status and body of a failure are not shown (§7.4 to §7.6); `error` being a string is (§7.1). */
export const failures = [
  variant('refusals-at-200', 'Refuses with status 200 and success false', { statuses: sameStatus(200) }),
  variant('refusals-at-200-without-success', 'Refuses with status 200 and an error, without success', {
    statuses: sameStatus(200),
    failure: (error) => ({ error }),
  }),
  variant('refusals-at-500', 'Refuses with status 500 and a reason, whatever the cause', {
    statuses: sameStatus(500),
  }),
  variant('refusals-at-404-strict', 'The same, and empty names and undocumented fields are refused too', {
    statuses: sameStatus(404),
    failure: () => ({ error: 'Not available', message: 'Not available' }),
    emptyName: 'rejected',
    unknownField: 'rejected',
  }),
  variant('bodies-422', 'Refuses fields with 422 and a list of details', {
    statuses: { ...statuses, fields: 422, json: 422 },
    failure: (error, reason) => ({
      success: false,
      error,
      message: error,
      details: [{ reason, at: 'body' }],
    }),
  }),
  variant(
    'new-lead-is-400',
    'Refuses leads with 400 that it does not know yet, for 300 ms, or any more',
    { statuses: { ...statuses, lead: 400 }, newLeadHiddenMs: 300 },
    { settleMs: 350 },
  ),
  variant('fields-at-200-only', 'Refuses keys with 401 and everything else with 200', {
    statuses: { ...sameStatus(200), key: 401 },
  }),
  variant('messages-in-a-list', 'The message of a failure is a list of texts', {
    failure: (error, reason) => ({ success: false, error: reason, message: [error] }),
  }),
  variant('failure-with-data', 'Failure bodies carry data null, a code and a trace', {
    failure: (error, reason) => ({
      success: false,
      error,
      message: error,
      data: null,
      code: reason,
      trace: 'a1b2',
    }),
  }),
  variant('problem-json', 'Failures are problem documents with an error', {
    failureType: 'application/problem+json',
    failure: (error, reason) => ({ type: 'about:blank', title: reason, detail: error, error }),
  }),
  variant('challenge', 'Every reply carries WWW-Authenticate and a request id', {
    headers: { 'www-authenticate': 'Bearer realm="api"', 'x-request-id': 'req-1' },
  }),
];
