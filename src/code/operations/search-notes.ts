import { oneLine } from '../../contract/bytes.ts';
import { countOf } from '../../contract/format.ts';
import type { ExactSearch } from '../exact/exact-query.ts';
import type { FileFilter } from '../exact/file-filter.ts';
import type { HitSyntax } from './hit-rows.ts';
import type { SyntaxSource } from './syntax-source.ts';

/** Says that some files were not parsed, and what their hits lack. */
export function lateNote(
  { late }: Pick<SyntaxSource, 'late'>,
  skip: ReadonlySet<string> = new Set(),
): string | undefined {
  if (late === 0) return undefined;
  const lack =
    skip.size === 0
      ? 'hits there do not name the definition around them'
      : `hits there are included even if they are ${[...skip].join(' or ')}`;
  return `There was no time to parse ${countOf(late, 'file')}; ${lack}.`;
}

/** Why nothing was found: what was searched, or why there was nothing to search. */
export function emptyNote(
  search: Pick<ExactSearch, 'inScope'> & { readonly report: Pick<ExactSearch['report'], 'skipped'> },
  filter: Parameters<typeof noFiles>[0],
  { skip }: Pick<HitSyntax, 'skip'>,
): string {
  const files = search.inScope();
  const { binary = 0, minified = 0, too_large = 0 } = search.report.skipped;
  const more =
    binary + minified + too_large > 0 ? ' Files that were skipped are searched with everything=true.' : '';
  if (files === 0) return noFiles(filter) + more;
  const besides = skip.size > 0 ? ` besides ${[...skip].join(', ')}` : '';
  return `No match in ${countOf(files, 'file')}${besides}.`;
}

/** Why there is no file to search. */
export function noFiles({
  globs,
  below,
  language,
}: Pick<FileFilter, 'globs' | 'below' | 'language'>): string {
  const where = below === '' ? '' : ` in ${oneLine(below)}`;
  if (globs.length === 0)
    return `No ${language === undefined ? 'files' : `${language} files`} to search${where}.`;
  const list = globs.map(oneLine).join(', ');
  const base = below === '' ? 'the root' : `${oneLine(below)} or to the root`;
  return `No file${where} matches glob ${list}; globs are relative to ${base}.`;
}
