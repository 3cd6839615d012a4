import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Matcher, PatternOptions } from '../../regex/matcher.ts';
import type { SkipReason } from '../files.ts';
import { type FileText, MAX_FILE_BYTES, skipReason, textOf } from '../files-content.ts';
import type { Span } from '../trigram/segment.ts';
import { countLines } from '../trigram/segment-writer.ts';
import { contextText, type FileHits, type Hit, type LineStyle, lineText } from './hits.ts';
import { scanLines } from './scan.ts';
import { matchesOnlySecret } from './secret-line.ts';

/** A file to look into. */
export interface VerifyFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** The parts that may match while size and time are these; all of it without. */
  readonly spans: readonly Span[] | undefined;
}

/** Where to go on in a file: after this many bytes. */
export interface VerifyTask {
  readonly root: string;
  readonly pattern: PatternOptions;
  readonly files: readonly VerifyFile[];
  /** Lines of the first file that end before this byte were reported already. */
  readonly after: number;
  /** Give back the lines, or only their number. */
  readonly lines: LineStyle | undefined;
  readonly maxHits: number;
  /** The task ends after this long, with what it has. */
  readonly sliceMs: number;
  /** Not zero once nobody waits for the reply any more. */
  readonly cancelled: Int32Array;
}

/** What came of a task. */
export interface VerifyReply {
  readonly found: readonly FileHits[];
  /** Number of matching lines of each file that has any, in order. */
  readonly counts: readonly (readonly [path: string, hits: number])[];
  readonly skipped: readonly (readonly [path: string, reason: SkipReason])[];
  /** The first file that is not finished, and how far it is. */
  readonly next: number;
  readonly after: number;
}

/** Files that are read whatever is in them: a buffer has to hold them. */
const MOST_BYTES = 1024 * 1024 * 1024;

let buffer = Buffer.allocUnsafe(1 << 20);

/** Looks into files until the time slice or the number of hits is used up. */
export function verify(matcher: Matcher, task: VerifyTask): VerifyReply {
  const deadline = performance.now() + task.sliceMs;
  const found: FileHits[] = [];
  const counts: [string, number][] = [];
  const skipped: [string, SkipReason][] = [];
  let total = 0;
  for (const [index, file] of task.files.entries()) {
    if (index > 0 && (performance.now() > deadline || Atomics.load(task.cancelled, 0) !== 0))
      return { found, counts, skipped, next: index, after: 0 };
    const limits = { after: index === 0 ? task.after : 0, most: task.maxHits - total, deadline };
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

/** What decides how a file is read. */
export interface ReadTask {
  readonly root: string;
  readonly lines: Pick<LineStyle, 'before' | 'after'> | undefined;
  /** Read files whatever is in them. */
  readonly everything?: boolean | undefined;
}

export interface Content {
  /** What was read of the file, beginning at byte `offset` of it; valid until the next is asked for. */
  readonly bytes: Buffer;
  readonly offset: number;
  readonly spans: readonly Span[];
}

/** Reads the parts that have to be looked at, one after the other. */
export function* contents(task: ReadTask, file: VerifyFile, after: number): Generator<Content | SkipReason> {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(`${task.root}/${file.path}`, 'r');
    let { size, spans } = file;
    if (spans === undefined || task.lines !== undefined) {
      const now = fstatSync(descriptor);
      if (!now.isFile()) return;
      // The index knows another state of the file: look at all of it.
      if (now.size !== size || now.mtimeMs !== file.mtimeMs) spans = undefined;
      size = now.size;
    }
    const everything = task.everything ?? false;
    if (size > (everything ? MOST_BYTES : MAX_FILE_BYTES)) yield 'too_large';
    else if (spans === undefined) yield whole(textOf(read(descriptor, 0, size)), everything);
    else if (task.lines !== undefined && task.lines.before + task.lines.after > 0) {
      const text = textOf(read(descriptor, 0, size));
      yield text.converted ? whole(text, false) : { ...text, spans };
    } else yield* parts(descriptor, size, after > 0 ? spans.filter((span) => span.to > after) : spans);
  } catch {
    // Gone or forbidden since the walk: then nothing in it is on disk for us at this moment.
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function whole({ bytes, offset }: FileText, everything: boolean): Content | SkipReason {
  return (
    (everything ? undefined : skipReason(bytes)) ?? {
      bytes,
      offset,
      spans: [{ from: offset, to: offset + bytes.length, line: 1 }],
    }
  );
}

/** Spans that touch are read together. */
function* parts(descriptor: number, size: number, spans: readonly Span[]): Generator<Content | SkipReason> {
  for (let first = 0; first < spans.length; ) {
    let last = first;
    while (spans[last + 1]?.from === spans[last]?.to) last++;
    const from = spans[first]?.from ?? 0;
    const to = spans[last]?.to ?? 0;
    const bytes = read(descriptor, from, to - from);
    const shorter = bytes.length < to - from;
    const text = from === 0 || shorter ? textOf(shorter ? read(descriptor, 0, size) : bytes) : undefined;
    // Not as the index knows it, or not in the encoding of the file.
    if (text !== undefined && (shorter || text.converted)) {
      yield whole(text, false);
      return;
    }
    yield { bytes, offset: from, spans: spans.slice(first, last + 1) };
    first = last + 1;
  }
}

function read(descriptor: number, from: number, length: number): Buffer {
  if (length > buffer.length) buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, buffer, done, length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
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
  /** Until there are so many hits. */
  readonly most: number;
  /** Until this moment, looked at between spans. */
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
    for (const span of content.spans) {
      if (span.to <= limits.after) continue;
      if (searched && performance.now() > limits.deadline) {
        result.stoppedAt = span.from;
        return result;
      }
      searchSpan(matcher, task, content, span, limits, result);
      if (result.stoppedAt !== undefined) return result;
      searched = true;
    }
  }
  return result;
}

function searchSpan(
  matcher: Matcher,
  task: VerifyTask,
  { bytes, offset }: Content,
  span: Span,
  { after, most }: Limits,
  result: FileResult,
): void {
  let counted = span.from - offset;
  let { line } = span;
  const from = Math.max(counted, after - offset);
  const part = { from, to: span.to - offset, texts: span.texts };
  scanLines(matcher, bytes, part, (start, end) => {
    if (matchesOnlySecret(matcher, bytes.subarray(start, end))) return true;
    result.count++;
    if (task.lines !== undefined) {
      line += countLines(bytes, counted, start);
      counted = start;
      result.hits.push(makeHit(matcher, bytes, start, end, line, task.lines));
    }
    if (result.count < most) return true;
    result.stoppedAt = end + 1 + offset;
    return false;
  });
}

function makeHit(
  matcher: Matcher,
  bytes: Buffer,
  from: number,
  to: number,
  line: number,
  style: LineStyle,
): Hit {
  const text = bytes.subarray(from, to);
  const cut = text.length > style.length;
  const shown = lineText(text, cut ? matcher.locate(bytes, from, to) : undefined, style);
  const before = linesBefore(bytes, from, style);
  const after = linesAfter(bytes, to, style);
  return {
    line,
    ...shown,
    ...(before.length > 0 ? { before } : {}),
    ...(after.length > 0 ? { after } : {}),
  };
}

function linesBefore(bytes: Buffer, from: number, style: LineStyle): string[] {
  const lines: string[] = [];
  for (let end = from - 1; end >= 0 && lines.length < style.before; ) {
    const start = end === 0 ? 0 : bytes.lastIndexOf(10, end - 1) + 1;
    lines.unshift(contextText(bytes.subarray(start, end), style));
    end = start - 1;
  }
  return lines;
}

function linesAfter(bytes: Buffer, to: number, style: LineStyle): string[] {
  const lines: string[] = [];
  for (let start = to + 1; start < bytes.length && lines.length < style.after; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline === -1 ? bytes.length : newline;
    lines.push(contextText(bytes.subarray(start, end), style));
    start = end + 1;
  }
  return lines;
}
