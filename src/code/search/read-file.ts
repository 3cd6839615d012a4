import { closeSync, readSync } from 'node:fs';
import { isInPlace, NotOpened, type OpenFile, openUnplaced } from '../../contract/open-file.ts';
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
  /**
   * False when a link led elsewhere: then nothing of this may be told. Asked only for files with something to tell,
   * since it costs as much as opening them.
   */
  readonly isInPlace: () => boolean;
}

/** Reads the parts that have to be looked at, one after the other. */
export function* contents(task: ReadTask, file: VerifyFile, after: number): Generator<Content | SkipReason> {
  const path = `${task.root}/${file.path}`;
  let open: OpenFile | undefined;
  try {
    open = openUnplaced(path, 'exact');
    const reading: Reading = { fd: open.fd, isInPlace: isInPlace.bind(undefined, open.fd, path, 'exact') };
    const { size, mtimeMs } = open.stats;
    const everything = task.everything ?? false;
    // Where the index knows another state of the file, all of it is looked at.
    const spans = size === file.size && mtimeMs === file.mtimeMs ? file.spans : undefined;
    if (size > (everything ? MOST_BYTES : MAX_FILE_BYTES)) yield 'too_large';
    else if (spans === undefined) yield whole(reading, textOf(read(open.fd, 0, size)), everything);
    else if (task.lines !== undefined && task.lines.before + task.lines.after > 0) {
      const text = textOf(read(open.fd, 0, size));
      yield text.converted
        ? whole(reading, text, false)
        : { bytes: text.bytes, offset: text.offset, spans, isInPlace: reading.isInPlace };
    } else yield* parts(reading, size, after > 0 ? spans.filter((span) => span.to > after) : spans);
  } catch (error) {
    // Gone since the walk: then nothing in it is on disk at this moment. Anything else may hide a match.
    if (!isGone(error)) yield 'unreadable';
  } finally {
    if (open !== undefined) closeSync(open.fd);
  }
}

interface Reading extends Pick<Content, 'isInPlace'> {
  readonly fd: number;
}

/** A link or a pipe in the place of the file is no file any more: a walk would leave it out. */
export function isGone(error: unknown): boolean {
  if (error instanceof NotOpened) return error.why !== 'size';
  return error instanceof Error && 'code' in error && GONE.has(String(error.code));
}

const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);

function whole(
  { isInPlace }: Reading,
  { bytes, offset }: FileText,
  everything: boolean,
): Content | SkipReason {
  return (
    (everything ? undefined : skipReason(bytes)) ?? {
      bytes,
      offset,
      spans: [{ from: offset, to: offset + bytes.length, line: 1 }],
      isInPlace,
    }
  );
}

/** Spans that touch are read together. */
function* parts(reading: Reading, size: number, spans: readonly Span[]): Generator<Content | SkipReason> {
  const { fd, isInPlace } = reading;
  for (let first = 0; first < spans.length; ) {
    let last = first;
    while (spans[last + 1]?.from === spans[last]?.to) last++;
    const from = spans[first]?.from ?? 0;
    const to = spans[last]?.to ?? 0;
    const bytes = read(fd, from, to - from);
    const shorter = bytes.length < to - from;
    const text = from === 0 || shorter ? textOf(shorter ? read(fd, 0, size) : bytes) : undefined;
    // Not as the index knows it, or not in the encoding of the file.
    if (text !== undefined && (shorter || text.converted)) {
      yield whole(reading, text, false);
      return;
    }
    yield { bytes, offset: from, spans: spans.slice(first, last + 1), isInPlace };
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
