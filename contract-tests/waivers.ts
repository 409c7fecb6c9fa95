import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Check } from './check.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Verdict } from './engine.ts';

/** A finding that is known and does not fail the run, and why. */
export type Waiver = { readonly check: string; readonly reason: string };

/** A waivers file that cannot be used; the message says where. */
export class WaiverError extends ConfigurationError {}

/**
 * Reads a waivers file, YAML or JSON: a list of `{check, reason}`.
 * @throws WaiverError for a file, an entry or a check id that is not right
 */
export const readWaivers = (file: string, checks: readonly Check[]): Waiver[] => {
  const content = read(file);
  if (!Array.isArray(content))
    throw new WaiverError(`${file} must hold a list of waivers: "- check: ID" and "reason: TEXT" each`);
  return content.map((entry: unknown, index) => {
    const { check, reason, ...rest } = { ...(entry as object) } as Record<string, unknown>;
    const place = `${file}, waiver ${index + 1}`;
    if (typeof check !== 'string') throw new WaiverError(`${place}: "check" must be the id of a check`);
    if (!checks.some(({ id }) => id === check))
      throw new WaiverError(`${place}: no check is called ${JSON.stringify(check)}; --list names them`);
    if (typeof reason !== 'string' || reason.trim() === '')
      throw new WaiverError(`${place}: ${check} needs a "reason"`);
    const [stray] = Object.keys(rest);
    if (stray !== undefined)
      throw new WaiverError(`${place}: there is no field ${JSON.stringify(stray)}, only check and reason`);
    return { check, reason };
  });
};

const read = (file: string): unknown => {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new WaiverError(`${file} cannot be read: ${(error as Error).message.split('\n', 1)[0]}`);
  }
};

/** Marks waived findings; a waiver of a check that passed is unused, one of a check that did not run is neither. */
export const applyWaivers = (
  verdicts: readonly Verdict[],
  waivers: readonly Waiver[],
): { verdicts: Verdict[]; unused: string[] } => {
  const reasons = new Map(waivers.map(({ check, reason }) => [check, reason]));
  const marked = verdicts.map((verdict) => {
    const waived = reasons.get(verdict.check.id);
    return waived !== undefined && (verdict.status === 'fail' || verdict.status === 'warn')
      ? { ...verdict, waived }
      : verdict;
  });
  const passed = new Set(
    verdicts.filter(({ status }) => status === 'pass' || status === 'unstable').map(({ check }) => check.id),
  );
  return { verdicts: marked, unused: waivers.map(({ check }) => check).filter((check) => passed.has(check)) };
};
