// `email-leads/client`: for pages and browser tests that use a mock in another process. Needs no Node.js.

export type { RemoteWorkspace } from './sdk/mock.ts';
export { type ConnectOptions, connectMock } from './sdk/remote.ts';
