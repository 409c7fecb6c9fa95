import { Argument, type Command } from 'commander';
import { candidatesOf, command, describeFlag, runCommand } from './flags.ts';

type Commands = Readonly<
  Record<
    string,
    {
      readonly does: string;
      readonly load: () => Promise<readonly [definition: () => Command, ...unknown[]]>;
    }
  >
>;

type Offer = { readonly value: string; readonly note: string };

const startingWith = (typed: string, offers: readonly Offer[]): Offer[] =>
  offers.filter(({ value }) => value.startsWith(typed));

const withoutNotes = (values: readonly string[]): Offer[] => values.map((value) => ({ value, note: '' }));

/** What may take the place of the last word, of those after `email-leads`. Where that is nothing, shells offer files. */
export const offersFor = async (commands: Commands, words: readonly string[]): Promise<Offer[]> => {
  const [name = '', ...rest] = words;
  if (rest.length === 0)
    return startingWith(
      name,
      Object.entries(commands).map(([value, { does }]) => ({ value, note: does })),
    );
  if (!Object.hasOwn(commands, name)) return [];
  const [define] = (await commands[name]?.load()) ?? [];
  return define ? offersOf(define(), rest) : [];
};

const offersOf = ({ options, registeredArguments }: Command, rest: readonly string[]): Offer[] => {
  // bash takes --report=json apart at the equals sign.
  const words = [...rest, ...(rest.at(-1) === '=' ? [''] : [])].filter((word) => word !== '=');
  const flagWithValue = (word = '') => options.find(({ long, required }) => required && long === word);
  const [before, typed = ''] = words.length > 1 ? words.slice(-2) : ['', ...words];
  const [, head = '', value = typed] = /^(--[\w-]+=)(.*)$/.exec(typed) ?? [];
  const flag = flagWithValue(head === '' ? before : head.slice(0, -1));
  if (flag) {
    const { values, isList } = candidatesOf(flag) ?? { values: [], isList: false };
    const earlier = isList ? value.slice(0, value.lastIndexOf(',') + 1) : '';
    return startingWith(typed, withoutNotes(values.map((one) => head + earlier + one)));
  }
  if (typed.startsWith('-') || registeredArguments.length === 0) {
    const shown = options.filter(({ hidden }) => !hidden);
    return startingWith(
      typed,
      shown.map((option) => ({ value: String(option.long), note: describeFlag(option) })),
    );
  }
  const position = words
    .slice(0, -1)
    .filter((word, at) => !word.startsWith('-') && !flagWithValue(words[at - 1])).length;
  const argument = registeredArguments[position] ?? registeredArguments.at(-1);
  const { values } = (argument && candidatesOf(argument)) ?? { values: [] };
  return startingWith(typed, withoutNotes(values));
};

type Shell = { readonly script: string; readonly line: (offer: Offer) => string };

/** The script for each shell asks this program at each key, and a line of the response is what the shell takes for an offer. */
const shells: Readonly<Record<string, Shell>> = {
  bash: {
    script: `# Completion of email-leads for bash: source <(email-leads completion bash)
_email_leads() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _email_leads email-leads`,
    line: ({ value }) => value,
  },
  zsh: {
    script: `#compdef email-leads
# Completion of email-leads for zsh: source <(email-leads completion zsh), after compinit; or as the file _email-leads in fpath
_email_leads() {
  local -a offers
  offers=("\${(@f)$(email-leads completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n $offers[1] ]]; then _describe value offers; else _files; fi
}
if [ "$funcstack[1]" = _email-leads ]; then _email_leads "$@"; else compdef _email_leads email-leads; fi`,
    line: ({ value, note }) => `${value.replaceAll(':', '\\:')}${note === '' ? '' : `:${note}`}`,
  },
  fish: {
    script: `# Completion of email-leads for fish: email-leads completion fish | source
function __email_leads
  set -l current (commandline -ct)
  set -l offers (email-leads completion fish -- (commandline -opc)[2..-1] "$current" 2>/dev/null)
  if test -n "$offers"
    printf '%s\\n' $offers
  else
    __fish_complete_path "$current"
  end
end
complete -c email-leads -f -a '(__email_leads)'`,
    line: ({ value, note }) => `${value}\t${note}`,
  },
};

export const definition = () =>
  command(
    'email-leads completion',
    'Print a script that completes commands, flags, ids of checks and questions, and other values.',
    'email-leads completion bash',
  )
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(shells)))
    .argument('[words...]', 'words of a command line: print what may take the place of the last one')
    .addHelpText(
      'after',
      `
bash: source <(email-leads completion bash)         in ~/.bashrc
zsh:  source <(email-leads completion zsh)          in ~/.zshrc, after compinit
fish: email-leads completion fish | source          in ~/.config/fish/config.fish`,
    );

/** `email-leads completion` */
export const runCompletion =
  (commands: Commands) =>
  (argv: readonly string[]): Promise<number> =>
    runCommand(async () => {
      const [name, words] = definition().parse(argv, { from: 'user' }).processedArgs as [string, string[]];
      const { script, line } = shells[name] as Shell;
      const lines = words.length === 0 ? [script] : (await offersFor(commands, words)).map(line);
      for (const text of lines) console.log(text);
      return 0;
    });
