import { join } from 'node:path';
import { readStart } from '../../contract/open-file.ts';
import type { Embedder } from '../embed/embedder.ts';
import { type EmbedderChoice, openEmbedder } from '../embed/open-embedder.ts';
import { MAX_FILE_BYTES } from '../files/file-content.ts';
import type { SkipReason } from '../files/source-tree.ts';
import { languageOf } from '../languages.ts';
import { createSymbolReader, type SymbolReader } from '../symbols/extract/symbol-reader.ts';
import { BuildTurns, type Pause } from './build-turns.ts';
import { indexableText } from './indexable-text.ts';
import { contentHash, SegmentBuilder } from './semantic-segment-builder.ts';
import { writeSegment } from './semantic-segment-writer.ts';

/** What an indexing thread builds. */
export interface BuildOrder {
  readonly root: string;
  readonly paths: readonly string[];
  /** Hashes of what the index already has, by path; the same content is not indexed again. */
  readonly known: Readonly<Record<string, string>>;
  readonly file: string;
  /** Cut along syntax, which is slower but exact. */
  readonly syntax: boolean;
  /** A search waits for it, so builds that are not urgent pause. */
  readonly urgent: boolean;
  readonly embedder: EmbedderChoice;
}

/** Size and time of a file. */
export type Stamp = readonly [size: number, mtimeMs: number];

export interface BuildReport {
  readonly files: number;
  readonly chunks: number;
  readonly bytes: number;
  /** Files whose content is already in the index, with their new stamps. */
  readonly same: Readonly<Record<string, Stamp>>;
  /** Files with nothing to index, and why. */
  readonly skipped: Readonly<Record<string, { readonly reason: SkipReason; readonly stamp: Stamp }>>;
}

let embedder: Promise<Embedder> | undefined;

const turns = new BuildTurns();

/** Opens the model while the caller still finds out which files there are. */
export async function warm(choice: EmbedderChoice): Promise<void> {
  embedder ??= openEmbedder(choice);
  await embedder;
}

/** Reads files, cuts and embeds them, and writes a segment. */
export function buildSegment(order: BuildOrder): Promise<BuildReport> {
  return turns.run(order.urgent, (pause) => build(order, pause));
}

async function build(order: BuildOrder, pause: Pause): Promise<BuildReport> {
  embedder ??= openEmbedder(order.embedder);
  const builder = new SegmentBuilder(
    await embedder,
    order.syntax ? await symbolsFor(order.paths) : undefined,
  );
  const same: Record<string, Stamp> = {};
  const skipped: Record<string, { reason: SkipReason; stamp: Stamp }> = {};
  let files = 0;
  for (const path of order.paths) {
    await pause();
    const read = readFile(join(order.root, path));
    if (read === undefined) {
      skipped[path] = { reason: 'unreadable', stamp: [-1, -1] };
      continue;
    }
    const stamp: Stamp = [read.size, read.mtimeMs];
    const hash = contentHash(read.content);
    if (order.known[path] === hash) {
      same[path] = stamp;
      continue;
    }
    const indexable = indexableText(path, read.content);
    if ('skipped' in indexable) {
      skipped[path] = { reason: indexable.skipped, stamp };
      continue;
    }
    await builder.add({ path, text: indexable.text, hash, size: read.size, mtimeMs: read.mtimeMs });
    files++;
  }
  const { chunks } = builder;
  const bytes = files === 0 ? 0 : writeSegment(order.file, builder.finish());
  return { files, chunks, bytes, same, skipped };
}

/** A reader for all languages of these paths. */
function symbolsFor(paths: readonly string[]): Promise<SymbolReader> {
  return createSymbolReader(new Set(paths.flatMap((path) => languageOf(path) ?? [])));
}

interface ReadFile {
  readonly content: Buffer;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The file as it is now, with its stamp from the same descriptor; undefined if it is deleted, unreadable or a link. */
function readFile(path: string): ReadFile | undefined {
  try {
    // One byte more than allowed is enough to see that it is too large.
    const { bytes: content, stats } = readStart(path, 'exact', MAX_FILE_BYTES + 1);
    return { content, size: stats.size, mtimeMs: stats.mtimeMs };
  } catch {
    return undefined;
  }
}
