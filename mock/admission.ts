import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticationError, readCredentials } from './authentication.ts';
import type { Context } from './context.ts';
import { ApiError } from './errors.ts';
import { injectBefore, takeFault } from './injection.ts';
import { contentEncodingError, mediaTypeError } from './media-type.ts';
import { preferencesOf } from './prefer.ts';
import type { Operation } from './spec.ts';
import type { Workspace } from './state.ts';
import { unrouted } from './unrouted.ts';

type Done = (error?: Error) => void;
type Admit = (request: FastifyRequest, reply: FastifyReply, done: Done) => void;

/** Path form → authentication → `Prefer` → media type: all that is judged before the body is read. */
export const admitTo =
  (operation: Operation, context: Context): Admit =>
  (request, reply, done) => {
    const { workspaces } = context;
    const view = request.view ?? context.view;
    request.takesBody = operation.body !== undefined;
    if (request.trace) request.trace.operation = operation.id;
    // Fastify's `:id` also matches nothing at all.
    if (!view.serves(operation) || (request.params as { id?: string }).id === '')
      return done(unrouted(request, view));
    const credentials = readCredentials(request.headers.authorization);
    if ('problem' in credentials || !workspaces.accepts(credentials.key))
      return done(authenticationError(credentials, workspaces.rule));
    const workspace = workspaces.open(credentials.key);
    request.workspace = workspace;
    if (request.headers.prefer === undefined && context.delay === 0 && !workspace.faults.any())
      return done(bodyError(operation, request));
    steer(operation, request, reply, context, workspace, done);
  };

/** Refuses, and lets the reply wait, as the request itself, a fault rule, or `--delay` asks for. */
const steer = (
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  context: Context,
  { faults }: Workspace,
  done: Done,
): void => {
  try {
    const { code, delay } = preferencesOf(request);
    if (delay !== undefined) reply.header('preference-applied', `delay=${delay}`);
    request.bare = false;
    // Taken when the request comes: the next one finds the rule used.
    const found = code === undefined && faults.any() ? takeFault(operation, request, faults) : undefined;
    request.faultsDue = found === 'later';
    const taken = found === 'later' ? undefined : found;
    request.wait = delay ?? taken?.delay ?? context.delay;
    if (code !== undefined) return done(askedFor(code, delay));
    const { refusal, answered } = injectBefore(taken, request, reply, context);
    if (!answered) done(refusal ?? bodyError(operation, request));
  } catch (error) {
    done(error as Error);
  }
};

const askedFor = (status: number, delay: number | undefined): ApiError =>
  new ApiError(
    'asked_for',
    `refused with ${status} because the request asked for it`,
    'Leave "code" out of the Prefer header for the real reply.',
    {
      status,
      headers: {
        'preference-applied': delay === undefined ? `code=${status}` : `code=${status}, delay=${delay}`,
      },
    },
  );

/** What the headers say about a body that cannot be taken. */
const bodyError = (operation: Operation, request: FastifyRequest): ApiError | undefined => {
  const { headers } = request;
  if (!operation.body) {
    // §4.2 and §4.7 take no body: whatever label it has is nobody's business, least of all Fastify's.
    if (headers['content-type'] !== undefined) headers['content-type'] = undefined;
    return undefined;
  }
  const refused = contentEncodingError(headers) ?? mediaTypeError(headers);
  const accepted = request.view?.answers['failure.media-type-status'] === 'accepted';
  if (refused?.code !== 'media_type_unsupported' || !accepted) return refused;
  headers['content-type'] = 'application/json';
  return undefined;
};
