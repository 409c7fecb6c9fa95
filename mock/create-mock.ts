import { copyOf } from './contract/document.ts';
import { resolveAnswers } from './contract/questions.ts';
import { checkState } from './nouns/index.ts';
import type { StateDocument } from './nouns/state.ts';
import { assembleMock, type Mock } from './sdk/mock.ts';
import { createFetch } from './service/fetch.ts';
import { checkOptions, type MockOptions } from './service/options.ts';
import { createContext, createService } from './service/service.ts';

/** The options of a mock without a server: no addresses and no files. */
export type CreateMockOptions = Pick<MockOptions, 'acceptKeys' | 'answers' | 'delay' | 'outboxLimit'> & {
  /** Initial state of every workspace, also after a reset. */
  readonly seed?: StateDocument;
};

const optionNames = ['acceptKeys', 'answers', 'delay', 'outboxLimit', 'seed'] as const;

let count = 0;

/**
 * Creates a mock that does not listen: call `mock.fetch`. For tests and pages that need no server.
 * @throws Error for an invalid option, answer or seed
 */
export const createMock = (options: CreateMockOptions = {}): Mock => {
  checkOptions('createMock', options, optionNames);
  if (typeof options.seed === 'string')
    throw new TypeError(
      'seed of the options of createMock must be a state, not the path of a file: parse the file, or use startMock',
    );
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
