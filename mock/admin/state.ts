import type { Content } from '../state-document.ts';
import { type ReplyDoc, success } from './documentation.ts';
import { type AdminReply, type AdminRoute, objectBody } from './route.ts';
import { ref } from './schemas.ts';
import { sound } from './sound.ts';
import { stateRules } from './state-rules-later.ts';

const tag = 'State';

// Three bytes, as JSON in UTF-8, for each character that an outbox and a journal hold at most.
const mostBytes = 256 * 1024 * 1024;

const tooLarge: ReplyDoc = {
  description: `It would be larger than ${mostBytes} bytes, more than can be put.`,
  schema: ref('Refusal'),
};

/** The whole workspace at once. What is read here can be put back, or be a seed. */
export const stateRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/state',
    doc: {
      id: 'getState',
      summary: 'All that is in the workspace; also a seed file',
      description:
        'A pure function of the workspace: two of them with nothing between are equal. What it returns is a body for PUT and a file for `--seed`.',
      tag,
      replies: { ...success('The same as long as nothing changes.', ref('State')), 413: tooLarge },
    },
    run: ({ workspace }) => replyOf(workspace.content()),
  },
  {
    method: 'PUT',
    path: '/state',
    checksBody: true,
    bodyLimit: mostBytes,
    doc: {
      id: 'putState',
      summary: 'This instead of all that is in the workspace, or nothing of it',
      description:
        'What is left out is as in a workspace that nobody touched. One thing that is wrong, and nothing is changed. A reset still goes back to the seed, unless `seed=true` makes this the seed.',
      tag,
      query: {
        seed: {
          type: 'boolean',
          default: false,
          description: 'True makes it what a reset of this workspace goes back to as well.',
        },
      },
      body: ref('State'),
      replies: { ...success('What is in it then.', ref('State')), 413: tooLarge },
    },
    run: async (request) => {
      const { checkState } = await stateRules();
      const { workspace, query, body } = request;
      const document = sound('Nothing was changed.', () => checkState(objectBody(body)));
      if (query.seed === 'true') workspace.reseed(document);
      else workspace.load(document);
      return replyOf(workspace.content());
    },
  },
];

/** The state as it is sent. What could not be put again is not: the promise holds for all that is told. */
export const replyOf = (content: Content, most = mostBytes): AdminReply => {
  const text = textOf(content);
  if (text !== undefined && Buffer.byteLength(text) <= most)
    return { headers: { 'content-type': 'application/json; charset=utf-8' }, body: text };
  return {
    status: 413,
    body: {
      error: `the state is larger than ${most} bytes: it could not be put again`,
      message: 'What is in it stays. DELETE /__admin/outbox or /__admin/requests makes it smaller.',
    },
  };
};

const textOf = (content: Content): string | undefined => {
  try {
    return JSON.stringify(content);
  } catch (error) {
    // Longer than any text can be.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
};
