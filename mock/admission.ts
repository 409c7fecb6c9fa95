import type { FastifyReply, FastifyRequest } from 'fastify';
import { authenticationError, readCredentials } from './authentication.ts';
import type { Context } from './context.ts';
import { ApiError } from './errors.ts';
import { contentEncodingError, mediaTypeError } from './media-type.ts';
import { readPreferences } from './prefer.ts';
import type { Operation } from './spec.ts';
import { unrouted } from './unrouted.ts';

type Done = (error?: Error) => void;
type Admit = (request: FastifyRequest, reply: FastifyReply, done: Done) => void;

/** Path form → authentication → `Prefer` → media type: all that is judged before the body is read. */
export const admitTo =
  (operation: Operation, { view: serverView, workspaces, delay }: Context): Admit =>
  (request, reply, done) => {
    const view = request.view ?? serverView;
    // Fastify's `:id` also matches nothing at all.
    if (!view.serves(operation) || (request.params as { id?: string }).id === '')
      return done(unrouted(request, view));
    const credentials = readCredentials(request.headers.authorization);
    if ('problem' in credentials || !workspaces.accepts(credentials.key))
      return done(authenticationError(credentials, workspaces.rule));
    request.workspace = workspaces.open(credentials.key);
    if (request.headers.prefer === undefined && delay === 0) return done(bodyError(operation, request));
    steer(operation, request, reply, delay, done);
  };

/** Waits and refuses as the request itself, or `--delay`, asks for. */
const steer = (
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
  serverDelay: number,
  done: Done,
): void => {
  try {
    const { code, delay } = readPreferences([request.headers.prefer ?? []].flat().join());
    if (delay !== undefined) reply.header('preference-applied', `delay=${delay}`);
    const outcome = code === undefined ? bodyError(operation, request) : askedFor(code, delay);
    const wait = delay ?? serverDelay;
    if (wait === 0) return done(outcome);
    // A request that waits must not keep a process alive that was told to stop.
    setTimeout(() => done(outcome), wait).unref();
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
