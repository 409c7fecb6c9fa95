import { success } from './documentation.ts';
import { AdminError, type AdminRequest, type AdminRoute, objectBody } from './route.ts';
import { ref } from './schemas.ts';

/** Answers to the open questions, flat: what this workspace answers, its own over the server's. */
export const answerRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/answers',
    doc: {
      id: 'getAnswers',
      summary: 'What the workspace answers, its own over the server’s',
      description:
        'All of them, also those that nobody changed: what the next request of this key is judged by.',
      tag: 'Answers',
      replies: success('All answers, by the id of their question.', ref('Answers')),
    },
    run: (request) => ({ body: inForce(request) }),
  },
  {
    method: 'PATCH',
    path: '/answers',
    doc: {
      id: 'patchAnswers',
      summary: 'Answers some differently; `null` puts one back',
      description:
        'From the next request on, and for this workspace only; the others keep the server’s. A reset puts all of them back. What `auth.*` answers is the server’s, set when it starts.',
      tag: 'Answers',
      body: { type: 'object', additionalProperties: { type: ['string', 'integer', 'null'] } },
      replies: success('All answers.', ref('Answers')),
    },
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
