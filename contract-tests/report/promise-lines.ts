import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Document, LineCounter, Node, Pair, ParsedNode } from 'yaml';
import type { CheckReport } from './report.ts';

/** The line of openapi.yaml that makes the promise a check is about. */
export type LineOf = (check: CheckReport) => number | undefined;

/** Reads the contract this package ships. A report without line numbers is better than none, so that is what failing means. */
export const promiseLines = async (): Promise<LineOf> => {
  try {
    return linesIn(readFileSync(createRequire(import.meta.url).resolve('email-leads/openapi.yaml'), 'utf8'));
  } catch {
    return () => undefined;
  }
};
