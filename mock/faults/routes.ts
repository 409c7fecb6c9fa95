import type { Routes } from '../route/noun.ts';
import { list, object, ref, success } from '../route/schemas.ts';
import { limits } from '../store/store.ts';
import type { FaultRule, Faults } from './faults.ts';

const rulesSchema = object({ rules: list(ref('FaultRule')) });

/** Fault rules: which requests fail, and how. */
export const faultRoutes = {
  'GET /faults': {
    id: 'getFaults',
    summary: 'List the fault rules and their counters',
    description:
      '`seen` counts the requests that met the conditions of the rule, `matched` the requests that the rule handled, `left` the remaining uses (`null`: unlimited).',
    replies: success('The rules, in the order of evaluation.', rulesSchema),
    run: ({ faults }) => ({ rules: faults.list() }),
  },
  'PUT /faults': {
    id: 'putFaults',
    summary: 'Replace all fault rules and reset their counters',
    description:
      'The first matching rule handles a request. A rule that can never match is rejected. The response of GET is a valid body; `seen`, `matched` and `left` are then reset.',
    body: {
      ...object({ rules: { ...list(ref('FaultRule')), maxItems: limits.faultRules } }),
      examples: [{ rules: [{ operation: 'sendEmail', to: '*@example.com', status: 503, times: 1 }] }],
    },
    replies: success('The rules.', rulesSchema),
    run: ({ faults }, { body }) => {
      const { rules } = body as { readonly rules: readonly FaultRule[] };
      faults.replace(rules);
      return { rules: faults.list() };
    },
  },
  'DELETE /faults': {
    id: 'deleteFaults',
    summary: 'Delete all fault rules',
    description: 'New requests are handled normally. Requests that are already delayed stay delayed.',
    replies: success('An empty list.', rulesSchema),
    run: ({ faults }) => {
      faults.replace([]);
      return { rules: [] };
    },
  },
} satisfies Routes<{ readonly faults: Faults }>;
