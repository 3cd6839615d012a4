import { redactThenCut } from '../../contract/redact.ts';
import { withoutColours } from './check-results.ts';

export const MAX_ERROR_LENGTH = 300;
const MAX_CLASS_LENGTH = 120;
/** Characters at each end of a failed output that are searched for the line that says why. */
const END_LENGTH = 16 * 1024;

/** What agents put around an output, and what programs print before anything happens. */
const HEADERS =
  /^(?:Chunk ID|Wall time|Exit code|Process exited|Original token count|Total output lines|Output|Command|Directory|Stdout|Signal|Background PIDs|Process Group PGID|Error: (?:Exit code \d+)?$|\(none\)|===+ RUN|=== (?:RUN|PAUSE|CONT)|> |\$ |[-=_*#~\s]+$|\+ |\[[\w:.-]+\] \$)/i;
/** Lines that only say that something failed. */
const VAGUE =
  /^(?:\[[\w:.-]+\] )?(?:ERROR task failed|error:? ?(?:\(none\))?|FAIL|npm (?:warn|notice)\b.*)$/i;
/** Lines about what passed. */
const PASSED = /^\s*(?:--- PASS|PASS\b|ok {2}\t|ok\s+\S+\/\S+\s|[✓✔] |test .* \.\.\. ok$)/;
/** Lines that say why a check failed. */
const TELLING =
  /^\s*--- FAIL|^[\w./-]+\.\w{1,5}[:(]\d+[:,]\d+|\berror(?:\[\w+\])?:|\berror TS\d|\b(?:fatal|panic|exception)\b|^\s*(?:E |Error|ERROR|FAILED|Traceback)|\[build failed\]|: \*\*\* /i;
const LIKELY =
  /\b(?:error|fail(?:ed|ure|s)?|cannot|can't|could not|couldn't|unable|not found|no such|denied|refused|undefined|unknown|invalid|missing|unexpected|timed out|timeout|abort(?:ed)?|does not|doesn't|not allowed|must be|conflict)\b/i;

/**
 * The line of a failed output that says why it failed, redacted; empty if there is none. Tools other than commands
 * give the reason first, then show the text they were given.
 */
export function errorLine(output: string, redact: (text: string) => string, saidFirst = false): string {
  // Redact the output as a whole: a secret that spans several lines is not recognised line by line.
  const clean = redact(withoutColours(output));
  const ends =
    clean.length <= 2 * END_LENGTH ? clean : `${clean.slice(0, END_LENGTH)}\n${clean.slice(-END_LENGTH)}`;
  const lines = ends
    .replace(/<\/?[a-z_]+_error>|<\/?untrusted_context>/g, '\n')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !HEADERS.test(line) && !PASSED.test(line));
  const clear = lines.filter((each) => !VAGUE.test(each.trim()));
  const line =
    (saidFirst ? clear[0] : undefined) ??
    clear.find((each) => TELLING.test(each)) ??
    clear.find((each) => LIKELY.test(each)) ??
    clear[0] ??
    lines[0] ??
    '';
  return redactThenCut(line.trim().replace(/\s+/g, ' '), MAX_ERROR_LENGTH, redact);
}

const PATHS = /(?<![\w<])(?:~|\.{1,2}|[A-Za-z]:)?(?:[\\/][\w@.+~-]+){1,}[\\/]?|\b[\w@.-]+(?:\/[\w@.+-]+)+/g;
const FILE_NAMES =
  /\b[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|go|py|rs|java|kt|rb|php|cs|cpp|[ch]|json|ya?ml|toml|md|sh|txt|lock|sql|html|css|vue|svelte|swift)\b/gi;
const TIMES =
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)?|\b\d\d?:\d\d(?::\d\d(?:[.,]\d+)?)?\b|\b\d+(?:[.,]\d+)?\s?(?:ns|µs|us|ms|s|sec|seconds?|min|minutes?|m|h)\b/g;

/**
 * Replaces paths, quoted texts, times, hashes and numbers, so that the same error reads the same in every session and
 * can be grouped.
 */
export function errorClass(error: string): string {
  return error
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '"…"')
    .replace(/\bhttps?:\/\/\S+/g, 'URL')
    .replace(PATHS, 'PATH')
    .replace(FILE_NAMES, 'PATH')
    .replace(/PATH(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\))/g, 'PATH')
    .replace(TIMES, 'TIME')
    .replace(/\b0x[0-9a-f]+\b|\b(?=[0-9a-f-]*\d)[0-9a-f]{7,}(?:-[0-9a-f]{4,})*\b/gi, 'HEX')
    .replace(/(?<![A-Za-z\d])\d[\d,._]*/g, 'N')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_CLASS_LENGTH);
}
