import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Reads a request body as JSON in UTF-8, whatever its label: the media type was judged on admission.
 * Values stay exactly as sent; `__proto__` is an ordinary name.
 */
export const readJson = (request: FastifyRequest, bytes: Buffer, done: Done): void => {
  const { hasBody } = request.routeOptions.config;
  // A DELETE may carry a JSON type and no body (§4.7); what it carries is not looked at.
  if (hasBody === false) return done(null, undefined);
  if (bytes.length === 0) return done(null, undefined);
  if (!isUtf8(bytes)) return done(malformed('it is not UTF-8'));
  try {
    done(null, JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    done(malformed((error as Error).message));
  }
};

const malformed = (why: string): ApiError =>
  new ApiError(
    'json_malformed',
    `body is not JSON: ${why}`,
    'Nothing was changed. Send one JSON object, in UTF-8.',
  );
