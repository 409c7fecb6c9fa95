import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ReplyDoc } from './documentation.ts';
import type { AdminRoute } from './route.ts';
import { components, documentId, placed } from './schemas.ts';

export type CheckedReply = {
  readonly method: string;
  /** As the route is registered; `undefined` where there is none. */
  readonly path: string | undefined;
  readonly status: number;
  readonly type: string;
  readonly payload: string;
};

/** Holds replies of the admin API against its own document. Returns what is wrong with one, for the mock's own tests. */
export const createAdminReplyCheck = (
  routes: readonly AdminRoute[],
): ((reply: CheckedReply) => object | undefined) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema({ components: { schemas: components } }, documentId);
  const compiled = new Map<ReplyDoc, ValidateFunction>();
  return ({ method, path, status, type, payload }) => {
    const asked = method === 'HEAD' ? 'GET' : method;
    const route = routes.find((known) => known.method === asked && `/__admin${known.path}` === path);
    if (route && !route.doc) return undefined;
    const promised = route?.doc?.replies[status] ?? (status >= 400 && status < 500 ? refusal : undefined);
    if (!promised) return { undocumented: status, of: `${method} ${path}` };
    if (!promised.schema) return type.startsWith(promised.type ?? '') ? undefined : { type, promised };
    const validate = compiled.get(promised) ?? ajv.compile(placed(promised.schema));
    compiled.set(promised, validate);
    return validate(JSON.parse(payload)) ? undefined : { errors: validate.errors, payload };
  };
};

const refusal: ReplyDoc = {
  description: 'Refused.',
  schema: { $ref: '#/components/schemas/Refusal' },
};
