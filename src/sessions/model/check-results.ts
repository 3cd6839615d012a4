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

/**
 * Whether the output of a check says that it failed, for commands whose exit code is hidden by a pipe or by a later
 * command.
 */
export function saysFailed(output: string): boolean {
  const text =
    output.length <= 2 * END_LENGTH ? output : `${output.slice(0, END_LENGTH)}\n${output.slice(-END_LENGTH)}`;
  const plain = text.includes('\u001b') ? withoutColours(text) : text;
  return FAILED.some((line) => line.test(plain));
}

export function withoutColours(text: string): string {
  return text.replace(COLOURS, '');
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');
