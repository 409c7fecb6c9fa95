import { Readable } from 'node:stream';
import { encodeInSteps, toJsonParts } from '../../runtime/json-parts.ts';
import { limits, StorageFull } from '../../runtime/limits.ts';
import { runInSteps } from '../../runtime/timers.ts';
import { parseInSteps, TooLarge } from '../../validation/large-json.ts';
import { type LazyState, prepareSeedInSteps, type StateDocument } from '../../workspace/snapshot.ts';
import { asBadRequest, hintOf } from '../input.ts';
import {
  AdminError,
  type AdminReply,
  type AdminRequest,
  objectBody,
  type ReplyDoc,
  success,
  tagged,
} from '../route.ts';
import { object, ref, wholeNumber } from '../schemas.ts';

/** A state is too large to be imported again. */
class StateTooLarge extends Error {}

const itemToJson = (item: unknown): string => {
  const text = JSON.stringify(item);
  if (text.length > limits.stateItemBytes / 3 && Buffer.byteLength(text) > limits.stateItemBytes)
    throw new StateTooLarge(`one of its items is larger than ${limits.stateItemBytes} bytes`);
  return text;
};

/** Measures the JSON of a state. @throws StateTooLarge */
function* measureInSteps(state: LazyState, maxBytes: number): Generator<undefined, number> {
  let bytes = 0;
  for (const part of toJsonParts(state, itemToJson)) {
    bytes += Buffer.byteLength(part);
    if (bytes > maxBytes) throw new StateTooLarge(`it is larger than ${maxBytes} bytes when it is read`);
    yield;
  }
  return bytes;
}

const tag = { name: 'State', description: 'The complete state of the workspace, and its seed.' };

const tooLarge: ReplyDoc = {
  description: `The state is larger than ${limits.stateBytes} bytes, one of its items is larger than ${limits.stateItemBytes} bytes, or a store has no room for it: its leads may take ${limits.leadsBytes} bytes of memory, its templates ${limits.templatesBytes}, its fault rules ${limits.faultsBytes}; with \`seed=true\` all of it ${limits.seedBytes}. Nothing was changed.`,
  schema: ref('Refusal'),
};

/** The complete workspace state. What GET returns is valid for PUT and as a seed. */
export const stateRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/state',
    doc: {
      id: 'getState',
      summary: 'Get the workspace state',
      description:
        'The complete state. Without changes in between, two responses are equal. The response is a valid body for PUT and a valid file for `--seed`.',
      replies: { ...success('The workspace state.', ref('State')), 413: tooLarge },
    },
    run: (request) =>
      oneAtATime(request.context, () => stateReply(request.workspace.exportLazily(), request.transfer.add)),
  },
  {
    method: 'PUT',
    path: '/state',
    validatesOwnBody: true,
    takesBytes: true,
    bodyLimit: limits.stateBytes,
    doc: {
      id: 'putState',
      summary: 'Replace the workspace state (atomic)',
      description:
        'Omitted parts get the defaults of a new workspace. If anything is invalid, or too large, nothing is changed. A reset still restores the old seed, unless `seed=true` makes this state the new seed.',
      query: {
        seed: {
          type: 'boolean',
          default: false,
          description: 'Whether this state also becomes the seed of the workspace.',
        },
      },
      body: ref('State'),
      replies: { ...success('The state after the change.', ref('State')), 413: tooLarge },
    },
    run: (request) => oneAtATime(request.context, () => replaceState(request)),
  },
]);

/** Parses, validates and measures a state in steps, then replaces it at once. An invalid state changes nothing. */
const replaceState = async (request: AdminRequest): Promise<AdminReply> => {
  try {
    const document = await readDocument(request.body);
    const prepared = await runInSteps(request.workspace.prepareInSteps(document));
    await runInSteps(measureInSteps(prepared.content, limits.stateBytes));
    const seed = request.query.seed === 'true' ? await runInSteps(prepareSeedInSteps(document)) : undefined;
    // Read only now: the workspace may have been dropped during the preparation.
    const { workspace } = request;
    workspace.load(prepared, seed);
    return await stateReply(workspace.exportLazily(), request.transfer.add);
  } catch (error) {
    if (error instanceof StorageFull || error instanceof StateTooLarge) throw sizeError(error.message);
    throw error;
  }
};

const readDocument = async (body: unknown): Promise<StateDocument> => {
  // Loaded on first use, for a fast start: most mocks never import a state.
  const { checkStateInSteps } = await import('../../validation/snapshot.ts');
  const value =
    body instanceof Uint8Array ? await parse(Buffer.from(body.buffer, body.byteOffset, body.length)) : body;
  const hint = `Nothing was changed. ${hintOf(ref('State'))}`;
  const steps = checkStateInSteps(objectBody(value, hint));
  return runInSteps({ next: () => asBadRequest(hint, () => steps.next()) });
};

const parse = async (bytes: Buffer): Promise<unknown> => {
  try {
    const sizes = {
      memoryBytes: limits.totalBytes,
      itemBytes: limits.stateItemBytes,
      itemValues: limits.stateItemValues,
    };
    return await runInSteps(parseInSteps(bytes, sizes));
  } catch (error) {
    if (error instanceof TooLarge) throw sizeError(`the state cannot be replaced: ${error.message}`);
    if (!(error instanceof SyntaxError)) throw error;
    throw new AdminError(
      400,
      `body is not JSON: ${error.message}`,
      'Nothing was done. Send one JSON object, in UTF-8.',
    );
  }
};

const sizeError = (problem: string): AdminError =>
  new AdminError(413, problem, 'Nothing was changed. Send a smaller state.');

const lastTransfers = new WeakMap<object, Promise<unknown>>();

/** Runs imports one after the other, because several large states in preparation would need too much memory together. */
const oneAtATime = async (server: object, run: () => Promise<AdminReply>): Promise<AdminReply> => {
  const previous = lastTransfers.get(server) ?? Promise.resolve();
  const current = previous.then(run, run);
  // Without keeping its result, which is as large as the state.
  lastTransfers.set(
    server,
    current.then(
      () => undefined,
      () => undefined,
    ),
  );
  return current;
};

/**
 * The response with the state. A state that is too large for an import is refused, so that all responses can be imported.
 * @param count receives the number of bytes of each part
 */
export const stateReply = async (
  state: LazyState,
  count: (bytes: number) => void,
  maxBytes: number = limits.stateBytes,
): Promise<AdminReply> => {
  let bytes = 0;
  const countPart = (partBytes: number): void => {
    bytes += partBytes;
    if (bytes > maxBytes) throw new StateTooLarge(`it is larger than ${maxBytes} bytes`);
    count(partBytes);
  };
  try {
    const chunks = await runInSteps(encodeInSteps(toJsonParts(state, itemToJson), countPart));
    return {
      headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': String(bytes) },
      body: Readable.from(chunks, { objectMode: false }),
    };
  } catch (error) {
    if (!(error instanceof StateTooLarge)) throw error;
    throw new AdminError(
      413,
      `the state cannot be read, as PUT would reject it: ${error.message}`,
      'Nothing was changed. Use DELETE /__admin/outbox or DELETE /__admin/requests to make it smaller.',
    );
  }
};

/** @throws AdminError for a changed seed file that is invalid; then nothing was reset */
const refreshSeed = ({ workspaces }: AdminRequest['context']): void => {
  try {
    workspaces.refreshSeed();
  } catch (error) {
    throw new AdminError(
      409,
      (error as Error).message,
      'Nothing was reset. Correct the seed file and reset again.',
    );
  }
};

/** Resets leads, templates, outbox, journal, faults, clock, answers and ids to the seed. */
export const resetRoutes = tagged(tag, [
  {
    method: 'POST',
    path: '/reset',
    doc: {
      id: 'reset',
      summary: 'Reset the workspace to its seed',
      description:
        'Resets leads, templates, outbox, journal, faults, clock, answers and ids of this workspace only. Reads the file of `--seed` again where it was changed. Open waits end with an error, and earlier cursors become invalid.',
      replies: {
        ...success(
          'The workspace was reset.',
          object({ status: { const: 'reset' }, templates: wholeNumber }),
        ),
        409: { description: 'The seed file was changed and cannot be read.', schema: ref('Refusal') },
      },
    },
    // After an import in progress, so that readers never see a mixture of both states.
    run: (request) =>
      oneAtATime(request.context, async () => {
        refreshSeed(request.context);
        const prepared = await runInSteps(request.workspace.prepareSeedInSteps());
        // Read only now: the workspace may have been dropped during the preparation.
        const { workspace } = request;
        workspace.load(prepared);
        return { body: { status: 'reset', templates: workspace.templates.size } };
      }),
  },
]);
