import manifest from '../package.json' with { type: 'json' };
import type { Answers } from './generated/questions.ts';
import { assembleMock, type Mock as MockInProcess } from './sdk/mock.ts';
import { startServer } from './server/server.ts';
import { type MockOptions, optionSchemas } from './service/options.ts';
import { checkArgument, fieldsSchema } from './validation/schema-errors.ts';

export type { OperationId, OperationName } from './contract/operation-id.ts';
export { type CreateMockOptions, createMock } from './create-mock.ts';
export type { ConnectionFault, Delay, FaultRule, FaultState } from './faults/faults.ts';
export type { CapturedMessage } from './mail/captured.ts';
export type { Message, MessageFilter, Template } from './mail/template.ts';
export type { MessageWarning, WarningId } from './mail/warnings.ts';
export type { ClockReading, ClockSetting, Time } from './nouns/clock.ts';
export type { JournalEntry, RequestFilter, Why } from './nouns/journal.ts';
export type { Lead } from './nouns/leads.ts';
export type { StateDocument, WorkspaceState } from './nouns/state.ts';
export type {
  MockWorkspace,
  OneOrMore,
  ReceivedRequest,
  RemoteWorkspace,
  WaitForNoneOptions,
  WaitForOptions,
} from './sdk/mock.ts';
export { type ConnectOptions, connectMock } from './sdk/remote.ts';
export type { Answers, MockInProcess, MockOptions };

/** The version of this package. */
export const version: string = manifest.version;

/** A running mock. */
export type Mock = MockInProcess & {
  /** Base URL without a trailing slash, e.g. `http://127.0.0.1:4010`. */
  readonly url: string;
  readonly port: number;
};

/**
 * Starts a mock in this process. Mocks share no state: start as many as you need. They keep real time if the timers of the
 * process are faked, except `process.nextTick`, which Node.js itself needs; `queueMicrotask` must be real during the start.
 * @throws Error with `code: 'EADDRINUSE'` if the port is in use, and for an invalid option or answer
 */
export const startMock = async (options: MockOptions = {}): Promise<Mock> => {
  checkArgument('the options of startMock', options, fieldsSchema(optionSchemas));
  if ((options.tlsCert === undefined) !== (options.tlsKey === undefined))
    throw new TypeError('tlsCert and tlsKey of the options of startMock belong together: give both');
  const { url, port, ...server } = await startServer(options);
  return { ...assembleMock({ ...server, acceptKeys: options.acceptKeys, name: port }), url, port };
};
