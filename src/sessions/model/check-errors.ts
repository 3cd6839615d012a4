import { redactThenCut } from '../../contract/redact.ts';
import { errorClass, MAX_ERROR_LENGTH } from './call-errors.ts';
import { detailsOf } from './check-details.ts';
import { withoutColours } from './check-results.ts';

/** Why a check failed. */
export interface CheckError {
  /** The failed tests and packages, or the first errors, each once. */
  readonly error: string;
  /** The kind of failure, without names and numbers: `go test: FAIL`. */
  readonly kind: string;
  readonly failures: readonly CheckFailure[];
}

/** A test, package or line of source that failed. */
export interface CheckFailure {
  /** go test, pytest, tsc, …; undefined if the output does not say. */
  readonly runner: string | undefined;
  readonly kind: 'test' | 'package' | 'error' | 'check';
  /** The test, the package, or the error code. */
  readonly name: string;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly message?: string | undefined;
}

/** Matches a line that says what failed. The name of it is the first group, or else the whole line. */
interface Pattern {
  readonly line: RegExp;
  readonly kind: string | ((match: RegExpExecArray) => string);
}

const TESTS: readonly Pattern[] = [
  { line: /^\s*--- FAIL: (\S+)/, kind: 'go test: FAIL' },
  { line: /^(?:FAILED|ERROR) (\S+\.py(?:::.*?)?)(?= - |\s*$)/, kind: 'pytest: FAILED' },
  { line: /^test (\S.*?) \.\.\. FAILED\b/, kind: 'cargo test: FAILED' },
  { line: /^=== FAIL: (?:\S+ )?(\S+) \([\d.]+s\)/, kind: 'go test: FAIL' },
  { line: /^(?:FAIL|ERROR): (\w+ \([\w.]+\))/, kind: 'unittest: FAIL' },
  { line: /^rspec (\.\/\S+:\d+ # .+?)\s*$/, kind: 'rspec: FAILED' },
  { line: /^(\S+ > .+) FAILED$/, kind: 'gradle: FAILED' },
  { line: /^\(fail\) (.+?)(?: \[[\d.]+m?s\])?$/, kind: 'bun test: FAIL' },
  { line: /^\d+\) ([\w\\]+::\w+(?: with data set .+)?)$/, kind: 'phpunit: FAIL' },
  { line: /^\s+\d+\) ((?:\[[^\]]+\] › )?\S+\.[jt]sx?:\d+:\d+ › .+?)[\s─]*$/, kind: 'playwright: FAIL' },
  { line: /^\s*FAIL\s+(\S.* > .*?)\s*$/, kind: 'vitest: FAIL' },
  {
    line: /^\s*FAIL\s+([^\s>]+\.(?:[cm]?[jt]sx?|vue|svelte))(?: \([\d.]+ m?s\))?\s*$/,
    kind: 'jest: FAIL',
  },
  { line: /^\s*● (.+ › .+?)\s*$/, kind: 'jest: FAIL' },
];
/** Single tests as they run; used only if no other line says more. */
const MARKS: readonly Pattern[] = [
  { line: /^not ok \d+ -? ?(.+?)\s*$/, kind: 'tests: FAIL' },
  { line: /^\s*[✗×✖✕✘] (.+?)(?: \(?[\d.]+ ?m?s\)?)?\s*$/, kind: 'tests: FAIL' },
];
/** Lines of compilers and linters; the first matching pattern wins. */
const ERRORS: readonly Pattern[] = [
  { line: /^\S.*?\berror (TS\d{3,5})\b/, kind: ([, code]) => `tsc: ${code}` },
  { line: /^error\[(E\d{4})\]: /, kind: ([, code]) => `rustc: ${code}` },
  { line: /^\S+\.py:\d+: error: .*\[([\w-]+)\]\s*$/, kind: ([, rule]) => `mypy: ${rule}` },
  { line: /^[\w./@-]+\.\w{1,5}:\d+(?::\d+)?:? .*\(([a-z][\w-]+)\)\s*$/, kind: ([, rule]) => `lint: ${rule}` },
  { line: /^\S+?:\d+:\d+:? ([A-Z]{1,4}\d{2,5}|lint\/[\w/]+)\b/, kind: ([, rule]) => `lint: ${rule}` },
  { line: /^\s+\d+:\d+\s+error\s.*\s\s([\w@/-]+)\s*$/, kind: ([, rule]) => `lint: ${rule}` },
  { line: /^(?:vet: )?\S+\.go:\d+:\d+: (.+)/, kind: ([, said = '']) => `go: ${plainWords(said)}` },
  { line: /^[\w./@-]+\.\w{1,5}[:(]\d+[:,]\d+\)?:? ./, kind: ({ input }) => errorClass(input) },
  { line: /^panic: ./, kind: 'go test: FAIL' },
];
const PACKAGES: readonly Pattern[] = [
  { line: /^FAIL\t(\S+ \[(?:build|setup) failed\])/, kind: 'go test: build failed' },
  { line: /^FAIL\t(\S+)/, kind: 'go test: FAIL' },
  // Where tabs were lost.
  { line: /^FAIL {1,8}((?=[\w.-]*\/)[\w./-]+) +(?:\(?\d|\[build)/, kind: 'go test: FAIL' },
];
/** Lines of compilers and linters to keep. */
const MAX_ERRORS = 3;

/** What failed in a check according to its output, redacted; undefined if no line names anything. */
export function checkError(output: string, redact: (text: string) => string): CheckError | undefined {
  // Redact the output as a whole: a secret that spans several lines is not recognised line by line.
  const lines = linesOf(redact(withoutColours(output)));
  const tests = TESTS.flatMap((pattern) => told(lines, [pattern], 'test'));
  const errors = told(lines, ERRORS, 'error');
  const packages = told(lines, PACKAGES, 'package');
  const sure = [...tests, ...errors.slice(0, MAX_ERRORS), ...packages];
  const marks = sure.length > 0 ? [] : told(lines, MARKS, 'test');
  const all = sure.length > 0 ? sure : marks;
  const [first] = all;
  if (first === undefined) return undefined;
  const items = [...new Set(all.map(({ item }) => item))];
  // A test with failed subtests is listed as its subtests.
  const isParent = (item: string) => items.some((other) => other.startsWith(`${item}/`));
  return {
    error: redactThenCut(joined(items.filter((item) => !isParent(item))), MAX_ERROR_LENGTH, redact),
    kind: first.kind,
    failures: failuresOf(
      [...tests.filter(({ item }) => !isParent(item)), ...errors, ...packages, ...marks],
      lines,
    ),
  };
}

/** How many failures of one run are kept, and how much of each message. */
const MAX_FAILURES = 100;
const MAX_MESSAGE_LENGTH = 300;

function failuresOf(told: readonly Told[], lines: readonly string[]): readonly CheckFailure[] {
  const found = new Map<string, CheckFailure>();
  for (const { item, kind, what, at } of told) {
    if (found.size >= MAX_FAILURES) break;
    const [, runner, code = ''] = /^([a-z][a-z ]*): (.*)$/.exec(kind) ?? [];
    const { path, line, message = '' } = detailsOf(runner ?? '', what, { lines, at, name: item });
    const name = what === 'error' ? code || kind : item.replace(/ \[(?:build|setup) failed\]$/, '');
    const said = what === 'package' && name !== item ? item.slice(name.length + 1) : message;
    const short = said.trim().replace(/\s+/g, ' ').slice(0, MAX_MESSAGE_LENGTH);
    const failure = { runner, kind: what, name, path, line, message: short === '' ? undefined : short };
    const key = what === 'error' ? `${path}:${line}:${short}` : `${what} ${name}`;
    if (!found.has(key)) found.set(key, failure);
  }
  return [...found.values()];
}

interface Told {
  readonly item: string;
  readonly kind: string;
  readonly what: 'test' | 'package' | 'error';
  readonly at: number;
}

function told(lines: readonly string[], patterns: readonly Pattern[], what: Told['what']): readonly Told[] {
  return lines.flatMap((line, at) => {
    for (const { line: pattern, kind } of patterns) {
      const match = pattern.exec(line);
      if (match === null) continue;
      const item = (what === 'error' ? line : (match[1] ?? line)).trim().replace(/\s+/g, ' ');
      return [{ item, what, at, kind: typeof kind === 'string' ? kind : kind(match) }];
    }
    return [];
  });
}

/** Characters searched at each end of an output. */
const END_LENGTH = 256 * 1024;
const MAX_LINE_LENGTH = 600;

/** The lines of an output, without the task name that some runners put in front of each. */
function linesOf(text: string): readonly string[] {
  const ends =
    text.length <= 2 * END_LENGTH ? text : `${text.slice(0, END_LENGTH)}\n${text.slice(-END_LENGTH)}`;
  return ends
    .split(/\r?\n/)
    .map((line) => line.slice(0, MAX_LINE_LENGTH).replace(/^\[[\w:.-]+\] (?!\$)/, ''));
}

const JOINT = '; ';

/** As many names as fit, then how many more there are. */
function joined(names: readonly string[]): string {
  const all = names.join(JOINT);
  if (all.length <= MAX_ERROR_LENGTH) return all;
  let text = names[0] ?? '';
  for (const [index, name] of names.entries()) {
    if (index === 0) continue;
    const rest = `${JOINT}… +${names.length - index}`;
    if (text.length + JOINT.length + name.length + rest.length > MAX_ERROR_LENGTH) return `${text}${rest}`;
    text += `${JOINT}${name}`;
  }
  return text;
}

/** The words of a compiler's message that are the same for every name: `not enough arguments in call to`. */
function plainWords(said: string): string {
  const start = said.replace(/^(?:"[^"]*"|\w+ (?=declared (?:and|but) not used))\s*/, '');
  return (/^[a-z-]+(?: [a-z-]+(?![\w.({]))*/.exec(start)?.[0] ?? start).slice(0, 80);
}
