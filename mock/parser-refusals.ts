import { maxHeaderSize } from 'node:http';
import { ApiError } from './errors.ts';

export type ParserError = Error & { readonly code?: string };

// What a stranger would not understand from the parser's own words.
const explained: Readonly<Record<string, readonly [status: number, what: string, hint: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    `the path and headers are larger than ${maxHeaderSize} bytes`,
    'Send a shorter path and fewer or shorter headers.',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    413,
    'the chunk extensions are too large',
    'Send chunks without extensions.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time', 'Send it again, all of it.'],
  HPE_INVALID_EOF_STATE: [400, 'the request ended before all of it had arrived', 'Send it again, all of it.'],
  HPE_INVALID_METHOD: [
    400,
    'the request is not HTTP, or has an unknown method',
    'This is a plain HTTP server: an https:// address does not work.',
  ],
};

/** What Node.js says of bytes it cannot parse, in this mock's words. */
export const parserRefusal = ({ code = '', message }: ParserError): ApiError => {
  const [status, what, hint] = explained[code] ?? [
    400,
    `the request is not HTTP: ${message.replace(/^Parse Error:? ?/, '')}`,
    'The connection is closed.',
  ];
  return new ApiError('bad_request', what, hint, { status });
};
