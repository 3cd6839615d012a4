import type { SourceFile } from '../files/source-tree.ts';
import type { BuildReport, Stamp } from './build-segment.ts';
import type { Manifest } from './semantic-manifest.ts';

/** A batch of files and its result. */
export interface BatchResult {
  readonly report: BuildReport;
  readonly batch: readonly SourceFile[];
  /** File names of the segments it made. */
  readonly segments: readonly string[];
}

/** The manifest after a batch was read; `isIndexed` says whether segments have something of a file that is not gone. */
export function withBatch(
  manifest: Manifest,
  { report, batch, segments }: BatchResult,
  syntax: boolean,
  isIndexed: (path: string) => boolean,
): Manifest {
  const read = new Set(batch.map(({ path }) => path));
  const stamps = new Map<string, Stamp>(batch.map(({ path, size, mtimeMs }) => [path, [size, mtimeMs]]));
  const skipped = Object.entries(report.skipped).map(
    ([path, one]) =>
      [
        path,
        { ...one, stamp: one.reason === 'unreadable' ? (stamps.get(path) ?? one.stamp) : one.stamp },
      ] as const,
  );
  return {
    ...manifest,
    segments: [...manifest.segments, ...segments],
    // A file with nothing to index may have had something before, or before it was deleted.
    gone: [
      ...manifest.gone.filter((path) => !read.has(path) || Object.hasOwn(report.skipped, path)),
      ...Object.keys(report.skipped).filter(isIndexed),
    ],
    touched: withMore(except(manifest.touched, read), Object.entries(report.same)),
    skipped: withMore(except(manifest.skipped, read), skipped),
    syntax: manifest.segments.length === 0 ? syntax : manifest.syntax && syntax,
  };
}

/** The manifest after the files of some segments were read again into those of `fresh`. */
export function withMerged(manifest: Manifest, merged: ReadonlySet<string>, fresh: Manifest): Manifest {
  return {
    ...manifest,
    segments: [...manifest.segments.filter((name) => !merged.has(name)), ...fresh.segments],
    gone: [...new Set([...manifest.gone, ...fresh.gone])],
    skipped: { ...manifest.skipped, ...fresh.skipped },
  };
}

/** The manifest after files were deleted. */
export function withoutFiles(
  manifest: Manifest,
  forget: ReadonlySet<string>,
  removed: readonly string[],
): Manifest {
  return {
    ...manifest,
    gone: [...new Set([...manifest.gone, ...removed])],
    touched: except(manifest.touched, forget),
    skipped: except(manifest.skipped, forget),
  };
}

/** The same object if there is nothing to add, so that what was made of it can stay. */
function withMore<T>(
  of: Readonly<Record<string, T>>,
  entries: readonly (readonly [string, T])[],
): Readonly<Record<string, T>> {
  return entries.length === 0 ? of : { ...of, ...Object.fromEntries(entries) };
}

function except<T>(of: Readonly<Record<string, T>>, paths: ReadonlySet<string>): Readonly<Record<string, T>> {
  // A large tree has thousands of them, and an edit changes none.
  if (![...paths].some((path) => path in of)) return of;
  return Object.fromEntries(Object.entries(of).filter(([path]) => !paths.has(path)));
}
