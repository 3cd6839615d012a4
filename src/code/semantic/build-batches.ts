import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbedderChoice } from '../embed/open-embedder.ts';
import type { SourceFile } from '../files/source-tree.ts';
import { batches } from './batches.ts';
import type { BatchResult } from './manifest-change.ts';
import type { KnownFile } from './searcher.ts';
import type { MeaningThreads } from './threads.ts';

export type OnProgress = (done: number, total: number) => void;

export interface BuildOptions {
  readonly root: string;
  /** Where segments go. */
  readonly folder: string;
  readonly embedder: EmbedderChoice;
  readonly threads: MeaningThreads['index'];
  readonly syntax: boolean;
  /** What the index has already. */
  readonly known?: Readonly<Record<string, KnownFile>>;
  /** Words of the question that waits, whose files come first. */
  readonly words?: ReadonlySet<string>;
  readonly progress?: OnProgress;
  /** Asked before each batch. */
  readonly stopped: () => boolean;
  /** Called after each batch; the next one of that thread waits for it. */
  readonly done: (result: BatchResult) => Promise<void>;
}

/** Builds segments from files, batch by batch, with all given threads; true when there was anything to read. */
export async function buildBatches(files: readonly SourceFile[], options: BuildOptions): Promise<boolean> {
  const { root, folder, embedder, syntax, known = {}, words = new Set(), progress } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const queue = batches(files, words);
  let read = 0;
  const work = async (thread: (typeof options.threads)[number]): Promise<void> => {
    for (let batch = queue.shift(); batch !== undefined && !options.stopped(); batch = queue.shift()) {
      const name = `${randomUUID()}.seg`;
      const paths = batch.map(({ path }) => path);
      const hashes = paths.flatMap((path) => (known[path] === undefined ? [] : [[path, known[path].hash]]));
      const report = await thread.call('build', {
        root,
        paths,
        known: Object.fromEntries(hashes),
        file: join(folder, name),
        syntax,
        embedder,
      });
      read += batch.length;
      progress?.(read, files.length);
      await options.done({ report, batch, segments: report.files > 0 ? [name] : [] });
    }
  };
  await Promise.all(options.threads.slice(0, Math.max(1, queue.length)).map(work));
  return read > 0;
}
