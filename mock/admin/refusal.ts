import { ApiError } from '../errors.ts';
import { AdminError } from './route.ts';

type AdminRefusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly what: string;
  readonly hint: string;
  readonly details?: object;
};

type Thrown = Error & { readonly code?: string; readonly statusCode?: number };

/** What the admin API answers to an error: its own, the shared JSON reader's, Fastify's, or a defect of the mock. */
export const refusalOf = (error: Thrown, bodyLimit: number): AdminRefusal => {
  if (error instanceof AdminError)
    return {
      status: error.status,
      headers: error.headers,
      what: error.message,
      hint: error.hint,
      details: error.details,
    };
  if (error instanceof ApiError)
    return { status: error.status ?? 400, headers: {}, what: error.message, hint: error.hint };
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return {
      status: 413,
      headers: {},
      what: `body is larger than ${bodyLimit} bytes`,
      hint: 'Nothing was done.',
    };
  const status = error.statusCode ?? 500;
  return {
    status,
    headers: {},
    what: status < 500 ? error.message : `the mock failed: ${error.message}`,
    hint:
      status < 500
        ? 'Nothing was done. The headers of the request are not those of one that can be read.'
        : 'This is a defect of the mock. Its stack is on stderr.',
  };
};
