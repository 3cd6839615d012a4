import { fileFilter } from '../exact/file-filter.ts';
import type { SearchTarget } from '../exact/search-target.ts';
import type { SkipReason, SourceFile } from '../files/source-tree.ts';
import { unfilteredFiles } from '../files/unfiltered-files.ts';
import type { PrintQuery, PrintSums } from './print-search.ts';

/** Records every file in the scope of a search, and which of them the index leaves out. */
export function noteFiles({ filter, ignored }: PrintQuery, target: SearchTarget, sums: PrintSums): void {
  const { tree, index } = target;
  const admits = fileFilter(filter);
  for (const file of ignored ? unfiltered(tree.root, filter.below, admits) : tree.files.values()) {
    if (!admits(file)) continue;
    sums.searched++;
    const reason = filter.everything || filter.below === file.path ? undefined : index.skipOf(file.path);
    if (reason !== undefined) sums.skipped.set(`${tree.root}/${file.path}`, reason);
  }
  // It is not known where in the tree these are.
  if (filter.below === '' && !ignored) sums.walks.set(tree.root, tree.skipped);
}

function* unfiltered(
  root: string,
  below: string,
  admits: (file: SourceFile) => boolean,
): Generator<SourceFile> {
  for (const { file } of unfilteredFiles(root, below, admits)) yield file;
}

const REASON_TEXTS: Readonly<Record<SkipReason, string>> = {
  binary: 'binary',
  minified: 'minified',
  too_large: 'too large',
  unreadable: 'unreadable',
  worktree: 'linked worktrees',
};

const REASONS: readonly SkipReason[] = ['binary', 'minified', 'too_large', 'unreadable', 'worktree'];

/** The totals of a search as text, starting like ripgrep's, and what was not searched. */
export function statsText(sums: PrintSums, milliseconds: number): string {
  const counts = new Map<SkipReason, number>();
  for (const reason of sums.skipped.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const files = sums.searched - sums.skipped.size;
  for (const skipped of sums.walks.values())
    for (const reason of REASONS)
      if (skipped[reason] !== undefined) counts.set(reason, (counts.get(reason) ?? 0) + skipped[reason]);
  const left = [...counts].map(([reason, count]) => `${count} ${REASON_TEXTS[reason]}`);
  return [
    '',
    `${sums.lines} matched lines`,
    `${sums.files} files contained matches`,
    `${files} files searched`,
    `${(milliseconds / 1000).toFixed(6)} seconds total`,
    `not searched: ${left.length === 0 ? 'nothing but ignored files' : left.join(', ')}`,
    '',
  ].join('\n');
}
