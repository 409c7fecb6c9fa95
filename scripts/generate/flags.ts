// The flags of all commands, from their definitions: for the tables in the pages.
import type { Option } from 'commander';
import { describeFlag } from '../../mock/cli/flags.ts';
import { definitions } from '../definitions.ts';

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
