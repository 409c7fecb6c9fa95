import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A part of the server that is built on its first request. */
export type LazyApp = {
  /** Passes a request to it. Rejects if the part cannot be built. */
  readonly serve: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
};

/**
 * Builds a part of the server on its first request, which keeps the start short. It is a separate Fastify instance, because
 * routes cannot be added to one that is listening. It is closed with the server.
 */
export const createLazyApp = (server: FastifyInstance, build: () => Promise<FastifyInstance>): LazyApp => {
  let app: Promise<FastifyInstance> | undefined;
  server.addHook('onClose', async () => (await app)?.close());
  return {
    serve: async (request, reply) => {
      app ??= build();
      const { routing } = await app;
      reply.hijack();
      routing(request.raw, reply.raw);
    },
  };
};
