import { success } from './documentation.ts';
import type { AdminRoute } from './route.ts';
import { list, object, text, textOrNull, whole } from './schemas.ts';

const mostListed = 200;

/**
 * The workspaces there are, the most recently used first; no key needed. A key that does not begin `test_` may be a real one: it
 * is counted, not told.
 */
export const workspaceRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/workspaces',
    doc: {
      id: 'listWorkspaces',
      summary: 'The workspaces there are, the most recently used first; no key needed',
      description:
        'One for each key that was used. A key that does not begin with `test_` may be a real one: it is counted, not told.',
      tag: 'Mock',
      replies: success(
        'Those of test keys; others are only counted.',
        object({
          default: textOrNull,
          workspaces: list(object({ key: text, messages: whole, leads: whole })),
          total: whole,
        }),
      ),
    },
    run: ({ context: { workspaces } }) => {
      const used = workspaces.used();
      const told = used.filter(({ key }) => key.startsWith('test_')).slice(0, mostListed);
      return {
        body: {
          default: workspaces.defaultKey ?? null,
          workspaces: told.map(({ key, outbox, leads }) => ({
            key,
            messages: outbox.size(),
            leads: leads.size,
          })),
          total: used.length,
        },
      };
    },
  },
];
