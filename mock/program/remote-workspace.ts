import type { MockWorkspace } from './mock-workspace.ts';

/** The same with a promise from every method. */
type Promised<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : Part[Name] extends object
      ? Promised<Part[Name]>
      : Part[Name];
};

/** A workspace of a mock that runs elsewhere: what `MockWorkspace` has, with a promise from every method. */
export type RemoteWorkspace = Promised<MockWorkspace> & {
  /** Base URL of the mock, without a trailing slash. */
  readonly url: string;
};
