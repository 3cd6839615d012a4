import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type FileText, MAX_FILE_BYTES, skipReason, textOf } from '../files/content.ts';
import type { SkipReason } from '../files/source-tree.ts';
import type { Span } from '../trigram/segment.ts';
import type { LineStyle } from './hits.ts';

/** A file to look into. */
export interface VerifyFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** The parts that may match while size and time are these; all of it without. */
  readonly spans: readonly Span[] | undefined;
}

/** Files that are read whatever is in them: a buffer has to hold them. */
const MOST_BYTES = 1024 * 1024 * 1024;

let buffer = Buffer.allocUnsafe(1 << 20);

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
  } catch (error) {
    // Gone since the walk: then nothing in it is on disk at this moment. Anything else may hide a match.
    if (!isGone(error)) yield 'unreadable';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
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
