import { Argument, type Command, type Option } from 'commander';
import { printableLines } from '../contract/printable.ts';
import { type Candidates, candidatesOf, command, describeFlag, runCommand } from './flags.ts';

/** A command of the command line, as its help lists it. */
export type Entry = { readonly name: string; readonly does: string; readonly definition: () => Command };

/** What may follow a flag, or stand as an argument. */
type Kind = 'nothing' | 'file' | 'directory' | 'text' | Candidates;
type Flag = { readonly long: string; readonly description: string; readonly kind: Kind };
type Described = {
  readonly name: string;
  readonly does: string;
  readonly flags: readonly Flag[];
  /** The values of its arguments, and whether the first of them is a file. */
  readonly values: readonly string[];
  readonly takesFile: boolean;
};

const kindOf = (option: Option): Kind => {
  const [, name] = /[<[]([\w=]+)/.exec(option.flags) ?? [];
  if (name === undefined) return 'nothing';
  if (name === 'directory') return 'directory';
  return candidatesOf(option) ?? (/^(file|report|ledger)$/.test(name) ? 'file' : 'text');
};

const describe = ({ name, does, definition }: Entry): Described => {
  const { options, registeredArguments: parts } = definition();
  return {
    name,
    does,
    flags: options
      .filter(({ hidden }) => !hidden)
      .map((option) => ({
        long: String(option.long),
        description: describeFlag(option),
        kind: kindOf(option),
      })),
    values: parts.flatMap((part) => candidatesOf(part)?.values ?? []),
    takesFile: parts.some((part) => /^(file|report)$/.test(part.name())),
  };
};

const isCandidates = (kind: Kind): kind is Candidates => typeof kind === 'object';

/** A text in single quotes, as bash and zsh read it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The patterns of a `case` for the flags of one kind. */
const patternsFor = (commands: readonly Described[], isOfKind: (kind: Kind) => boolean): string =>
  commands
    .flatMap(({ name, flags }) =>
      flags.filter(({ kind }) => isOfKind(kind)).map(({ long }) => `'${name} ${long}'`),
    )
    .join(' | ');

const bash = (commands: readonly Described[]): string => {
  const withValues = commands.flatMap(({ name, flags }) =>
    flags.flatMap(({ long, kind }) =>
      isCandidates(kind) ? [{ pattern: `'${name} ${long}'`, ...kind }] : [],
    ),
  );
  return `# Completion of email-leads for bash: source <(email-leads completion bash)
_email_leads() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words= list= head=
  # bash takes --report=json apart at the equals sign.
  if [ "$cur" = = ]; then cur=; fi
  if [ "$prev" = = ]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted(commands.map(({ name }) => name).join(' '))}
  else
    case "\${COMP_WORDS[1]} $prev" in
${withValues.map(({ pattern, values, isList }) => `      ${pattern}) words=${quoted(values.join(' '))}${isList ? ' list=1' : ''} ;;`).join('\n')}
      ${patternsFor(commands, (kind) => kind === 'file')}) compopt -o default 2>/dev/null; return ;;
      ${patternsFor(commands, (kind) => kind === 'directory')}) compopt -o dirnames 2>/dev/null; return ;;
      ${patternsFor(commands, (kind) => kind === 'text')}) return ;;
${commands
  .map(({ name, flags, values, takesFile }) => {
    const first = `words=${quoted(flags.map(({ long }) => long).join(' '))};`;
    const later = `if [ "$COMP_CWORD" -gt ${takesFile ? 2 : 1} ]; then words+=${quoted(` ${values.join(' ')}`)}; fi;`;
    const files = 'compopt -o default 2>/dev/null;';
    const parts = [first, ...(values.length === 0 ? [] : [later]), ...(takesFile ? [files] : [])];
    return `      '${name} '*) ${parts.join(' ')};`;
  })
  .join('\n')}
    esac
  fi
  if [ -n "$list" ]; then case $cur in *,*) head=\${cur%,*}, ;; esac; fi
  COMPREPLY=($(compgen -P "$head" -W "$words" -- "\${cur#"$head"}"))
}
complete -F _email_leads email-leads
`;
};

const zshAction = (kind: Kind): string => {
  if (isCandidates(kind))
    return kind.isList ? `_sequence compadd - ${kind.values.join(' ')}` : `(${kind.values.join(' ')})`;
  return kind === 'file' ? '_files' : kind === 'directory' ? '_files -/' : ' ';
};

const zshFlag = ({ long, description, kind }: Flag): string => {
  const text = description.replaceAll(/[\\[\]:]/g, '\\$&');
  // A flag may stand in a line more than once.
  return quoted(kind === 'nothing' ? `${long}[${text}]` : `*${long}=[${text}]:value:${zshAction(kind)}`);
};

const zshArguments = ({ values, takesFile }: Described): string[] => [
  ...(takesFile ? [quoted(`${values.length === 0 ? '*' : '1'}:file:_files`)] : []),
  ...(values.length === 0 ? [] : [quoted(`*:value:(${values.join(' ')})`)]),
];

const zsh = (commands: readonly Described[]): string => `#compdef email-leads
# Completion of email-leads for zsh: source <(email-leads completion zsh), after compinit; or as the file _email-leads in fpath
_email_leads() {
  local -a commands=(
${commands.map(({ name, does }) => `    ${quoted(`${name}:${does}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands
  .map(
    (described) =>
      `    ${described.name}) _arguments ${[...described.flags.map(zshFlag), ...zshArguments(described)].join(' \\\n      ')} ;;`,
  )
  .join('\n')}
  esac
}
if [ "$funcstack[1]" = _email-leads ]; then _email_leads "$@"; else compdef _email_leads email-leads; fi
`;

const fishQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;

const fishValue = (kind: Kind): string => {
  if (isCandidates(kind)) {
    const words = kind.values.join(' ');
    return ` -x -a ${fishQuoted(kind.isList ? `(__fish_append , ${words})` : words)}`;
  }
  if (kind === 'directory') return " -x -a '(__fish_complete_directories)'";
  return { nothing: '', file: ' -r -F', text: ' -x' }[kind];
};

const fish = (commands: readonly Described[]): string =>
  [
    '# Completion of email-leads for fish: email-leads completion fish | source',
    'complete -c email-leads -f',
    ...commands.flatMap(({ name, does, flags, values, takesFile }) => {
      const within = `complete -c email-leads -n '__fish_seen_subcommand_from ${name}'`;
      return [
        `complete -c email-leads -n __fish_use_subcommand -a ${name} -d ${fishQuoted(does)}`,
        ...flags.map(
          ({ long, description, kind }) =>
            `${within} -l ${long.slice(2)}${fishValue(kind)} -d ${fishQuoted(description)}`,
        ),
        ...(values.length === 0 ? [] : [`${within} -a ${fishQuoted(values.join(' '))}`]),
        ...(takesFile ? [`${within} -F`] : []),
      ];
    }),
    '',
  ].join('\n');

const shells = { bash, zsh, fish };
export type Shell = keyof typeof shells;

/** The script that teaches a shell the commands, their flags and the values of these. */
export const completionScript = (shell: Shell, entries: readonly Entry[]): string =>
  printableLines(shells[shell](entries.map(describe)));

export const definition = () =>
  command(
    'email-leads completion',
    'Print a script that completes commands, flags, ids of checks and questions, and other values.',
    'email-leads completion bash',
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .addHelpText(
      'after',
      `
bash: source <(email-leads completion bash)         in ~/.bashrc
zsh:  source <(email-leads completion zsh)          in ~/.zshrc, after compinit
fish: email-leads completion fish | source          in ~/.config/fish/config.fish`,
    );

/** `email-leads completion` */
export const runCompletion = (argv: readonly string[], entries: readonly Entry[]): Promise<number> =>
  runCommand(async () => {
    const [shell] = definition().parse(argv, { from: 'user' }).processedArgs as [Shell];
    process.stdout.write(completionScript(shell, entries));
    return 0;
  });
