import type { Answers } from '../contract/questions.ts';
import { contentEncodingError, mediaTypeError, parseJson, type ReceivedBody } from '../http/content-type.ts';
import { ApiError } from '../http/errors.ts';
import { createTransfer, limits, type Transfer, textBytes } from '../runtime/limits.ts';
import {
  bodyValidator,
  describeBodyError,
  suggestFields,
  suggestFormat,
} from '../validation/request-body.ts';
import { entryBytes } from '../workspace/journal.ts';
import { cutBody } from '../workspace/journal-entry.ts';
import type { Exchange, Outcome } from './exchange.ts';

/** Stands for an unreadable body that the answers accept: an empty object that is not validated. */
const UNVALIDATED: Readonly<Record<string, never>> = Object.freeze({});

/** Checks the headers of the body. @throws ApiError for a content encoding or media type that is not accepted */
export const checkBodyHeaders = ({ operation, request, contract }: Exchange): undefined => {
  // §4.2 and §4.7 take no body, so its Content-Type does not matter.
  if (!operation?.body) return;
  const error = contentEncodingError(request.headers) ?? mediaTypeError(request.headers);
  const accepted =
    error?.code === 'media_type_unsupported' && contract.answers['failure.media-type-status'] === 'accepted';
  if (error && !accepted) throw error;
};

const bodyLimits: Readonly<Record<Answers['limits.body-size'], number>> = {
  '1MiB': 1024 * 1024,
  '64KiB': 64 * 1024,
  '100KiB': 100 * 1024,
  // Far more than a client sends. Parsing a larger body would delay other requests.
  'above-1MiB': limits.requestBytes,
};

/** Bytes that an adapter reads of a body. A longer one is refused with `bodyTooLarge`. */
export const bodyLimit = ({ contract: { answers } }: Exchange): number =>
  bodyLimits[answers['limits.body-size']];

export const bodyTooLarge = (limit: number): ApiError =>
  new ApiError(
    'body_too_large',
    `body is larger than ${limit} bytes`,
    'Nothing was done. Send less; how much a deployment takes is the open question limits.body-size.',
  );

/**
 * The body parsed as JSON, whatever its Content-Type: `checkBodyHeaders` has checked that. Values stay exactly as sent;
 * `__proto__` is an ordinary name.
 */
export const parseBody = (
  { operation, entry, contract }: Exchange,
  received: ReceivedBody | undefined,
): unknown => {
  // A DELETE may have a JSON Content-Type without a body (§4.7). Its body is ignored.
  if (!operation?.body || received === undefined || received.text === '') return undefined;
  entry.requestBody = cutBody(received.text);
  try {
    return parseJson(received);
  } catch (error) {
    if (contract.answers['failure.malformed-json-status'] !== 'accepted') throw error;
    return UNVALIDATED;
  }
};

/** @throws ApiError where the body breaks the contract in force */
export const validateBody = ({ operation, contract, body }: Exchange): undefined => {
  const schema = operation && contract.bodies.get(operation.id);
  if (!schema || body === UNVALIDATED) return;
  const validate = bodyValidator(schema);
  if (validate(body ?? undefined)) return;
  throw new ApiError(
    'validation_failed',
    body === undefined ? 'body is missing' : describeBodyError(validate.errors, schema, body),
    `Nothing was done. ${body === undefined ? '' : suggestFields(schema, body)}${suggestFormat(validate.errors)}See /docs for the body of ${operation.method.toUpperCase()} ${operation.path}.`,
  );
};

/** Counts the memory of a delayed outcome. `undefined` where there is none left: then it is sent at once. */
export const countDelayed = ({ context, entry }: Exchange, outcome: Outcome): Transfer | undefined => {
  const transfer = createTransfer(context.workspaces.transfers, 0);
  try {
    transfer.add(entryBytes(entry) + textBytes('body' in outcome ? outcome.body : null));
    return transfer;
  } catch (error) {
    entry.why ??= { code: 'busy', what: `not delayed: ${(error as Error).message}` };
    return undefined;
  }
};
