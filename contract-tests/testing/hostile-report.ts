// For tests: reports with texts that try to break out of each format.

import type { CheckReport, Report } from '../reports/report.ts';

/** One of each: markup, ends of sections, fences, table cells, workflow commands, control characters, the direction of writing. */
export const hostileText = [
  '<script>alert(1)</script> <img src=x onerror=alert(2)> </style> "quoted" \'single\' &amp; & ]]> --> </failure>',
  '` `` ``` ```` | \\| **bold** [link](javascript:alert(3)) @everyone https://evil.example #1 $x$ <!-- ',
  '::error file=x::injected\r\n##[set-output name=x]y\n%0A%25',
  '\u0000\u0008\u001b[31mred\u001b[0m\u007f\u0085 \ufffe\uffff \ud800 \udfff \u202eright to left\u2066 \u200bzero \ufeff',
  'é ü 漢字 👩‍👧 🏴 ✓',
].join('\n');

const longText = `${hostileText} ${'very long '.repeat(5_000)}`;

const check = (id: string, more: Partial<CheckReport>): CheckReport => ({
  id,
  title: `${id} holds`,
  section: '4.5',
  level: 'documented',
  operation: 'addLead',
  needs: 'writes',
  status: 'pass',
  ...more,
});

const sent = { key: 'key with ~ appended', scenario: 'leads.add.name', content_type: 'text/x' } as const;

const finding = (text: string): NonNullable<CheckReport['finding']> => ({
  expected: text,
  actual: text,
  fingerprint: text,
  pointer: `/data/${text}`,
  replay: `#!/bin/sh\n# ${text}\ncurl -i -X POST 'http://127.0.0.1/' --data-raw '${text}'\n`,
  also: [text],
  exchanges: [
    {
      request: { method: 'POST', path: `/api/v1/leads?${text}`, ...sent, body: text },
      reply: { status: 200, size: 12, excerpt: text },
      sent_ms: 1500,
      took_ms: 40,
    },
  ],
});

const [reason, found] = [hostileText, finding(hostileText)];

const checks: readonly CheckReport[] = [
  check('leads.add.name', { status: 'fail', reason, finding: found }),
  check('leads.update.name', {
    ...{ status: 'fail', operation: 'updateLead', finding: finding(longText) },
    ...{ reason: longText, waiver_note: hostileText },
  }),
  check('leads.add.keeps-texts', { status: 'warn', level: 'derived', reason, finding: found }),
  check('leads.add.note', { status: 'fail', reason, waived: hostileText, finding: found }),
  check('leads.add.created-at', { status: 'unstable', reason, finding: found }),
  check('leads.delete.success', { status: 'inconclusive', operation: 'deleteLead', reason }),
  check('replies.encoding', { status: 'error', operation: 'every', section: '4', needs: 'read', reason }),
  check('email.send.success', { status: 'skipped', operation: 'sendEmail', needs: 'mail', reason }),
  check('leads.add.message', {}),
  check('somewhere.else', {}),
];

const unknownField = { kind: 'unknown field', section: '4.5', question: 'lead.unknown-field' } as const;

/** Every field there is, and every outcome. */
export const hostileReport: Report = {
  report_version: 1,
  suite: { name: 'email-leads', version: '0.1.0', command: 'contract' },
  target: { kind: 'deployment', url: 'http://127.0.0.1:4010/base' },
  run_id: '0a1b2c3d',
  started_at: '2026-03-02T10:15:30.000Z',
  duration_ms: 61_234,
  strict: false,
  verdict: { exit_code: 1, headline: `does not conform: 2 claims are broken ${hostileText}` },
  counts: { pass: 2, fail: 2, warn: 1, unstable: 1, inconclusive: 1, skipped: 1, error: 1, waived: 1 },
  requests: 12,
  mails_requested: 3,
  waited_ms: 0,
  ran: `ran 9 of 10 checks, 1 skipped: 1 because ${hostileText}`,
  checks,
  answers: [
    {
      question: 'lead.duplicate',
      section: '2.3',
      state: 'pinned',
      status: 'drift',
      expected: 'accepted',
      actual: 'merged',
      evidence: hostileText,
      curl: `curl -X POST 'http://127.0.0.1/${hostileText}'`,
    },
    {
      question: 'lead.name',
      section: '2.3',
      state: 'observed',
      status: 'skipped',
      expected: 'none',
      reason,
    },
  ],
  groups: checks.flatMap(({ id, status, section, operation, finding: found }) =>
    found && (status === 'fail' || status === 'warn')
      ? [{ headline: hostileText, status, section, checks: [id], operations: [operation] }]
      : [],
  ),
  coverage: {
    documented: { checked: 6, total: 8 },
    unobservable: ['§4.1 the email is sent'],
    never_seen: ['addLead /error'],
    undocumented: [`addLead /${hostileText}`],
    adaptations: [hostileText],
  },
  traffic: {
    judged: 4,
    broken: 1,
    undocumented: 1,
    outside: 2,
    skip_reasons: { 'cut off before the end': 1 },
    injected: { 'fault rule 1: 503': 1 },
    evicted: 1,
    required: { sendEmail: 0 },
    requests: [{ ...unknownField, operation: `POST ${hostileText}`, message: hostileText, count: 2 }],
  },
  leftovers: [{ lead_id: hostileText, curl: `curl -X DELETE 'http://127.0.0.1/${hostileText}'` }],
};

const { traffic: _traffic, ...withoutTraffic } = hostileReport;

/** Nothing to say. */
export const calmReport: Report = {
  ...withoutTraffic,
  verdict: { exit_code: 0, headline: 'conforms' },
  counts: { pass: 2, fail: 0, warn: 0, unstable: 0, inconclusive: 0, skipped: 0, error: 0, waived: 0 },
  ran: 'ran 2 of 2 checks, 0 skipped',
  checks: checks.filter(({ status }) => status === 'pass'),
  answers: [],
  groups: [],
  coverage: { ...hostileReport.coverage, never_seen: [], undocumented: [], adaptations: [] },
  leftovers: [],
};
