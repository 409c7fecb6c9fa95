// `email-leads/contract`: the suite as a library, against a URL or a handler in the same process.
export { type ContractTestsOptions, contractTests, type TestFunction } from './contract-tests.ts';
export { runContract } from './run-contract.ts';
export type {
  CheckResult,
  ContractEvent,
  ContractOptions,
  FetchHandler,
  KnownFinding,
  Report,
} from './types.ts';
