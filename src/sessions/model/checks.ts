import { baseName, type Piece, piecesOf, withoutStarters } from './shell-words.ts';

/** What a command checks. */
export const CHECKS = ['test', 'build', 'typecheck', 'lint'] as const;
export type Check = (typeof CHECKS)[number];

export interface CheckRun {
  /** The most telling one. */
  readonly check: Check;
  /** All checks of the command line, in order. */
  readonly chain: readonly Check[];
  /** Each check ran only if those before it passed, because `&&` joins them. */
  readonly chained: boolean;
  /** A pipe or a later command hides its exit code, or that of another check on the same line. */
  readonly exitHidden: boolean;
  /** The exit code is that of another command, which reads what the check prints. */
  readonly piped: boolean;
  /** What the check prints is cut to its ends, or goes to another program or a file, which may keep its verdict. */
  readonly filtered: 'cut' | 'hidden' | undefined;
}

/** Programs that are checks in themselves. */
const PROGRAMS: ReadonlyMap<string, Check> = programs({
  test: `vitest jest mocha ava tap pytest py.test nosetests tox nox rspec phpunit pest ctest bats gotestsum cypress
    elm-test minitest behave cucumber karma testcafe unittest`,
  typecheck:
    'tsc vue-tsc tsgo svelte-check mypy pyright basedpyright pyre pytype flow dialyzer sorbet psalm phpstan',
  lint: `eslint oxlint stylelint golangci-lint staticcheck golint revive flake8 pylint rubocop shellcheck hadolint ktlint
    detekt swiftlint markdownlint yamllint credo clippy-driver tslint standard xo checkstyle spotbugs`,
  build: 'webpack rollup ninja msbuild xmake',
});

/** Programs whose first word without a dash says what they do; an empty word stands for none. */
const SUBCOMMANDS: Readonly<Record<string, readonly (readonly [RegExp, Check])[]>> = {
  go: [
    [/^test$/, 'test'],
    [/^(?:build|install|generate)$/, 'build'],
    [/^vet$/, 'lint'],
  ],
  cargo: [
    [/^(?:test|nextest|t|bench)$/, 'test'],
    [/^(?:build|b|rustc)$/, 'build'],
    [/^(?:check|c)$/, 'typecheck'],
    [/^(?:clippy|fmt)$/, 'lint'],
  ],
  dotnet: [
    [/^test$/, 'test'],
    [/^(?:build|publish)$/, 'build'],
    [/^format$/, 'lint'],
  ],
  mix: [
    [/^test$/, 'test'],
    [/^compile$/, 'build'],
    [/^dialyzer$/, 'typecheck'],
    [/^(?:credo|format)$/, 'lint'],
  ],
  ruff: [[/^(?:check|format)$/, 'lint']],
  biome: [[/^(?:check|lint|ci|format)$/, 'lint']],
  prettier: [[/^/, 'lint']],
  black: [[/^/, 'lint']],
  ty: [[/^check$/, 'typecheck']],
  vite: [[/^build$/, 'build']],
  next: [
    [/^build$/, 'build'],
    [/^lint$/, 'lint'],
  ],
  astro: [
    [/^build$/, 'build'],
    [/^check$/, 'typecheck'],
  ],
  playwright: [[/^test$/, 'test']],
  swift: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
  ],
  zig: [
    [/^test$/, 'test'],
    [/^build(?:-\w+)?$/, 'build'],
  ],
  deno: [
    [/^test$/, 'test'],
    [/^check$/, 'typecheck'],
    [/^(?:lint|fmt)$/, 'lint'],
    [/^(?:compile|bundle)$/, 'build'],
  ],
  bun: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
  ],
  flutter: [
    [/^test$/, 'test'],
    [/^build$/, 'build'],
    [/^analyze$/, 'lint'],
  ],
  dart: [
    [/^test$/, 'test'],
    [/^compile$/, 'build'],
    [/^analyze$/, 'lint'],
  ],
  docker: [[/^build$/, 'build']],
  rails: [[/^test/, 'test']],
  lein: [
    [/^test$/, 'test'],
    [/^(?:compile|uberjar)$/, 'build'],
  ],
};

/** Programs that run a named task: the name says what it checks. */
const RUNNERS: ReadonlySet<string> = new Set(
  `npm pnpm yarn bun mise just task make gmake rake invoke nx turbo lerna rush deno composer mvn mvnw gradle gradlew sbt
   bazel bazelisk buck2 cmake xcodebuild hatch pdm poetry stack cabal meson ant nix`.split(/\s+/),
);
/** Words between a runner and the name of the task. */
const RUN_WORDS: ReadonlySet<string> = new Set([
  'run',
  'run-script',
  'r',
  'exec',
  'x',
  'task',
  'tasks',
  'build-tool',
]);
/** Runners that build if no task is named. */
const BUILD_BY_DEFAULT: ReadonlySet<string> = new Set(['make', 'gmake', 'mvn', 'gradle', 'ant', 'ninja']);

const TASKS: readonly (readonly [RegExp, Check])[] = [
  [/(?:^|[^a-z])(?:type-?check|tsc|types|mypy|pyright)(?:$|[^a-z])/, 'typecheck'],
  [/(?:^|[^a-z])(?:lint\w*|fmt|format|style|clippy|eslint|prettier|biome|ruff|vet)(?:$|[^a-z])/, 'lint'],
  [
    /(?:^|[^a-z])(?:tests?|spec|specs|e2e|unit|integration|verify|coverage|ci|jest|vitest|pytest)(?:$|[^a-z])/,
    'test',
  ],
  [/(?:^|[^a-z])(?:build|compile|bundle|package|assemble|install|dist|all)(?:$|[^a-z])/, 'build'],
  [/^(?:check|t)$/, 'test'],
  [/(?:^|[^a-z])check(?:$|[^a-z])/, 'lint'],
];
/** Words after these runners that are not tasks of the project. */
const OWN_WORDS =
  /^(?:install|i|ci|add|remove|uninstall|publish|view|info|list|ls|outdated|audit|link|login|version)$/;

const INTERPRETERS = /^(?:python[\d.]*|node|tsx|ruby|php|perl|bash|sh|zsh)$/;
const ONLY_TOLD = /^--?(?:version|help|h|V)$/;

/** A command without any of these words is not a check; that rules out most commands. */
const WORDS = new RegExp(
  `test|spec|e2e|unit|integration|verify|coverage|lint|fmt|format|style|type|build|compile|bundle|assemble|check|${[
    ...PROGRAMS.keys(),
    ...Object.keys(SUBCOMMANDS),
    ...RUNNERS,
  ]
    .map((name) => `\\b${name.replaceAll('.', '\\.')}\\b`)
    .join('|')}`,
  'i',
);

/** The check that a command line runs; undefined if it runs none. */
export function checkOf(command: string): CheckRun | undefined {
  if (!WORDS.test(command)) return undefined;
  const pieces = piecesOf(command);
  const found = findCheck(pieces);
  if (found === undefined) return undefined;
  const checks = pieces.flatMap(({ words }, at) => (checkOfWords(words) === undefined ? [] : [at]));
  const piped = command.includes('pipefail') ? [] : checks.filter((at) => pieces[at]?.joint === '|');
  // `a && b` fails if `a` does; `a; b` and `a || b` lose that failure.
  const forgotten = checks.some((check) =>
    pieces.slice(check, -1).some(({ joint }) => /^(?:;|\|\||&)$/.test(joint)),
  );
  return {
    check: found.check,
    chain: [...new Set(checks.flatMap((at) => checkOfWords(pieces[at]?.words ?? []) ?? []))],
    chained: !forgotten,
    exitHidden: piped.length > 0 || forgotten,
    piped: piped.length === checks.length || piped.some((at) => !endsWell(pieces, at)),
    filtered: TO_FILE.test(command.replace(QUOTED, '_'))
      ? 'hidden'
      : piped.length === 0
        ? undefined
        : piped.every((at) => onlyCut(pieces, at))
          ? 'cut'
          : 'hidden',
  };
}

const QUOTED = /'[^']*'|"(?:[^"\\]|\\.)*"/g;
/** `> file`, but not `2> file` or `2>&1`. */
const TO_FILE = /(?<![\d<=-])[1&]?>>?\s*(?![&>(\s])/;

/** Programs that succeed whatever they read. */
const ENDS_WELL = /^(?:tail|head|cat|tee|sort|uniq|sed|awk|wc|less|cut|tr)$/;

/** Whether the last command of the pipe that begins at a piece always succeeds, so its exit code means nothing. */
function endsWell(pieces: readonly Piece[], at: number): boolean {
  const last = pieces.slice(at).find(({ joint }) => joint !== '|');
  return ENDS_WELL.test(baseName(withoutStarters(last?.words ?? [])[0] ?? ''));
}

/** Whether the pipe that begins at a piece shows all of what is printed, or its ends. */
function onlyCut(pieces: readonly Piece[], at: number): boolean {
  const end = pieces.findIndex(({ joint }, each) => each >= at && joint !== '|');
  return pieces
    .slice(at + 1, end + 1)
    .every(({ words }) => /^(?:tail|head|cat|tee|less)$/.test(baseName(withoutStarters(words)[0] ?? '')));
}

/** The check among these commands. With several, the most telling one wins: tests, then builds, types and style. */
export function findCheck(
  pieces: readonly Piece[],
): { readonly check: Check; readonly at: number } | undefined {
  let found: { check: Check; at: number } | undefined;
  for (const [at, { words }] of pieces.entries()) {
    const check = checkOfWords(words);
    if (check === undefined) continue;
    if (found === undefined || CHECKS.indexOf(check) < CHECKS.indexOf(found.check)) found = { check, at };
  }
  return found;
}

export function checkOfWords(given: readonly string[]): Check | undefined {
  const words = withoutStarters(given);
  const first = words[0];
  if (first === undefined || words.some((word) => ONLY_TOLD.test(word))) return undefined;
  const program = baseName(first);
  const known = PROGRAMS.get(program);
  if (known !== undefined) return known;
  const rest = words.slice(1);
  const named = rest.filter((word) => !word.startsWith('-') && !word.includes('='));
  for (const [word, check] of SUBCOMMANDS[program] ?? []) if (word.test(named[0] ?? '')) return check;
  if (program === 'node' && rest.includes('--test')) return 'test';
  if (INTERPRETERS.test(program)) return named[0] === undefined ? undefined : checkOfScript(named);
  if (RUNNERS.has(program)) return checkOfTask(program, named, rest);
  return /\.(?:sh|py|mjs|js|ts|rb)$/.test(first) || /^(?!\/(?:usr\/)?bin\/).*\//.test(first)
    ? checkOfScript(words)
    : undefined;
}

function checkOfTask(program: string, named: readonly string[], rest: readonly string[]): Check | undefined {
  const runs = RUN_WORDS.has(named[0] ?? '');
  const task = runs ? named[1] : named[0];
  if (program === 'cmake') return rest.includes('--build') ? 'build' : undefined;
  if (task === undefined) return BUILD_BY_DEFAULT.has(program) ? 'build' : undefined;
  if (/^(?:npm|pnpm|yarn|bun|composer|poetry|pdm)$/.test(program) && !runs && OWN_WORDS.test(task))
    return undefined;
  const tasks = /^(?:mvnw?|gradlew?|sbt|xcodebuild|make|just)$/.test(program) ? named : [task];
  return mostTelling(tasks);
}

/** The name of a script says what it checks: `scripts/run-tests.sh`, `manage.py test`. */
function checkOfScript(words: readonly string[]): Check | undefined {
  const name = baseName(words[0] ?? '').replace(/\.\w+$/, '');
  if (name === 'manage' && words[1] === 'test') return 'test';
  return PROGRAMS.get(name) ?? taskCheck(name);
}

function mostTelling(tasks: readonly string[]): Check | undefined {
  const found = tasks.map(taskCheck).filter((check) => check !== undefined);
  return CHECKS.find((check) => found.includes(check));
}

function taskCheck(task: string): Check | undefined {
  const name = task.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  return TASKS.find(([words]) => words.test(name))?.[1];
}

function programs(lists: Readonly<Record<Check, string>>): ReadonlyMap<string, Check> {
  const all = new Map<string, Check>();
  for (const check of CHECKS) for (const name of lists[check].trim().split(/\s+/)) all.set(name, check);
  return all;
}
