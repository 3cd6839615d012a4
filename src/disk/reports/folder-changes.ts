import { dirname } from 'node:path';
import { float64At, uint8At, uint32At } from '../../contract/at.ts';
import { isInside } from '../../contract/roots.ts';
import { type FolderSize, type GenerationHead, goneBetween, sizesAt } from '../indexes/growth-files.ts';
import { isDir, KIND, KIND_MASK } from '../scan/node-kinds.ts';
import type { Span } from '../tree/row-spans.ts';
import type { Tree } from '../tree/tree-columns.ts';
import { folderAt, lowerBound, parentFolder, pathOf, rowOfPath } from '../tree/tree-nodes.ts';
import { folderSize, growthBase, topmost } from './growth-report.ts';

/** What changed in a folder itself; a folder that is new or gone counts with everything below it. */
export interface FolderChange {
  readonly path: string;
  /** Bytes of content more than before. */
  readonly grown: number;
  /** Files more than before. */
  readonly files: number;
  /** Files that are new, and those that are gone. */
  readonly added: number;
  readonly removed: number;
  /** Files that were there before and were modified since. */
  readonly modified: number;
  readonly state?: 'new' | 'gone' | undefined;
}

export type ChangeCounts = Pick<FolderChange, (typeof COUNTS)[number]>;

export interface FolderChanges {
  /** When the earlier scan began; undefined if there is none. */
  readonly since: number | undefined;
  /** All of it together: the folders add up to this. */
  readonly total: ChangeCounts;
  /** Largest change first. */
  readonly folders: readonly FolderChange[];
}

const COUNTS = ['grown', 'files', 'added', 'removed', 'modified'] as const;

/** Several changes together. */
export function sumOfChanges(changes: readonly ChangeCounts[]): ChangeCounts {
  const sum = (of: (typeof COUNTS)[number]) => changes.reduce((all, one) => all + one[of], 0);
  return {
    grown: sum('grown'),
    files: sum('files'),
    added: sum('added'),
    removed: sum('removed'),
    modified: sum('modified'),
  };
}

/** What changed below a folder since a time, or since the last generation that somebody asked for. */
export async function folderChanges(
  growthFolder: string,
  tree: Tree,
  span: Span,
  since: number | undefined,
): Promise<FolderChanges> {
  const { generation } = tree.meta;
  const base = await growthBase(growthFolder, generation, since);
  if (base === undefined || base.generation === generation)
    return { since: base?.scanned_at, total: sumOfChanges([]), folders: [] };
  const before = await sizesAt(growthFolder, base.generation);
  const counted = new ChangeCounter(tree, span, before);
  for (const [id, path] of topmost(await goneBetween(growthFolder, base.generation, generation))) {
    const was = before.get(id);
    if (was !== undefined && isInside(path, pathOf(tree, span.from))) counted.gone(path, was);
  }
  counted.filesSince(base);
  return { since: base.scanned_at, ...counted.result() };
}

/** Splits the change of a tree into the folders where it happened. */
class ChangeCounter {
  readonly #tree: Tree;
  readonly #span: Span;
  readonly #first: number;
  /** By folder, from the first of the span on: the change in the folder itself. */
  readonly #grown: Float64Array;
  readonly #files: Float64Array;
  readonly #modified: Uint32Array;
  /** New files, if that is known. */
  #added: Uint32Array | undefined;
  readonly #new = new Set<number>();
  readonly #gone: FolderChange[] = [];

  constructor(tree: Tree, span: Span, before: ReadonlyMap<number, FolderSize>) {
    this.#tree = tree;
    this.#span = span;
    const { dirRow } = tree;
    this.#first = lowerBound(dirRow, span.from, dirRow.length);
    const count = lowerBound(dirRow, span.to + 1, dirRow.length) - this.#first;
    this.#grown = new Float64Array(count);
    this.#files = new Float64Array(count);
    this.#modified = new Uint32Array(count);
    for (let i = 0; i < count; i++) {
      const folder = this.#first + i;
      const was = before.get(uint32At(tree.id, uint32At(dirRow, folder)));
      const now = folderSize(tree, folder);
      const up = parentFolder(tree, folder);
      if (was === undefined) this.#new.add(folder);
      // What is below a new folder counts there.
      if (was === undefined && i > 0 && this.#new.has(up)) continue;
      const grown = now.size - (was?.size ?? 0);
      const files = now.files - (was?.files ?? 0);
      this.#add(folder, grown, files);
      if (i > 0) this.#add(up, -grown, -files);
    }
  }

  /** A folder that went: its parent, if that is still there, did not shrink itself. */
  gone(path: string, { size, files }: FolderSize): void {
    this.#gone.push({
      path,
      grown: -size,
      files: -files,
      added: 0,
      removed: files,
      modified: 0,
      state: 'gone',
    });
    const row = rowOfPath(this.#tree, dirname(path));
    const folder = row < this.#span.from ? -1 : folderAt(this.#tree, row);
    if (folder >= 0) this.#add(folder, size, files);
  }

  /** Counts files that are new since a generation, which have ids of their own, and files modified since. */
  filesSince({ scanned_at, next_id }: GenerationHead): void {
    const { id, kind, mtime, parent } = this.#tree;
    const { from, to } = this.#span;
    const seconds = Math.ceil(scanned_at / 1000);
    const firstNew = next_id ?? Number.POSITIVE_INFINITY;
    const added = new Uint32Array(this.#modified.length);
    if (next_id !== undefined) this.#added = added;
    for (let row = from; row <= to; row++) {
      if (isDir(uint8At(kind, row))) continue;
      const isNew = uint32At(id, row) >= firstNew;
      const isFile = (uint8At(kind, row) & KIND_MASK) === KIND.file;
      if (!isNew && (!isFile || uint32At(mtime, row) < seconds)) continue;
      const place = this.#topNew(uint32At(parent, row)) - this.#first;
      const counts = isNew ? added : this.#modified;
      if (place >= 0) counts[place] = uint32At(counts, place) + 1;
    }
  }

  result(): Omit<FolderChanges, 'since'> {
    const folders: FolderChange[] = [...this.#gone];
    for (const [i, grown] of this.#grown.entries()) {
      const files = float64At(this.#files, i);
      const modified = uint32At(this.#modified, i);
      const added = Math.max(this.#added?.[i] ?? 0, files, 0);
      if (grown === 0 && files === 0 && modified === 0 && added === 0) continue;
      const folder = this.#first + i;
      const path = pathOf(this.#tree, uint32At(this.#tree.dirRow, folder));
      const state = this.#new.has(folder) ? 'new' : undefined;
      folders.push({ path, grown, files, added, removed: added - files, modified, state });
    }
    folders.sort((a, b) => Math.abs(b.grown) - Math.abs(a.grown) || (a.path < b.path ? -1 : 1));
    return { total: sumOfChanges(folders), folders };
  }

  #add(folder: number, grown: number, files: number): void {
    const place = folder - this.#first;
    if (place < 0 || place >= this.#grown.length) return;
    this.#grown[place] = float64At(this.#grown, place) + grown;
    this.#files[place] = float64At(this.#files, place) + files;
  }

  /** The outermost new folder around a folder, or the folder itself. */
  #topNew(folder: number): number {
    let top = folder;
    for (let up = folder; this.#new.has(up) && up > this.#first; up = parentFolder(this.#tree, up)) top = up;
    return top;
  }
}
