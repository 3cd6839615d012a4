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
  if (ignored) return;
  for (const path of tree.unreadable)
    if (filter.below === '' || path.startsWith(`${filter.below}/`))
      sums.unreadable.add(`${tree.root}/${path}`);
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
};

/** The totals of a search as text, starting like ripgrep's, and what was not searched. */
export function statsText(sums: PrintSums, milliseconds: number): string {
  const counts = new Map<SkipReason, number>();
  for (const reason of sums.skipped.values()) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const files = sums.searched - sums.skipped.size;
  if (sums.unreadable.size > 0)
    counts.set('unreadable', (counts.get('unreadable') ?? 0) + sums.unreadable.size);
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
