import { checkState } from '../state-rules.ts';
import { success } from './documentation.ts';
import { type AdminRoute, objectBody } from './route.ts';
import { ref } from './schemas.ts';
import { sound } from './sound.ts';

const tag = 'State';

/** The whole workspace at once. What is read here can be put back, or be a seed. */
export const stateRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/state',
    doc: {
      id: 'getState',
      summary: 'All that is in the workspace; also a seed file',
      tag,
      replies: success('The same as long as nothing changes.', ref('State')),
    },
    run: ({ workspace }) => ({ body: workspace.content() }),
  },
  {
    method: 'PUT',
    path: '/state',
    bodyLimit: 64 * 1024 * 1024,
    doc: {
      id: 'putState',
      summary: 'This instead of all that is in the workspace, or nothing of it',
      tag,
      body: ref('State'),
      replies: success('What is in it then.', ref('State')),
    },
    run: ({ workspace, body }) => {
      workspace.load(sound('Nothing was changed.', () => checkState(objectBody(body))));
      return { body: workspace.content() };
    },
  },
];
