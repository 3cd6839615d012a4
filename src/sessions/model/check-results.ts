/** Lines that only a failed check prints, anywhere in its output. */
const FAILED: readonly RegExp[] = [
  /^\s*--- FAIL\b/m,
  /^FAIL(?:\t|\s+\S|\s*$)/m,
  /\[build failed\]|\[setup failed\]/,
  /\bERROR task failed\b/,
  /\berror TS\d{3,5}\b/,
  /\bnpm (?:ERR!|error code)|\bELIFECYCLE\b/,
  /^FAILED(?: \(|\s+\S|$)/m,
  /^(?:ERROR|FAILED) \S+\.py(?:::|\b)/m,
  /^error(?:\[E\d{4}\])?: (?!.*\b0 )/m,
  /\berror CS\d{4}\b|\bBuild FAILED\b|\bBUILD FAILED\b|\bBUILD FAILURE\b/,
  /^make(?:\[\d+\])?: \*\*\* /m,
  /^(?:#|ℹ) fail [1-9]/m,
  /^not ok \d/m,
  /^FAILURES!|The following tests FAILED/m,
  /(?:Failures|Errors): [1-9]/,
  /^(?:vet: )?(?:\.{0,2}\/)?[\w./-]+\.go:\d+:\d+: /m,
  /^Traceback \(most recent call last\)/m,
  // `3 failed`, `1 failing`, `2 errors`, but neither `0 failed` nor `10/10 failed before`.
  /(?<![\d.,/:=-])[1-9]\d{0,5} (?:tests? |examples?, |specs? |assertions? )?(?:failed|failing|failures?|errors?|problems?)\b(?! (?:fixed|ignored|allowed))/i,
  /^[1-9]\d* issues?[:.]/m,
];

/** Characters searched at each end of an output. */
const END_LENGTH = 64 * 1024;

/** Lines that only a check that passed prints, unless others say that it failed. */
const PASSED: readonly RegExp[] = [
  /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/m,
  /^(?:PASS|OK)\b/m,
  /\btest result: ok\b/,
  /(?<![\d.,/:=-])[1-9]\d{0,6} (?:tests? |examples? |specs? |assertions? )?(?:passed|passing)\b/i,
  /\b(?:0|no) (?:errors?|failed|failures?|failing|issues?|problems?|warnings?|fixes)\b/i,
  /^(?:#|ℹ) fail 0\b/m,
  /\ball (?:\w+ )?(?:tests?|checks?|specs?)(?: \w+)? (?:pass|succe|ok)/i,
  /\ball (?:matched )?files (?:use|pass|are)\b/i,
  /\b(?:build|compilation|compiled?)\b.{0,40}\b(?:success\w*|succeeded)\b/i,
  /✓ built in\b|^\s*Finished (?:`?\w+`? )/m,
];

/** What the output of a check says about it, for commands whose exit code a pipe or a later command hides. */
export function verdictOf(output: string): 'failed' | 'passed' | undefined {
  const text =
    output.length <= 2 * END_LENGTH ? output : `${output.slice(0, END_LENGTH)}\n${output.slice(-END_LENGTH)}`;
  const plain = text.includes('\u001b') ? withoutColours(text) : text;
  if (FAILED.some((line) => line.test(plain))) return 'failed';
  return PASSED.some((line) => line.test(plain)) ? 'passed' : undefined;
}

/** Whether a check printed nothing but the names of what ran. */
export function isSilent(output: string): boolean {
  return output.replace(RAN, '').trim() === '';
}

/** The lines that npm and other runners print above a task: `> app@1.0.0 lint`, `$ eslint .`. */
const RAN = /^(?:[>$] .*|\[[\w:.-]+\] \$ .*)$/gm;

export function withoutColours(text: string): string {
  return text.replace(COLOURS, '');
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');
