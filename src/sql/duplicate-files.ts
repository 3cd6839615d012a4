import { at } from '../contract/at.ts';
import { countText, sizeText } from '../contract/format.ts';
import { redact } from '../contract/redact.ts';
import { isInside, type Roots } from '../contract/roots.ts';
import type { Disk } from '../disk/disk.ts';
import { spanOfRow, visibleSpans } from '../disk/indexes/index-access.ts';
import type { OpenIndex } from '../disk/indexes/index-catalog.ts';
import { Places } from '../disk/reports/find-duplicates.ts';
import type { Span } from '../disk/tree/row-spans.ts';
import { folderAt, pathOf, rowOfPath } from '../disk/tree/tree-nodes.ts';
import { leastOf } from './least-value.ts';
import type { DuplicateFile } from './query-messages.ts';
import { namedFolders, type Token } from './statement.ts';

/** How long a statement may spend on reading and comparing files. */
const COMPARE_LIMIT_MS = 10_000;
const MAX_DUPLICATES = 50_000;

/** A statement that reads the table `duplicates`. */
export interface DuplicatesQuestion {
  readonly tokens: readonly Token[];
  /** Texts in its comparisons. */
  readonly compared: readonly string[];
}

export interface DuplicatesAnswer {
  readonly duplicates: readonly DuplicateFile[];
  readonly notes: readonly string[];
}

/** The rows of the table `duplicates` for a statement: identical files in the folders it names, largest first. */
export async function duplicateFiles(
  { reports }: Disk,
  opened: readonly OpenIndex[],
  { tokens, compared }: DuplicatesQuestion,
  roots: Roots,
  signal: AbortSignal,
): Promise<DuplicatesAnswer> {
  const local = opened.filter(({ row }) => row.options.imported !== true);
  const folders = namedFolders(compared);
  const parts = local.flatMap((open) => spansOf(open, folders, roots).map((span) => ({ open, span })));
  if (parts.length === 0) return { duplicates: [], notes: [] };
  const least = leastOf(tokens, 'duplicates', 'size') ?? 1;
  const found = await reports.duplicatesIn(parts, least, signal, COMPARE_LIMIT_MS);
  const places = new Places(parts.map(({ open }) => open));
  const files: DuplicateFile[] = [];
  let cut = false;
  for (const { size, rows, digest } of found.groups) {
    if (files.length + rows.length > MAX_DUPLICATES) {
      cut = true;
      break;
    }
    for (const place of rows) {
      const { tree, row } = places.find(place);
      files.push({ path: redact(pathOf(tree, row)), size, copies: rows.length, hash: digest.slice(0, 12) });
    }
  }
  const last = cut ? at(files, files.length - 1).size : found.least;
  return { duplicates: files, notes: cut || found.truncated ? [missingDuplicates(last, cut)] : [] };
}

/**
 * Which duplicates are missing: those below a size, or all if not even the largest were done. `cut`: there are too
 * many.
 */
export function missingDuplicates(least: number, cut: boolean): string {
  const seconds = `${COMPARE_LIMIT_MS / 1000} s`;
  if (!Number.isFinite(least))
    return `duplicates is incomplete: ${seconds} were not enough for the largest files alone. Ask again to go on, or name a smaller folder: where path like '/folder/%'.`;
  const why = cut ? `more than ${countText(MAX_DUPLICATES)} files` : `${seconds} were over`;
  return `duplicates has no files below ${sizeText(least)}: ${why}. Name a folder or a size: where path like '/folder/%' and size > 1e6.`;
}

/** The rows below the given folders that the caller may read; without folders, all rows that the caller may read. */
function spansOf({ tree }: OpenIndex, folders: readonly string[], roots: Roots): readonly Span[] {
  if (folders.length === 0) return visibleSpans(tree, roots);
  const outer = folders.filter((one) => !folders.some((other) => other !== one && isInside(one, other)));
  return visibleSpans(tree, roots).flatMap((visible) =>
    outer.flatMap((folder) => {
      if (isInside(tree.meta.root, folder)) return [visible];
      const row = rowOfPath(tree, folder);
      if (row < 0) return [];
      // A query about one file is really about its duplicates elsewhere.
      if (folderAt(tree, row) < 0) return [visible];
      const { from, to } = spanOfRow(tree, row);
      const span = { from: Math.max(from, visible.from), to: Math.min(to, visible.to) };
      return span.from <= span.to ? [span] : [];
    }),
  );
}
