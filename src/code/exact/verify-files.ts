import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import type { SkipReason } from '../files/source-tree.ts';
import { countLines } from '../trigram/count-lines.ts';
import type { Span } from '../trigram/trigram-segment.ts';
import { contextText, type FileHits, type Hit, type LineStyle, lineText } from './hits.ts';
import { type Content, contents, type VerifyFile } from './read-candidate.ts';
import { scanLines } from './scan-lines.ts';
import { matchesClean, TextSecrets } from './secret-line.ts';

/** Files to search. */
export interface VerifyTask {
  readonly root: string;
  readonly pattern: PatternOptions;
  readonly files: readonly VerifyFile[];
  /** Lines of the first file that end before this byte have already been reported. */
  readonly after: number;
  /** How lines are shown; undefined for counts only. */
  readonly lines: LineStyle | undefined;
  readonly everything?: boolean | undefined;
  readonly maxHits: number;
  /** The task returns what it has after this long. */
  readonly sliceMs: number;
  /** Not zero once the reply is no longer needed. */
  readonly cancelled: Int32Array;
}

/** The result of a task. */
export interface VerifyReply {
  readonly found: readonly FileHits[];
  /** Number of matching lines of each file that has any, in order. */
  readonly counts: readonly (readonly [path: string, hits: number])[];
  readonly skipped: readonly (readonly [path: string, reason: SkipReason])[];
  /** The first unfinished file, and how far the search got in it. */
  readonly next: number;
  readonly after: number;
}

/** Searches files until the time slice or the number of hits is used up. */
export function verify(matcher: Matcher, task: VerifyTask): VerifyReply {
  const deadline = performance.now() + task.sliceMs;
  const found: FileHits[] = [];
  const counts: [string, number][] = [];
  const skipped: [string, SkipReason][] = [];
  let total = 0;
  for (const [index, file] of task.files.entries()) {
    if (index > 0 && (performance.now() > deadline || Atomics.load(task.cancelled, 0) !== 0))
      return { found, counts, skipped, next: index, after: 0 };
    const limits = { after: index === 0 ? task.after : 0, maxHits: task.maxHits - total, deadline };
    const result = searchFile(matcher, task, file, limits);
    if (result.skip !== undefined) skipped.push([file.path, result.skip]);
    if (result.count > 0) {
      total += result.count;
      counts.push([file.path, result.count]);
      if (task.lines !== undefined) found.push({ path: file.path, hits: result.hits });
    }
    if (result.stoppedAt !== undefined)
      return { found, counts, skipped, next: index, after: result.stoppedAt };
  }
  return { found, counts, skipped, next: task.files.length, after: 0 };
}

interface FileResult {
  count: number;
  readonly hits: Hit[];
  stoppedAt?: number;
  skip?: SkipReason;
}

/** Which part of a file is searched. */
interface Limits {
  /** From this byte on. */
  readonly after: number;
  /** Until there are this many hits. */
  readonly maxHits: number;
  /** Until this moment, checked between spans. */
  readonly deadline: number;
}

function searchFile(matcher: Matcher, task: VerifyTask, file: VerifyFile, limits: Limits): FileResult {
  const result: FileResult = { count: 0, hits: [] };
  let searched = false;
  for (const content of contents(task, file, limits.after)) {
    if (typeof content === 'string') {
      result.skip = content;
      break;
    }
    const secrets = new TextSecrets(content.text);
    for (const span of content.spans) {
      if (span.to <= limits.after) continue;
      if (searched && performance.now() > limits.deadline) {
        result.stoppedAt = span.from;
        return result;
      }
      searchSpan(matcher, task, content, span, secrets, limits, result);
      if (result.stoppedAt !== undefined) return result;
      searched = true;
    }
  }
  return result;
}

function searchSpan(
  matcher: Matcher,
  task: VerifyTask,
  { bytes, offset, isInPlace }: Content,
  span: Span,
  secrets: TextSecrets,
  { after, maxHits }: Limits,
  result: FileResult,
): void {
  let counted = span.from - offset;
  let { line } = span;
  const from = Math.max(counted, after - offset);
  const part = { from, to: span.to - offset, texts: span.texts };
  scanLines(matcher, bytes, part, (start, end) => {
    const clean = secrets.clean(bytes.subarray(start, end), start + offset);
    if (clean !== undefined && !matchesClean(matcher, clean)) return true;
    if (result.count === 0 && !isInPlace()) return false;
    result.count++;
    if (task.lines !== undefined) {
      line += countLines(bytes, counted, start);
      counted = start;
      const shown = clean?.bytes ?? bytes.subarray(start, end);
      const around = contextOf({ bytes, offset, secrets }, start, end, task.lines);
      const hit = { line, ...shownLine(matcher, shown, task.lines), ...around };
      result.hits.push(clean === undefined ? hit : { ...hit, redacted: true });
    }
    if (result.count < maxHits) return true;
    result.stoppedAt = end + 1 + offset;
    return false;
  });
}

/** The line as it is shown: cut only after its secrets are gone. */
function shownLine(matcher: Matcher, line: Buffer, style: LineStyle): Pick<Hit, 'text' | 'column'> {
  const cut = line.length > style.length;
  return lineText(line, cut ? matcher.locate(line, 0, line.length) : undefined, style);
}

/** Text around a match. */
interface Around {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly secrets: TextSecrets;
}

function contextOf(text: Around, from: number, to: number, style: LineStyle): Pick<Hit, 'before' | 'after'> {
  const before = style.before === 0 ? [] : linesBefore(text, from, style);
  const after = style.after === 0 ? [] : linesAfter(text, to, style);
  return { ...(before.length > 0 ? { before } : {}), ...(after.length > 0 ? { after } : {}) };
}

function linesBefore(text: Around, from: number, style: LineStyle): string[] {
  const lines: string[] = [];
  for (let end = from - 1; end >= 0 && lines.length < style.before; ) {
    const start = end === 0 ? 0 : text.bytes.lastIndexOf(10, end - 1) + 1;
    lines.unshift(contextLine(text, start, end, style));
    end = start - 1;
  }
  return lines;
}

function linesAfter(text: Around, to: number, style: LineStyle): string[] {
  const { bytes } = text;
  const lines: string[] = [];
  for (let start = to + 1; start < bytes.length && lines.length < style.after; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    lines.push(contextLine(text, start, end, style));
    start = end + 1;
  }
  return lines;
}

function contextLine(
  { bytes, offset, secrets }: Around,
  start: number,
  end: number,
  style: LineStyle,
): string {
  const line = bytes.subarray(start, end);
  return contextText(secrets.clean(line, start + offset)?.bytes ?? line, style);
}
