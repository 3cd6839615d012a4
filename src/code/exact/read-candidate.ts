import { closeSync, readSync } from 'node:fs';
import { at } from '../../contract/at.ts';
import { isInPlace, NotOpened, type OpenFile, openUnplaced } from '../../contract/open-file.ts';
import { type FileText, MAX_FILE_BYTES, skipReason, textOf } from '../files/file-content.ts';
import type { SkipReason } from '../files/source-tree.ts';
import type { Span } from '../trigram/trigram-segment.ts';
import type { LineStyle } from './hits.ts';
import type { TextParts } from './secret-line.ts';

/** A file to look into. */
export interface VerifyFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** The parts that may match while size and time are these; all of it without. */
  readonly spans: readonly Span[] | undefined;
}

/** Files that are read whatever is in them: a buffer has to hold them. */
const MAX_READ_BYTES = 1024 * 1024 * 1024;

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
  /**
   * False when a link led elsewhere: then nothing of this may be told. Asked only for files with something to tell,
   * since it costs as much as opening them.
   */
  readonly isInPlace: () => boolean;
  /** The text around it, by bytes of the file. */
  readonly text: TextParts;
}

type Part = Omit<Content, 'isInPlace'>;

/** Reads the parts that have to be looked at, one after the other. */
export function* contents(task: ReadTask, file: VerifyFile, after: number): Generator<Content | SkipReason> {
  const path = `${task.root}/${file.path}`;
  let open: OpenFile | undefined;
  try {
    open = openUnplaced(path, 'exact');
    const opened = open;
    const inPlace = () => isInPlace(opened.fd, path, 'exact');
    for (const part of partsOf(opened, task, file, after))
      yield typeof part === 'string' ? part : { ...part, isInPlace: inPlace };
  } catch (error) {
    // Gone since the walk: then nothing in it is on disk at this moment. Anything else may hide a match.
    if (!isGone(error)) yield 'unreadable';
  } finally {
    if (open !== undefined) closeSync(open.fd);
  }
}

function* partsOf(
  { fd, stats: { size, mtimeMs } }: OpenFile,
  task: ReadTask,
  file: VerifyFile,
  after: number,
): Generator<Part | SkipReason> {
  const everything = task.everything ?? false;
  // Where the index knows another state of the file, all of it is looked at.
  const spans = size === file.size && mtimeMs === file.mtimeMs ? file.spans : undefined;
  if (size > (everything ? MAX_READ_BYTES : MAX_FILE_BYTES)) yield 'too_large';
  else if (spans === undefined) yield whole(textOf(read(fd, 0, size)), everything);
  else if (task.lines !== undefined && task.lines.before + task.lines.after > 0) {
    const text = textOf(read(fd, 0, size));
    yield text.converted ? whole(text, false) : { ...text, spans, text: inMemory(text) };
  } else yield* parts(fd, size, after > 0 ? spans.filter((span) => span.to > after) : spans);
}

/** A link or a pipe in the place of the file is no file any more: a walk would leave it out. */
export function isGone(error: unknown): boolean {
  if (error instanceof NotOpened) return error.why !== 'size';
  return error instanceof Error && 'code' in error && GONE.has(String(error.code));
}

const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);

function whole(text: FileText, everything: boolean): Part | SkipReason {
  const { bytes, offset } = text;
  return (
    (everything ? undefined : skipReason(bytes)) ?? {
      bytes,
      offset,
      spans: [{ from: offset, to: offset + bytes.length, line: 1 }],
      text: inMemory(text),
    }
  );
}

function inMemory({ bytes, offset }: Pick<FileText, 'bytes' | 'offset'>): TextParts {
  return { first: offset, read: (from, to) => bytes.subarray(from - offset, to - offset) };
}

/** Reads into a buffer of its own: what was read of the file for a search is still looked at. */
function onDisk(descriptor: number): TextParts {
  return {
    first: 0,
    read(from, to) {
      const bytes = Buffer.allocUnsafe(to - from);
      return bytes.subarray(0, readInto(bytes, descriptor, from, to - from));
    },
  };
}

/** Spans that touch are read together. */
function* parts(descriptor: number, size: number, spans: readonly Span[]): Generator<Part | SkipReason> {
  for (let first = 0; first < spans.length; ) {
    let last = first;
    while (spans[last + 1]?.from === spans[last]?.to) last++;
    const from = at(spans, first).from;
    const to = at(spans, last).to;
    const bytes = read(descriptor, from, to - from);
    const shorter = bytes.length < to - from;
    const text = from === 0 || shorter ? textOf(shorter ? read(descriptor, 0, size) : bytes) : undefined;
    // Not as the index knows it, or not in the encoding of the file.
    if (text !== undefined && (shorter || text.converted)) {
      yield whole(text, false);
      return;
    }
    yield { bytes, offset: from, spans: spans.slice(first, last + 1), text: onDisk(descriptor) };
    first = last + 1;
  }
}

function read(descriptor: number, from: number, length: number): Buffer {
  if (length > buffer.length) buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readInto(buffer, descriptor, from, length));
}

function readInto(into: Buffer, descriptor: number, from: number, length: number): number {
  let done = 0;
  while (done < length) {
    const count = readSync(descriptor, into, done, length - done, from + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
