// How many checks the suite has, in one phrase.
import { checks, usualChecks } from '../../contract-tests/checks/index.ts';

const count = (level: string): number => checks.filter((check) => check.level === level).length;

export const countChecks = (): string =>
  `${checks.length} checks, ${count('documented')} of them documented and ${count('derived')} derived; a run without \`--thorough\` has ${usualChecks.length}`;
