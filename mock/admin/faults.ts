import { success } from './documentation.ts';
import { type AdminRoute, objectBody } from './route.ts';
import { list, object, ref } from './schemas.ts';
import { sound } from './sound.ts';
import { stateRules } from './state-rules-later.ts';

const tag = 'Faults';
const rules = object({ rules: list(ref('FaultRule')) });

/** What is to go wrong, and for which requests. */
export const faultRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/faults',
    doc: {
      id: 'getFaults',
      summary: 'The fault rules, with how often each was used',
      description:
        '`seen` counts the requests that met the conditions of a rule, `matched` those it took, `left` how often it can still be used; `null` is for ever.',
      tag,
      replies: success('In the order they are tried.', rules),
    },
    run: ({ workspace }) => ({ body: { rules: workspace.faults.list() } }),
  },
  {
    method: 'PUT',
    path: '/faults',
    checksBody: true,
    doc: {
      id: 'putFaults',
      summary: 'These rules and no others; counting starts over',
      description:
        'The first rule that takes a request decides. A rule that could never take one is refused. What GET returned can be put back; `seen`, `matched` and `left` are then counted anew.',
      tag,
      body: rules,
      replies: success('The rules.', rules),
    },
    run: async (request) => {
      const { checkRules } = await stateRules();
      const { workspace, body } = request;
      const fields = objectBody(body);
      const given = sound('Nothing was changed.', () => checkRules(fields.rules, Object.keys(fields)));
      workspace.faults.replace(given.map(({ seen: _seen, matched: _matched, ...rule }) => rule));
      return { body: { rules: workspace.faults.list() } };
    },
  },
  {
    method: 'DELETE',
    path: '/faults',
    doc: {
      id: 'deleteFaults',
      summary: 'No more faults',
      description: 'Requests are answered as usual again; those that wait already go on waiting.',
      tag,
      replies: success('No rules.', rules),
    },
    run: ({ workspace }) => {
      workspace.faults.replace([]);
      return { body: { rules: [] } };
    },
  },
];
