import type { Schema } from './spec.ts';
import { bodyRule } from './view.ts';

/**
 * What Fastify compiles schemas with: ours. To be given when an instance is created, or Fastify loads Ajv and a serializer
 * compiler (a third of its start) that nothing here uses, and that the bundle in dist leaves out.
 */
export const compilersFactory = {
  buildValidator: () => (({ schema }: { schema: unknown }) => bodyRule(schema as Schema)) as never,
  buildSerializer: () => () => (reply: unknown) => JSON.stringify(reply),
};
