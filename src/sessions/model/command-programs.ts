import { findCheck } from './checks.ts';
import { baseName, piecesOf, withoutStarters } from './shell-words.ts';

/** Programs whose next word says what they do. */
const WITH_SUBCOMMAND: ReadonlySet<string> = new Set(
  `git go cargo npm pnpm yarn bun deno mise just task make gmake rake invoke nx turbo lerna composer mvn mvnw gradle
   gradlew sbt bazel dotnet mix docker podman docker-compose kubectl helm gh glab uv pip pip3 pipx poetry pdm hatch conda
   brew apt apt-get dnf systemctl terraform tofu aws gcloud az ruff biome vite next astro playwright swift zig flutter dart
   rails bundle gem rustup jj hg svn launchctl tmux claude codex gemini wrangler vercel fly flyctl heroku supabase prisma
   xcrun nix stack cabal pinhole`.split(/\s+/),
);
/** Words after a program that only group its subcommands: the next word counts too. */
const GROUPS: Readonly<Record<string, RegExp>> = {
  gh: /^(?:pr|issue|repo|run|workflow|release|gist|label|project|secret|variable|cache|auth|search)$/,
  glab: /^(?:mr|issue|repo|ci|release)$/,
  docker: /^(?:compose|container|image|volume|network|buildx|system)$/,
  aws: /^[a-z]/,
  gcloud: /^[a-z]/,
  az: /^[a-z]/,
};
const RUN = /^(?:run|run-script|exec)$/;
const SUBCOMMAND = /^[A-Za-z][\w:.@/-]*$/;
/** Options in front of a subcommand whose value is the next word. */
const WITH_VALUE =
  /^(?:-C|-c|-R|-n|-F|-w|--prefix|--cwd|--dir|--filter|--repo|--workspace|--namespace|--git-dir|--work-tree|--context|--directory)$/;

/** Commands that only prepare the main one. */
const PREPARING =
  /^(?:cd|pushd|popd|export|set|unset|source|\.|for|while|until|case|select|local|declare|trap|umask|ulimit|shopt)$/;
/** Before the main command, these only print a heading or provide its input. */
const PRINTING = /^(?:echo|printf)$/;
const SUBSTITUTION = /\$\((?:'[^']*'|"[^"]*"|[^()'"])*\)/g;

/**
 * The program that a command line runs, with its subcommand: `go test`, `npm run build`, `python3`. With several
 * programs, the last of the most telling checks, else the first that does more than prepare.
 */
export function programOf(command: string): string | undefined {
  // Twice, because substitutions can be nested. A leading backslash only bypasses an alias.
  const plain = command
    .replace(SUBSTITUTION, '_')
    .replace(SUBSTITUTION, '_')
    .replace(/(^|[\s;&|(])\\(?=[A-Za-z])/g, '$1');
  const pieces = piecesOf(plain).map((piece) => ({ ...piece, words: piece.words.map(withoutBracket) }));
  const check = findCheck(pieces)?.check;
  const found = pieces
    .filter((piece) => check === undefined || findCheck([piece])?.check === check)
    .map(({ words }) => withoutStarters(words))
    .filter(([first]) => first !== undefined && !/^[_$"'<>]/.test(first));
  if (check !== undefined) return nameOf(found.at(-1) ?? []);
  const working = found.filter(([first = '']) => !PREPARING.test(first));
  return nameOf(working.find(([first = '']) => !PRINTING.test(first)) ?? working[0] ?? found[0] ?? []);
}

function withoutBracket(word: string): string {
  return word.replace(/^[({]+(?=.)/, '').replace(/(?<=.)[)}]+$/, '');
}

function nameOf([first = '', ...rest]: readonly string[]): string | undefined {
  const program = baseName(first);
  if (program === '') return undefined;
  if (!WITH_SUBCOMMAND.has(program)) return program;
  const names = subcommands(rest);
  const [one, two] = names;
  if (one === undefined) return program;
  const more = RUN.test(one) || GROUPS[program]?.test(one) === true;
  return [program, one, ...(more && two !== undefined ? [two] : [])].join(' ');
}

/** The first words that are neither options nor their values. */
function subcommands(words: readonly string[]): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < words.length && found.length < 2; at++) {
    const word = words[at] ?? '';
    if (WITH_VALUE.test(word)) at++;
    else if (word.startsWith('-')) continue;
    else if (SUBCOMMAND.test(word)) found.push(word);
    else break;
  }
  return found;
}
