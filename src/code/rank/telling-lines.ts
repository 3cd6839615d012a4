/** More of a text says nothing new, and reading it takes time. */
const MAX_LINES = 400;
const MAX_CHARACTERS = 40_000;
/** The rest of a longer line is data; the time to read a line grows faster than its length. */
const MAX_LINE_LENGTH = 2_000;
/** Lines at both ends that are kept before all others that report no error. */
const ENDS = { first: 40, last: 80 } as const;
/** Texts with fewer lines are not logs, and every line of them counts. */
const MIN_LOG_LINES = 20;

/** A line of a log: a time or a level near its beginning. */
const LOGGED =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d|\d\d[:/]\d\d[:/]\d\d|\w{3} +\d{1,2} \d\d:\d\d|\[?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b)|\b(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b|\[(?:info|debug|notice|warn|error|crit|alert|emerg)\]|\blevel=\w+/;
const FAILED =
  /\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|Traceback|panic(?:ked)?|Exception|Caused by)\b|\[(?:error|crit|alert|emerg|fatal)\]|\blevel="?(?:error|fatal|panic)|\b\w+(?:Error|Exception)\b|^E\d{4} /;
/** Numbers, times, addresses and ids, in which lines of one statement differ. */
const VARYING = /\b0x[\da-f]+\b|\b[\da-f]{8}-[\da-f-]{27}\b|\b[\da-f]*\d[\da-f]*\b|\d+/gi;

/** Whether a line of a log reports that something failed, or only what happens anyway. */
export function logLevel(line: string): 'failed' | 'other' | undefined {
  if (!LOGGED.test(line)) return undefined;
  return FAILED.test(line) ? 'failed' : 'other';
}

/**
 * The lines of a text that say something, without empty ones. In a long one, lines that differ only in numbers count
 * once, and of what is left, errors, the beginning and the end are read first.
 */
export function tellingLines(text: string): string[] {
  const all = linesIn(text);
  if (all.length < MIN_LOG_LINES) return all;
  const shapes = new Set<string>();
  const distinct = all.filter((line) => {
    // Indented lines belong to a trace or to code, in which equal lines have their place.
    if (/^\s/.test(line) || !LOGGED.test(line)) return true;
    const shape = line.slice(0, 300).replace(VARYING, '#');
    const isNew = !shapes.has(shape);
    shapes.add(shape);
    return isNew;
  });
  return isShort(distinct) ? distinct : mostTelling(distinct);
}

/** A text that is too long to be read whole, as the lines of it that say something. */
export function condensed(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : tellingLines(text).join('\n');
}

function linesIn(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, MAX_LINE_LENGTH));
}

function isShort(lines: readonly string[]): boolean {
  return lines.length <= MAX_LINES && lines.reduce((sum, line) => sum + line.length, 0) <= MAX_CHARACTERS;
}

function mostTelling(lines: readonly string[]): string[] {
  const isFirst = (at: number): boolean => at < ENDS.first || at >= lines.length - ENDS.last;
  // A failure is followed by its trace.
  let since = Number.POSITIVE_INFINITY;
  const groups: [number[], number[], number[]] = [[], [], []];
  for (const [at, line] of lines.entries()) {
    since = FAILED.test(line) ? 0 : since + 1;
    const isTrace = /^\s/.test(line) && since < 60;
    groups[since === 0 || isTrace ? 0 : isFirst(at) ? 1 : 2].push(at);
  }
  const step = Math.max(1, Math.floor(groups[2].length / MAX_LINES));
  const wanted = [...bothEnds(groups[0]), ...groups[1], ...groups[2].filter((_line, at) => at % step === 0)];
  const taken = new Set<number>();
  let left = MAX_CHARACTERS;
  for (const at of wanted) {
    if (taken.size >= MAX_LINES || left <= 0) break;
    taken.add(at);
    left -= lines[at]?.length ?? 0;
  }
  return lines.filter((_line, at) => taken.has(at));
}

/** The first and the last half of what is wanted: failures at the beginning cause others, and the last one ends it. */
function bothEnds(numbers: readonly number[]): readonly number[] {
  const most = MAX_LINES - ENDS.first - ENDS.last;
  return numbers.length <= most
    ? numbers
    : [...numbers.slice(0, most / 2), ...numbers.slice(numbers.length - most / 2)];
}
