import { asBadRequest, hintOf } from '../input.ts';
import { objectBody, success, tagged } from '../route.ts';
import { list, object, ref } from '../schemas.ts';

const tag = { name: 'Faults', description: 'Fault injection.' };
const rules = object({ rules: list(ref('FaultRule')) });
const newRules = {
  ...rules,
  examples: [{ rules: [{ operation: 'sendEmail', to: '*@example.com', status: 503, times: 1 }] }],
};

/** Fault rules: which requests fail, and how. */
export const faultRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/faults',
    doc: {
      id: 'getFaults',
      summary: 'List the fault rules and their counters',
      description:
        '`seen` counts the requests that met the conditions of the rule, `matched` the requests that the rule handled, `left` the remaining uses (`null`: unlimited).',
      replies: success('The rules, in the order of evaluation.', rules),
    },
    run: ({ workspace }) => ({ body: { rules: workspace.faults.list() } }),
  },
  {
    method: 'PUT',
    path: '/faults',
    validatesOwnBody: true,
    doc: {
      id: 'putFaults',
      summary: 'Replace all fault rules and reset their counters',
      description:
        'The first matching rule handles a request. A rule that can never match is rejected. The response of GET is a valid body; `seen`, `matched` and `left` are then reset.',
      body: newRules,
      replies: success('The rules.', rules),
    },
    run: async (request) => {
      // Loaded on first use, for a fast start: most mocks never get a fault rule.
      const { checkRules } = await import('../../validation/fault-rules.ts');
      const { workspace, body } = request;
      const hint = `Nothing was changed. ${hintOf(newRules)}`;
      const fields = objectBody(body, hint);
      const checkedRules = asBadRequest(hint, () => checkRules(fields.rules, Object.keys(fields)));
      workspace.faults.replace(checkedRules.map(({ seen: _seen, matched: _matched, ...rule }) => rule));
      return { body: { rules: workspace.faults.list() } };
    },
  },
  {
    method: 'DELETE',
    path: '/faults',
    doc: {
      id: 'deleteFaults',
      summary: 'Delete all fault rules',
      description: 'New requests are handled normally. Requests that are already delayed stay delayed.',
      replies: success('An empty list.', rules),
    },
    run: ({ workspace }) => {
      workspace.faults.replace([]);
      return { body: { rules: [] } };
    },
  },
]);
