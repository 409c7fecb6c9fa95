import { AdminError, type AdminRequest, type AdminRoute, objectBody } from './route.ts';

/** Answers to the open questions, flat: what this workspace answers, its own over the server's. */
export const answerRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/answers', run: (request) => ({ body: inForce(request) }) },
  {
    method: 'PATCH',
    path: '/answers',
    run: (request) => {
      const changes = objectBody(request.body);
      try {
        request.workspace.ownAnswers.change(changes);
      } catch (error) {
        throw new AdminError(
          400,
          (error as Error).message,
          'Nothing was changed. GET /__admin/answers lists the answers in force; null puts one back.',
        );
      }
      return { body: inForce(request) };
    },
  },
];

const inForce = ({ workspace, context }: AdminRequest): object => ({
  ...context.view.answers,
  ...workspace.ownAnswers.given(),
});
