// `email-leads/contract`: the suite as a library, against a URL or a handler in the same process.
export { type ContractTestsOptions, contractTests, runContract, type TestFunction } from './run-contract.ts';
export type {
  CheckResult,
  ContractEvent,
  ContractOptions,
  FetchHandler,
  KnownFinding,
  Report,
} from './types.ts';
