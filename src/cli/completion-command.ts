import type { BuiltIn } from '../command/built-in.ts';
import { PinholeError } from '../contract/errors.ts';
import { inputJsonSchema } from '../contract/input.ts';
import { BUILT_INS } from './built-ins.ts';
import { operationCommands } from './help.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

export const completion: BuiltIn = {
  usage: `pinhole completion ${SHELLS.join('|')}`,
  flags: [],
  examples: [
    'pinhole completion bash >> ~/.bashrc',
    'pinhole completion fish > ~/.config/fish/completions/pinhole.fish',
  ],
  async run([shell]) {
    const commands = await commandFlags();
    if (shell === 'bash') process.stdout.write(bash(commands));
    else if (shell === 'zsh')
      process.stdout.write(`autoload -Uz bashcompinit && bashcompinit\n${bash(commands)}`);
    else if (shell === 'fish') process.stdout.write(fish(commands));
    else throw new PinholeError('invalid_parameter', `Choose a shell: ${SHELLS.join(', ')}.`);
    return 0;
  },
};

/** Every command with its flags. */
async function commandFlags(): Promise<Map<string, readonly string[]>> {
  const commands = new Map<string, readonly string[]>();
  for (const { name, hidden, load } of BUILT_INS) {
    if (!hidden)
      commands.set(
        name,
        (await load()).flags.map(([flag]) => flag.split(' ')[0] ?? flag),
      );
  }
  for (const { words, operation } of operationCommands()) {
    const names = Object.keys((inputJsonSchema(operation).properties ?? {}) as object);
    commands.set(words, [...names.map((name) => `--${name.replaceAll('_', '-')}`), '--json', '--help']);
  }
  return commands;
}

function bash(commands: ReadonlyMap<string, readonly string[]>): string {
  const firsts = [...new Set([...commands.keys()].map((words) => words.split(' ')[0] ?? ''))];
  const groups = firsts.filter((first) =>
    [...commands.keys()].some((words) => words.startsWith(`${first} `)),
  );
  const seconds = groups.map((group) => {
    const words = [...commands.keys()]
      .filter((key) => key.startsWith(`${group} `))
      .map((key) => key.split(' ')[1]);
    return `    ${group}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur")); return;;`;
  });
  const flags = [...commands]
    .filter(([words]) => words.split(' ').length === 2)
    .map(([words, list]) => `    "${words}") flags="${list.join(' ')}";;`);
  return `_pinhole() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${firsts.join(' ')}" -- "$cur")); return; fi
  if [ "$COMP_CWORD" -eq 2 ] && [[ "$cur" != -* ]]; then case "\${COMP_WORDS[1]}" in
${seconds.join('\n')}
  esac; fi
  case "\${COMP_WORDS[1]}" in
${[...commands]
  .filter(([words]) => !words.includes(' '))
  .map(([words, list]) => `    ${words}) flags="${list.join(' ')}";;`)
  .join('\n')}
  esac
  case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${flags.join('\n')}
  esac
  if [[ "$cur" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
}
complete -o filenames -F _pinhole pinhole
`;
}

function fish(commands: ReadonlyMap<string, readonly string[]>): string {
  const lines = [...commands].flatMap(([words, flags]) => {
    const [first = '', second] = words.split(' ');
    const seen =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const place =
      second === undefined
        ? `complete -c pinhole -n __fish_use_subcommand -f -a ${first}`
        : `complete -c pinhole -n '__fish_seen_subcommand_from ${first}' -f -a ${second}`;
    const group = second === undefined ? [] : [`complete -c pinhole -n __fish_use_subcommand -f -a ${first}`];
    return [
      ...group,
      place,
      ...flags.map((flag) => `complete -c pinhole -n '${seen}' -l ${flag.replace(/^--/, '')}`),
    ];
  });
  return `${[...new Set(lines)].join('\n')}\n`;
}
