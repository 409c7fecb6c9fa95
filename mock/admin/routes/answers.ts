import { hintOf } from '../input.ts';
import { AdminError, type AdminRequest, objectBody, success, tagged } from '../route.ts';
import { ref } from '../schemas.ts';

const tag = { name: 'Answers', description: 'Answers to the open questions, per workspace.' };

const changes = {
  type: 'object',
  additionalProperties: { type: ['string', 'integer', 'null'] },
  examples: [{ 'failure.validation-status': 422 }],
} as const;

/** Answers to the open questions in this workspace: the server's answers with its overrides. */
export const answerRoutes = tagged(tag, [
  {
    method: 'GET',
    path: '/answers',
    doc: {
      id: 'getAnswers',
      summary: 'Get the answers in force for the workspace',
      description:
        'All answers, changed or not. The next request with this key is validated against them. The overrides of the workspace take precedence over the answers of the server.',
      replies: success('All answers, by question id.', ref('Answers')),
    },
    run: (request) => ({ body: inForce(request) }),
  },
  {
    method: 'PATCH',
    path: '/answers',
    doc: {
      id: 'patchAnswers',
      summary: 'Override answers; `null` restores the server default',
      description:
        'Applies from the next request, to this workspace only. A reset removes all overrides. The `auth.*` answers belong to the server and are set when it starts.',
      body: changes,
      replies: success('All answers.', ref('Answers')),
    },
    run: (request) => {
      const overrides = objectBody(request.body, hintOf(changes));
      try {
        request.workspace.answerOverrides.change(overrides);
      } catch (error) {
        throw new AdminError(
          400,
          (error as Error).message,
          'Nothing was changed. GET /__admin/answers lists the answers in force; null restores the server default.',
        );
      }
      return { body: inForce(request) };
    },
  },
]);

const inForce = ({ workspace, context }: AdminRequest): object => ({
  ...context.contract.answers,
  ...workspace.answerOverrides.values(),
});
