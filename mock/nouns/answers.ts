import { type Answers, findQuestion, parseAnswers } from '../contract/questions.ts';
import { AdminError, type PartSettings, type Routes } from '../route/noun.ts';
import { ref, success } from '../route/schemas.ts';
import { withPointer } from '../validation/schema-errors.ts';

/** The answers of one workspace: the server's, with its overrides. */
export type WorkspaceAnswers = ReturnType<typeof createAnswers>;

/** @throws StateError for overrides that the mock cannot have */
export const createAnswers = (
  { answers: server, publish }: Pick<PartSettings, 'answers' | 'publish'>,
  initial: Readonly<Partial<Answers>> = {},
) => {
  let overrides: Readonly<Partial<Answers>> = {};
  let id = '';
  /**
   * Replaces all overrides.
   * @throws Error for an unknown id, an answer outside its space, and a question that only the server answers; nothing is changed
   */
  const override = (values: Readonly<Record<string, unknown>>): void => {
    const parsed = parseAnswers(values);
    rejectNotImitated(parsed);
    const serverOnly = Object.keys(values).find((question) => question.startsWith('auth.'));
    if (serverOnly !== undefined)
      throw new Error(
        `${serverOnly} is the server's: a request without an accepted key belongs to no workspace. Start the mock with --answer ${serverOnly}=STATUS`,
      );
    const sorted = Object.entries(parsed).sort(([a], [b]) => (a < b ? -1 : 1));
    overrides = Object.fromEntries(sorted);
    id = sorted.length === 0 ? '' : JSON.stringify(overrides);
  };
  withPointer('/answers', () => override(initial));
  return {
    /** All answers in force. */
    get: (): Answers => ({ ...server, ...overrides }),
    /** Those that differ from the server's. */
    overrides: () => overrides,
    /** A text that is equal for equal overrides; empty without overrides. */
    id: () => id,
    /** Overrides answers; `null` restores the server default. @throws Error as `override` does, with nothing changed */
    change: (changes: Readonly<Record<string, unknown>>): void => {
      const given = Object.entries(changes).map(([id, answer]) => [id, answer ?? undefined]);
      override({ ...overrides, ...Object.fromEntries(given) });
      publish(overrides);
    },
  };
};

/** @throws Error for an answer that the mock does not imitate: a client would be tested against nothing */
export const rejectNotImitated = (answers: Readonly<Record<string, unknown>>): void => {
  for (const [id, answer] of Object.entries(answers)) {
    const { imitated, assumed } = findQuestion(id) ?? {};
    if (imitated === false && answer !== undefined && answer !== assumed)
      throw new Error(
        `${id} cannot be ${answer} in the mock, which does not imitate it: leave it at ${assumed}`,
      );
  }
};

export const answerRoutes = {
  'GET /answers': {
    id: 'getAnswers',
    summary: 'Get the answers in force for the workspace',
    description:
      'All answers, changed or not. The next request with this key is validated against them. The overrides of the workspace take precedence over the answers of the server.',
    replies: success('All answers, by question id.', ref('Answers')),
    run: ({ answers }) => answers.get(),
  },
  'PATCH /answers': {
    id: 'patchAnswers',
    summary: 'Override answers; `null` restores the server default',
    description:
      'Applies from the next request, to this workspace only. A reset removes all overrides. The `auth.*` answers belong to the server and are set when it starts.',
    body: {
      type: 'object',
      additionalProperties: { type: ['string', 'integer', 'null'] },
      examples: [{ 'failure.validation-status': 422 }],
    },
    replies: success('All answers.', ref('Answers')),
    run: ({ answers }, { body }) => {
      try {
        answers.change(body as Readonly<Record<string, unknown>>);
      } catch (error) {
        throw new AdminError(
          400,
          (error as Error).message,
          'Nothing was changed. GET /__admin/answers lists the answers in force; null restores the server default.',
        );
      }
      return answers.get();
    },
  },
} satisfies Routes<{ readonly answers: WorkspaceAnswers }>;
