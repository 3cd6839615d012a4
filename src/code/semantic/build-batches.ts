import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EmbedderChoice } from '../embed/open-embedder.ts';
import type { Batch } from './file-queue.ts';
import { emptyManifest, type Manifest } from './semantic-manifest.ts';
import { type BatchResult, withBatch } from './semantic-manifest-change.ts';
import type { SemanticThreads } from './semantic-threads.ts';

export interface BuildOptions {
  readonly root: string;
  /** Where segments go. */
  readonly folder: string;
  readonly embedder: EmbedderChoice;
  readonly threads: SemanticThreads['index'];
  readonly syntax: boolean;
  /** The hash of what the index already has of a file. */
  readonly hashOf?: (path: string) => string | undefined;
  /** Called after each batch; the thread waits for it before the next one. */
  readonly done: (result: BatchResult) => Promise<void>;
}

/** Builds segments, batch by batch, with the given threads, until there are no more batches. */
export async function buildBatches(next: () => Batch | undefined, options: BuildOptions): Promise<void> {
  const { root, folder, embedder, syntax, hashOf = () => undefined } = options;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const work = async (thread: (typeof options.threads)[number]): Promise<void> => {
    for (let batch = next(); batch !== undefined; batch = next()) {
      const name = `${randomUUID()}.seg`;
      const paths = batch.files.map(({ path }) => path);
      const hashes = paths.flatMap((path) => {
        const hash = hashOf(path);
        return hash === undefined ? [] : [[path, hash] as const];
      });
      const report = await thread.call('build', {
        root,
        paths,
        known: Object.fromEntries(hashes),
        file: join(folder, name),
        syntax,
        urgent: batch.urgent,
        embedder,
      });
      await options.done({ report, batch: batch.files, segments: report.files > 0 ? [name] : [] });
    }
  };
  await Promise.all(options.threads.map(work));
}

interface ManifestOptions extends Omit<BuildOptions, 'threads' | 'done' | 'hashOf'> {
  readonly threads: SemanticThreads;
  readonly model: string;
}

/** The manifest of an index with nothing but these batches, built on one thread. */
export async function buildManifest(
  next: () => Batch | undefined,
  { model, threads, ...options }: ManifestOptions,
): Promise<Manifest> {
  let fresh: Manifest = { ...emptyManifest(model), syntax: options.syntax };
  const done = async (result: BatchResult): Promise<void> => {
    // Segments of the index in use may have any of them.
    fresh = withBatch(fresh, result, options.syntax, () => true);
  };
  await buildBatches(next, { ...options, threads: threads.index.slice(-1), done });
  return fresh;
}
