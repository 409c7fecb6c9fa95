import { copyOf } from './contract/document.ts';
import { resolveAnswers } from './contract/questions.ts';
import { checkState } from './nouns/index.ts';
import type { StateDocument } from './nouns/state.ts';
import { assembleMock, type Mock } from './sdk/mock.ts';
import { createFetch } from './service/fetch.ts';
import { type MockOptions, optionSchemas } from './service/options.ts';
import { createContext, createService } from './service/service.ts';
import { checkArgument, fieldsSchema } from './validation/schema-errors.ts';

/** The options of a mock without a server: no addresses and no files. */
export type CreateMockOptions = Pick<MockOptions, 'acceptKeys' | 'answers' | 'delay' | 'outboxLimit'> & {
  /** Initial state of every workspace, also after a reset. */
  readonly seed?: StateDocument;
};

const { acceptKeys, answers, delay, outboxLimit } = optionSchemas;
const aState = 'a state, not the path of a file: parse the file, or use startMock';
const optionsSchema = fieldsSchema({
  ...{ acceptKeys, answers, delay, outboxLimit },
  seed: { type: 'object', 'x-form': aState },
});

let count = 0;

/**
 * Creates a mock that does not listen: call `mock.fetch`. For tests and pages that need no server.
 * @throws Error for an invalid option, answer or seed
 */
export const createMock = (options: CreateMockOptions = {}): Mock => {
  checkArgument('the options of createMock', options, optionsSchema);
  const { seed, ...settings } = options;
  const context = createContext({
    ...settings,
    answers: resolveAnswers(options.answers),
    ...(seed === undefined ? {} : { seed: checkState(copyOf(seed)) }),
    admin: false,
    version: '',
  });
  const { workspaces } = context;
  count += 1;
  const close = (): void => void workspaces.close();
  return assembleMock({
    workspaces,
    fetch: createFetch(createService(context)),
    acceptKeys: options.acceptKeys,
    name: `in_process_${count}`,
    close,
  });
};
