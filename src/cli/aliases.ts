/** What people type who know other programs, and the command they mean. */
export interface Alias {
  readonly typed: string;
  readonly means: string;
  /** Holds only where a flag follows, as in `sessions --since 7d`. */
  readonly beforeFlag?: true;
}

/** Every other name of a command. Names of commands themselves are never among them. */
export const ALIASES: readonly Alias[] = [
  { typed: 'search', means: 'code find' },
  { typed: 'ask', means: 'code find' },
  { typed: 'find', means: 'disk find' },
  { typed: 'rg', means: 'grep' },
  { typed: 'du', means: 'disk' },
  { typed: 'ls', means: 'disk cd' },
  { typed: 'cd', means: 'disk cd' },
  { typed: 'serve', means: 'start' },
  { typed: 'usage', means: 'sessions usage' },
  { typed: 'cost', means: 'sessions usage' },
  { typed: 'show', means: 'sessions show' },
  { typed: 'projects', means: 'sessions projects' },
  { typed: 'history', means: 'sessions files' },
  { typed: 'session', means: 'sessions' },
  { typed: 'sessions', means: 'sessions list', beforeFlag: true },
  { typed: 'sessions ls', means: 'sessions list' },
  { typed: 'sessions cat', means: 'sessions full' },
  { typed: 'sessions cost', means: 'sessions usage' },
  { typed: 'sessions commits', means: 'sessions of' },
  { typed: 'archive', means: 'sessions archive' },
  { typed: 'archive forget', means: 'sessions forget' },
  { typed: 'sessions archive forget', means: 'sessions forget' },
  { typed: 'code grep', means: 'code search' },
  { typed: 'code rg', means: 'code search' },
  { typed: 'code index', means: 'index --what code' },
  { typed: 'code symbol', means: 'symbol' },
  { typed: 'code outline', means: 'outline' },
  { typed: 'disk ls', means: 'disk cd' },
  { typed: 'disk du', means: 'disk' },
  { typed: 'disk duplicates', means: 'disk dup' },
  { typed: 'disk extensions', means: 'disk ext' },
  { typed: 'disk ages', means: 'disk age' },
];

/** A text of several words is a question about the code of this folder. */
const QUESTION = 'code find';

const HELP = new Set(['--help', '-h']);

/** The command line with the real name of its command. */
export function withoutAliases(argv: readonly string[]): readonly string[] {
  const [first = '', ...rest] = argv;
  if (/\s/.test(first)) return [...QUESTION.split(' '), ...argv];
  if (first === 'help') return rest.length === 0 ? ['--help'] : [...withoutAliases(rest), '--help'];
  const alias = ALIASES.filter(({ typed, beforeFlag }) => {
    const words = typed.split(' ');
    const next = argv[words.length] ?? '';
    return (
      words.every((word, i) => argv[i] === word) &&
      (beforeFlag === undefined || (next.startsWith('-') && !HELP.has(next)))
    );
  }).sort((a, b) => b.typed.length - a.typed.length)[0];
  if (alias === undefined) return argv;
  return withoutAliases([...alias.means.split(' '), ...argv.slice(alias.typed.split(' ').length)]);
}
