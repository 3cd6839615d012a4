import { namedPath } from './named-path.ts';
import { type Frame, readFrames } from './read-frames.ts';
import { logLevel, tellingLines } from './telling-lines.ts';

/** The kinds of lines in an issue, a stack trace or a program's output. */
export type ReportPart = 'title' | 'prose' | 'code' | 'error' | 'frame' | 'log';

/** A place that a report names: a frame of a stack trace, a file, a module. */
export interface NamedPlace {
  /** Parts of the path or of the dotted name, the last without its extension. */
  readonly parts: readonly string[];
  /** Of a file. */
  readonly extension?: string | undefined;
  readonly line?: number | undefined;
  /** Written as a path with an extension, so it can only be a file. */
  readonly isFile: boolean;
  /** From a stack trace; of several, the last is where it happened. */
  readonly isFrame: boolean;
}

/** A long question, taken apart. Lines that say nothing about code are left out. */
export interface Report {
  readonly lines: readonly { readonly part: ReportPart; readonly text: string }[];
  readonly places: readonly NamedPlace[];
  /** The calls of stack traces, where it happened first. */
  readonly frames: readonly Frame[];
  /** Whether it is little besides a stack trace, so that the trace is the question. */
  readonly isTrace: boolean;
}

/** Shorter texts of one or two lines are questions; so is a single line of prose up to the second length. */
const [MIN_REPORT_LENGTH, MIN_PROSE_REPORT_LENGTH] = [200, 600];
const MIN_REPORT_LINES = 3;
/** With more prose than this, a trace is only a part of what is said. */
const MAX_TRACE_PROSE = 200;

const FENCE = /^\s*(?:```|~~~)/;
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g;
const FILE = String.raw`[\w@~.+-]*(?:[\\/][\w@.+-]+)*\.(?:py|pyi|pyx|[cm]?[jt]sx?|vue|go|rs|java|kt|kts|scala|rb|php|cs|swift|c|cc|cpp|cxx|h|hh|hpp|m|ex|exs|hs|lua|zig|sh|bash|sql|html|css)`;
/** `File "a/b.py", line 3`, `at f (a/b.js:3:14)`, `a/b.go:3 +0x1d`, `--> src/main.rs:3:5`, `(Main.java:3)`. */
const FRAME = new RegExp(String.raw`(${FILE})(?:(?:", line |[:(]|, line )(\d{1,6})\b|c? in \w+\()`, 'g');
const PATH = new RegExp(String.raw`(?<![\w/.])(${FILE})(?![\w/])`, 'g');
const DOTTED = /(?<![\w/@.-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w/-])/g;
const ERROR =
  /^\s*(?:[\w.]*(?:Error|Exception|Warning|Failure|panic(?:ked)?|fatal)\b[^:]{0,40}:|E\s{2,})\s*\S/;
const CODE =
  /^\s*(?:>>>|\.\.\. |In \[\d+\]:|from [\w.]+ import |import [\w.{*]|(?:async )?def \w|class \w+.*[:{]$|@\w+|return\b|(?:el)?if .*[:{]$|for .*[:{]$|with .*:$|while .*[:{]$|try:|except.*:$|assert |function\b|(?:const|let|var) \w|[-+]{3} |[-+] ?\w.*[:;({=]|\$ )|[;{}]\s*$|^\s*[\w.[\]'"]+ *(?:[-+*/|]?=|:=)[^=]|^\s*[\w.]+\(.*\)\s*(?:#.*)?$|^(?:\t| {4,})\S/;
/** Headings and lines of templates, versions and lists of packages. */
const BOILERPLATE =
  /^\W*(?:bug (?:report|summary)|description|expected (?:behaviou?r|outcome|results?)|actual (?:behaviou?r|outcome|results?)|code for reproduction|(?:minimal )?(?:reproducible|reproduction) example|steps to reproduce|to reproduce|additional (?:context|information)|system info(?:rmation)?|environment|versions?|operating system|os|platform|python(?: version)?|matplotlib (?:version|backend)|backend|jupyter version|other libraries|installation|your environment|proposed fix|thanks.*|hi|hello|\(?last modified by.*|traceback \(most recent call last\)|stack trace|stack backtrace|goroutine \d+ \[.*|signal sig\w+|[\w-]+ version)\W*(?::.{0,80})?$/i;
const VERSION_LINE =
  /^[\s*>-]*[A-Za-z][\w .-]{0,40}[:=\s]+v?\d+(?:\.\d+){1,3}[\w.+-]*(?:\s+(?:pypi|py\w+|h\w+|conda\S*).*)?[,;]?\s*$/;

/** Takes an issue, a stack trace or similar apart; undefined for a short question. */
export function readReport(text: string): Report | undefined {
  const plain = text.replace(COMMENT, '').replaceAll('\r', '').replaceAll('\u200b', '');
  const all = tellingLines(plain);
  if (text.length < MIN_REPORT_LENGTH && all.length < MIN_REPORT_LINES) return undefined;
  const isLog = logged(all) * 2 > all.length;
  const { frames, at: inFrames } = readFrames(all);
  const lines: { part: ReportPart; text: string }[] = [];
  let fenced = false;
  for (const [number, line] of all.entries()) {
    if (FENCE.test(line)) {
      fenced = !fenced;
      continue;
    }
    const first = lines.length === 0;
    if (!fenced && !first && (BOILERPLATE.test(line) || VERSION_LINE.test(line))) continue;
    lines.push({ part: inFrames.has(number) ? 'frame' : partOf(line, { fenced, first, isLog }), text: line });
  }
  const places = placesIn(lines);
  const isParagraph = all.length === 1 && text.length < MIN_PROSE_REPORT_LENGTH;
  if (isParagraph && lines.every(isProse) && !places.some(({ isFile }) => isFile)) return undefined;
  return { lines, places, frames, isTrace: frames.length > 0 && proseLength(lines) < MAX_TRACE_PROSE };
}

/** How many lines have a time or a level. */
function logged(lines: readonly string[]): number {
  return lines.filter((line) => logLevel(line) !== undefined).length;
}

/** Characters outside traces, errors and code. */
function proseLength(lines: Report['lines']): number {
  return lines.reduce(
    (sum, line) => sum + (isProse(line) && logLevel(line.text) === undefined ? line.text.length : 0),
    0,
  );
}

function isProse({ part, text }: Report['lines'][number]): boolean {
  return part === 'prose' || (part === 'title' && !CODE.test(text));
}

function partOf(
  line: string,
  { fenced, first, isLog }: { readonly fenced: boolean; readonly first: boolean; readonly isLog: boolean },
): ReportPart {
  if (isFrame(line) && !isLog) return 'frame';
  const level = isLog ? logLevel(line) : undefined;
  if (level !== undefined) return level === 'failed' ? 'title' : 'log';
  if (ERROR.test(line)) return 'error';
  if (first) return 'title';
  return fenced || CODE.test(line) ? 'code' : 'prose';
}

function isFrame(line: string): boolean {
  return line.search(FRAME) !== -1;
}

function placesIn(lines: Report['lines']): NamedPlace[] {
  const found = new Map<string, NamedPlace>();
  for (const { text } of lines) {
    let rest = text;
    for (const [whole, path = '', line] of text.matchAll(FRAME)) {
      rest = rest.replace(whole, ' ');
      // In Python the last mention counts, elsewhere the first.
      if (path.endsWith('.py')) found.delete(path);
      if (!found.has(path))
        found.set(path, {
          ...namedPath(path),
          line: line === undefined ? undefined : Number(line),
          isFile: true,
          isFrame: true,
        });
    }
    for (const [, path = ''] of rest.matchAll(PATH)) {
      if (!found.has(path)) found.set(path, { ...namedPath(path), isFile: true, isFrame: false });
    }
    for (const [name] of rest.replace(PATH, ' ').matchAll(DOTTED)) {
      if (!found.has(name)) found.set(name, { parts: name.split('.'), isFile: false, isFrame: false });
    }
  }
  const places = [...found];
  const isPython = ([path]: readonly [string, NamedPlace]): boolean => /\.py[ix]?$/.test(path);
  // Python writes where it happened last, all others first.
  return [...places.filter((one) => !isPython(one)).reverse(), ...places.filter(isPython)].map(
    ([, place]) => place,
  );
}
