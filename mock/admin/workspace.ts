import { readCredentials } from '../authentication.ts';
import { type Attempt, unconditional, type Workspaces } from '../workspaces.ts';
import { AdminError } from './route.ts';

/**
 * The workspace a request is about: of the key in its `Authorization` header, else of `?key=`, else of the key the mock
 * prints. A route that reads only looks, and one that changes something attempts it: neither reading nor a refusal ever makes
 * a workspace and pushes another one out.
 * @throws AdminError 401 where there is no accepted key; the key itself is never repeated
 */
export const chooseWorkspace = (
  use: 'look' | 'attempt' | 'open',
  header: string | undefined,
  queried: string | undefined,
  workspaces: Workspaces,
): Attempt => {
  const credentials = readCredentials(header);
  if ('problem' in credentials && credentials.problem === 'malformed')
    throw new AdminError(401, 'header/Authorization must be "Bearer <API_KEY>"', workspaces.rule);
  const key = 'key' in credentials ? credentials.key : (queried ?? workspaces.defaultKey);
  if (key === undefined)
    throw new AdminError(
      401,
      'the request names no workspace, and no accepted key begins with test_',
      'Send "Authorization: Bearer <API_KEY>" with one of the keys given to --accept-key.',
    );
  if (!workspaces.accepts(key)) throw new AdminError(401, 'the key is not accepted', workspaces.rule);
  if (use === 'attempt') return workspaces.attempt(key);
  return { ...unconditional, workspace: workspaces[use](key) };
};
