import { closeSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenFile, openFile } from '../../contract/open-file.ts';
import { serve } from '../../threads/serve.ts';
import { MAX_FILE_BYTES } from '../files/file-content.ts';
import type { SourceFile } from '../files/source-tree.ts';
import type { BuildTask } from './build-trigram-segments.ts';
import { SegmentWriter } from './trigram-segment-writer.ts';

const writer = new SegmentWriter();
const USUAL_BYTES = 1 << 22;
const buffer = Buffer.allocUnsafeSlow(USUAL_BYTES);

/** Builds a segment; returns its size. */
function build(task: BuildTask): number {
  for (const file of task.files) {
    const read = readFile(task.root, file);
    writer.add(read?.file ?? file, read?.content);
  }
  return writer.write(task.output);
}

const methods = { build };
export type BuildMethods = typeof methods;

serve(methods);

/** The file as it is now, with the times that belong to what was read. */
function readFile(
  root: string,
  { path, hidden }: SourceFile,
): { file: SourceFile; content: Buffer } | undefined {
  let open: OpenFile | undefined;
  try {
    open = openFile(join(root, path), 'exact');
    const { size, mtimeMs, ctimeMs, ino } = open.stats;
    const file: SourceFile = { path, size, mtimeMs, ctimeMs, ino, hidden };
    // One byte more than allowed is enough to see that it is too large.
    const content = readUpTo(open.fd, Math.min(size, MAX_FILE_BYTES + 1));
    return { file, content };
  } catch {
    return undefined;
  } finally {
    if (open !== undefined) closeSync(open.fd);
  }
}

function readUpTo(descriptor: number, size: number): Buffer {
  // Large files are few, so their memory is freed after each.
  const into = size > USUAL_BYTES ? Buffer.allocUnsafeSlow(size) : buffer;
  let done = 0;
  while (done < size) {
    const count = readSync(descriptor, into, done, size - done, done);
    if (count === 0) break;
    done += count;
  }
  return into.subarray(0, done);
}
