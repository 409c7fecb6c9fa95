import { createFetch } from './api/fetch.ts';
import { copyOf } from './contract/document.ts';
import { resolveAnswers } from './contract/questions.ts';
import { createContext } from './http/context.ts';
import { assembleMock, type Mock } from './sdk/mock.ts';
import { checkOptions, type MockOptions } from './server/options.ts';
import { checkState } from './validation/snapshot.ts';
import type { StateDocument } from './workspace/snapshot.ts';

/** The options of a mock without a server: no addresses and no files. */
export type CreateMockOptions = Pick<
  MockOptions,
  'acceptKeys' | 'answers' | 'delay' | 'outboxBytes' | 'outboxLimit'
> & {
  /** Initial state of every workspace, also after a reset. */
  readonly seed?: StateDocument;
};

const optionNames = ['acceptKeys', 'answers', 'delay', 'outboxBytes', 'outboxLimit', 'seed'] as const;

let count = 0;

/**
 * Creates a mock that does not listen: call `mock.fetch`. For tests and pages that need no server.
 * @throws Error for an invalid option, answer or seed
 */
export const createMock = (options: CreateMockOptions = {}): Mock => {
  checkOptions('createMock', options, optionNames);
  const { seed, acceptKeys, delay = 0, outboxLimit = 1000, outboxBytes } = options;
  const answers = resolveAnswers(options.answers);
  const context = createContext({
    acceptKeys: acceptKeys ?? [],
    answers,
    outboxLimit,
    outboxBytes,
    delay,
    ...(seed === undefined ? {} : { seed: checkState(copyOf(seed)) }),
    allowedHosts: [],
    allowedOrigins: [],
    admin: false,
    version: '',
    log: undefined,
  });
  const { workspaces } = context;
  count += 1;
  const close = (): void => void workspaces.close();
  return assembleMock({
    workspaces,
    fetch: createFetch(context),
    answers,
    acceptKeys,
    name: `in_process_${count}`,
    close,
  });
};
