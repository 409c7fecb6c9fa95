import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A part of the server that most runs never need. */
export type LazyApp = {
  /** Hands a request over to it. Rejects where the part cannot be built. */
  readonly serve: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
};

/**
 * Builds a part of the server on its first request, which keeps the start short. It is a Fastify instance of its own: routes
 * cannot join one that is already listening. It is closed with the server.
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
