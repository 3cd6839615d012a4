import { useMemo } from 'preact/hooks';
import { doubtOf, skippedOf } from '../data/answer-notes.ts';
import { usePages } from '../data/use-pages.ts';
import { param, withQuery } from '../frame/router.ts';
import { countOf, countText } from '../ui/format.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { CodeText } from './code-text.tsx';
import { matchPattern } from './match-pattern.ts';
import { type CodeSearch, regexInput } from './search-state.ts';
import type { FileHits, Hit } from './types.ts';

/** A file, or a matching line in it. */
export type RegexRow =
  | { readonly kind: 'file'; readonly path: string; readonly count: number; readonly line: number }
  | { readonly kind: 'hit'; readonly path: string; readonly hit: Hit };

/** Every matching line, file by file. */
export function RegexResults({ search }: { readonly search: CodeSearch }) {
  const pages = usePages(
    'regex_search',
    { ...regexInput(search), path: search.folder, limit: 200 },
    (data) => data.matches ?? [],
  );
  const rows = useMemo(() => flat(pages.rows), [pages.rows]);
  const marks = useMemo(() => matchPattern(search), [search.query, search.case, search.word, search.fixed]);
  if (pages.error && (rows.length === 0 || pages.error.code !== 'unreachable'))
    return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  const doubt = doubtOf(pages.first.meta);
  const skipped = skippedOf(pages.first.meta);
  if (rows.length === 0 && !pages.loading)
    return (
      <Empty title={`No matching lines in ${search.folder ?? 'this folder'}.`}>
        {doubt && <p>{doubt}</p>}
        {skipped && <p>Left out: {skipped}</p>}
        <a href={withQuery({ mode: undefined, fixed: undefined })}>Search by meaning instead</a>
      </Empty>
    );
  const root = pages.first.data.root ?? search.folder ?? '';
  const hits = pages.total ?? pages.rows.reduce((sum, file) => sum + file.hits.length, 0);
  return (
    <>
      <p class="result-count quiet" role="status">
        {pages.total === undefined && pages.hasMore
          ? `${countText(hits)}+ matches`
          : countOf(hits, 'match', 'matches')}
        , {String(pages.first.meta.ms ?? 0)} ms{doubt && `. ${doubt}`}
        {skipped && `. Left out: ${skipped}`}
      </p>
      <VirtualList
        label="Matches"
        class="entry-list"
        rows={rows}
        keyOf={(row) => (row.kind === 'file' ? row.path : `${row.path}:${row.hit.line}`)}
        rowHeight={26}
        onEnd={pages.more}
        render={(row) => <HitRow row={row} root={root} marks={marks} rev={search.rev} />}
      />
    </>
  );
}

/** A row of the list; paths are relative to the root. */
export function HitRow(props: {
  readonly row: RegexRow;
  readonly root: string;
  readonly marks: RegExp | undefined;
  readonly whole?: boolean;
  /** The commit that was searched; its lines may no longer be in the files, so they are not links. */
  readonly rev: string | undefined;
}) {
  const { row, root } = props;
  const file = `${root}/${row.path}`;
  if (row.kind === 'file') {
    const name = (
      <>
        {props.whole && <span class="quiet">{root.split('/').at(-1)}/</span>}
        {row.path} <span class="quiet">{row.count}</span>
      </>
    );
    return props.rev === undefined ? (
      <a class="file-row mono" href={withQuery({ file, line: row.line })}>
        {name}
      </a>
    ) : (
      <p class="file-row mono">{name}</p>
    );
  }
  const line = (
    <>
      <span class="line-number">{row.hit.line}</span>
      <CodeText path={row.path} text={row.hit.text ?? ''} marks={props.marks} />
      {row.hit.in !== undefined && <span class="hit-in mono quiet wide-only">{row.hit.in}</span>}
    </>
  );
  if (props.rev !== undefined) return <div class="hit-row">{line}</div>;
  const open = param('file') === file && param('line') === String(row.hit.line);
  return (
    <a class={open ? 'hit-row on' : 'hit-row'} href={withQuery({ file, line: row.hit.line })}>
      {line}
    </a>
  );
}

/** The files of an answer, each followed by its lines. */
export function flat(files: readonly FileHits[]): RegexRow[] {
  const rows: RegexRow[] = [];
  for (const { path, hits } of files) {
    const last = rows.at(-1);
    // The matches of a file may continue on the next page.
    if (last?.path !== path) rows.push({ kind: 'file', path, count: hits.length, line: hits[0]?.line ?? 1 });
    for (const hit of hits) rows.push({ kind: 'hit', path, hit });
  }
  return rows;
}
