// The flags of all commands, from their definitions: for the tables in the pages, and for tests.
import type { Command, Option } from 'commander';
import { definition as check } from '../../contract-tests/cli/check.ts';
import { definition as contract } from '../../contract-tests/cli/contract.ts';
import { definition as explain } from '../../contract-tests/cli/explain.ts';
import { definition as observe } from '../../contract-tests/cli/observe.ts';
import { pinDefinition as pin, specDefinition as spec } from '../../contract-tests/cli/profile.ts';
import { definition as proxy } from '../../contract-tests/cli/proxy.ts';
import { definition as report } from '../../contract-tests/cli/report.ts';
import { definition as waive } from '../../contract-tests/cli/waive.ts';
import { definition as init } from '../../mock/cli/config-file.ts';
import { describeFlag } from '../../mock/cli/flags.ts';
import { definition as health } from '../../mock/cli/health.ts';
import { definition as mock } from '../../mock/cli/mock.ts';

/** The definition of every command, as a new one for each use. */
export const definitions: Readonly<Record<string, () => Command>> = {
  ...{ mock, health, contract, observe, proxy, check, report, waive, pin, spec, explain, init },
};

type Row = { readonly option: Option; readonly group: string; readonly commands: readonly string[] };

const optionsOf = (name: string): readonly Option[] => definitions[name]?.().options ?? [];

/** One row for each flag; two where commands give it different meanings. */
const rowsOf = (names: readonly string[]): Row[] => {
  const rows = new Map<string, Row>();
  for (const name of names)
    for (const option of optionsOf(name).filter(({ hidden }) => !hidden)) {
      const key = `${option.flags} ${describeFlag(option)}`;
      const group = option.helpGroupHeading?.replace(':', '') ?? 'Other';
      const row = rows.get(key) ?? { option, group, commands: [] };
      rows.set(key, { ...row, commands: [...row.commands, name] });
    }
  return [...rows.values()];
};

const cell = (text: string): string =>
  text.replaceAll('|', '\\|').replaceAll('*', '\\*').replaceAll('<', '&lt;');

/** A table of the flags of these commands, in the groups of their help. */
export const flagTable = (names: readonly string[]): string => {
  const rows = rowsOf(names);
  const hasCommands = names.length > 1;
  const groups = [...new Set(rows.map(({ group }) => group))];
  return [
    `| Flag | What it does |${hasCommands ? ' Commands |' : ''}`,
    `|---|---|${hasCommands ? '---|' : ''}`,
    ...groups.flatMap((group) => [
      `| **${group}** | |${hasCommands ? ' |' : ''}`,
      ...rows
        .filter((row) => row.group === group)
        .map(
          ({ option, commands }) =>
            `| \`${option.flags}\` | ${cell(describeFlag(option))} |${hasCommands ? ` ${commands.join(', ')} |` : ''}`,
        ),
    ]),
  ].join('\n');
};
