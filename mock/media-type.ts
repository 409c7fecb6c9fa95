import { ApiError, quoted } from './errors.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

const json = /^application\/json\s*(;|$)/i;

/** Whether the headers announce no body at all. */
export const announcesNoBody = (headers: Headers): boolean =>
  headers['transfer-encoding'] === undefined && /^0*$/.test(String(headers['content-length'] ?? ''));

/** Whether a body is labelled as JSON (§5.2). */
export const isJson = (type: string | undefined): boolean =>
  type === 'application/json' || (type !== undefined && json.test(type));

/** The refusal of a body that is labelled otherwise; a body that is missing altogether is refused later, as such. */
export const mediaTypeError = (headers: Headers): ApiError | undefined => {
  const type = headers['content-type'] as string | undefined;
  if (isJson(type)) return undefined;
  if (type === undefined && announcesNoBody(headers)) return undefined;
  return new ApiError(
    'media_type_unsupported',
    type === undefined
      ? 'header/Content-Type is missing'
      : `header/Content-Type must be application/json, not ${quoted(type)}`,
    'Nothing was done. Send the body as "Content-Type: application/json".',
  );
};

/** The refusal of a compressed body: the document knows none (§4), and read as JSON it would be an odd error. */
export const contentEncodingError = (headers: Headers): ApiError | undefined => {
  const coding = headers['content-encoding'];
  if (coding === undefined || coding === '' || coding === 'identity') return undefined;
  return new ApiError(
    'content_encoding_unsupported',
    `header/Content-Encoding must be left out, not ${quoted(String(coding))}`,
    'Nothing was done. Send the body as it is, not compressed.',
    { status: 415, headers: { 'accept-encoding': 'identity' } },
  );
};
