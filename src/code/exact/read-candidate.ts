import { closeSync, readSync } from 'node:fs';
import { at } from '../../contract/at.ts';
import { isInPlace, NotOpened, type OpenFile, openUnplaced } from '../../contract/open-file.ts';
import { type FileText, MAX_FILE_BYTES, skipReason, textOf } from '../files/file-content.ts';
import type { SkipReason } from '../files/source-tree.ts';
import type { Span } from '../trigram/trigram-segment.ts';
import type { LineStyle } from './hits.ts';
import type { TextParts } from './secret-line.ts';

/** A file to search. */
export interface VerifyFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** The parts that may match while size and time stay the same; absent for the whole file. */
  readonly spans: readonly Span[] | undefined;
}

/** Larger files do not fit into a buffer, even if everything is searched. */
const MAX_READ_BYTES = 1024 * 1024 * 1024;

let buffer = Buffer.allocUnsafe(1 << 20);
/** For the text around a match, while the search still uses the other buffer. */
let around = Buffer.allocUnsafe(1 << 17);

/** How files are read. */
export interface ReadTask {
  readonly root: string;
  readonly lines: Pick<LineStyle, 'before' | 'after'> | undefined;
  /** Read files whatever they contain. */
  readonly everything?: boolean | undefined;
}

export interface Content {
  /** The bytes that were read, starting at byte `offset` of the file; valid until the next part is read. */
  readonly bytes: Buffer;
  readonly offset: number;
  readonly spans: readonly Span[];
  /**
   * False if a link led elsewhere: then nothing read here may be shown. Checked only for files with something to show,
   * because it costs as much as opening them.
   */
  readonly isInPlace: () => boolean;
  /** The text around it, by offsets in the file. */
  readonly text: TextParts;
}

type Part = Omit<Content, 'isInPlace'>;

/** Reads the parts that have to be searched, one after the other. */
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
    // A file that was deleted since the walk has no matches; any other error may hide one.
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
  // If the file changed since it was indexed, all of it is searched.
  const spans = size === file.size && mtimeMs === file.mtimeMs ? file.spans : undefined;
  if (size > (everything ? MAX_READ_BYTES : MAX_FILE_BYTES)) yield 'too_large';
  else if (spans === undefined) yield whole(textOf(read(fd, 0, size)), everything);
  else if (task.lines !== undefined && task.lines.before + task.lines.after > 0) {
    const text = textOf(read(fd, 0, size));
    yield text.converted ? whole(text, false) : { ...text, spans, text: inMemory(text) };
  } else yield* parts(fd, size, after > 0 ? spans.filter((span) => span.to > after) : spans);
}

/** Whether the file no longer exists; a link or a pipe in its place counts too, as a walk leaves those out. */
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

function onDisk(descriptor: number): TextParts {
  return {
    first: 0,
    read(from, to) {
      if (to - from > around.length) around = Buffer.allocUnsafe(to - from);
      return around.subarray(0, readInto(around, descriptor, from, to - from));
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
    // The file changed since it was indexed, or is in another encoding.
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
