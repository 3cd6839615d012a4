import type { BuiltIn } from '../command/built-in.ts';
import { noMoreWords, readFlags } from '../command/flags.ts';
import { PinholeError } from '../contract/errors.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/* The scripts ask `pinhole complete` at every Tab, so they never know fewer commands than the program. */

const BASH = `_pinhole() {
  local IFS=$'\\n' line files= cur="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=()
  for line in $("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); do
    if [ "$line" = ":files" ]; then files=1; else COMPREPLY+=("\${line%%$'\\t'*}"); fi
  done
  if [ -n "$files" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen -f -- "$cur"))
  fi
}
complete -F _pinhole pinhole
`;

const ZSH = `#compdef pinhole
_pinhole() {
  local -a found
  local line files
  for line in "\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ':files' ]]; then files=1
    elif [[ -n $line ]]; then found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done
  (( $#found )) && _describe -V pinhole found
  [[ -n $files ]] && _files
  return 0
}
if [[ $funcstack[1] == _pinhole ]]; then
  _pinhole "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _pinhole pinhole
fi
`;

const FISH = `function __pinhole_complete
  set -l words (commandline -opc)
  for line in (command $words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null)
    if test "$line" = ':files'
      __fish_complete_path (commandline -ct)
    else
      printf '%s\\n' $line
    end
  end
end
complete -c pinhole -f -a '(__pinhole_complete)'
`;

const SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

export const completion: BuiltIn = {
  usage: `pinhole completion ${SHELLS.join('|')}`,
  flags: [],
  values: { '': SHELLS },
  examples: [
    'pinhole completion bash >> ~/.bashrc',
    'pinhole completion zsh >> ~/.zshrc',
    'pinhole completion fish > ~/.config/fish/completions/pinhole.fish',
  ],
  async run(args) {
    const [shell = '', ...more] = readFlags(args, {}).positionals;
    noMoreWords(more);
    const script = SCRIPTS[shell];
    if (script === undefined)
      throw new PinholeError('invalid_parameter', `Choose a shell: ${SHELLS.join(', ')}.`);
    process.stdout.write(script);
    return 0;
  },
};
