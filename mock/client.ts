// `email-leads/client`: what a page or a spec in a browser uses of a mock that runs elsewhere. Without Node.js.
export { type ConnectOptions, connectMock } from './sdk/remote.ts';
export type { RemoteWorkspace } from './sdk/workspace.ts';
