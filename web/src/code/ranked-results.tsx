import { useMemo } from 'preact/hooks';
import { partialOf } from '../data/answer-notes.ts';
import { usePages } from '../data/use-pages.ts';
import { param, withQuery } from '../frame/router.ts';
import { countOf } from '../ui/format.ts';
import { PartialLine } from '../ui/partial-line.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { CodeText } from './code-text.tsx';
import { ExactNote } from './exact-note.tsx';
import { matchPattern } from './match-pattern.ts';
import { ScoreExplanation } from './score-explanation.tsx';
import type { CodeSearch } from './search-state.ts';

/** A search keeps only so many results, whatever it is for. */
const MOST_RESULTS = 200;

function bestCount(count: number, hasMore: boolean): string {
  if (count >= MOST_RESULTS) return `Best ${MOST_RESULTS} results`;
  return hasMore ? `${count}+ results` : countOf(count, 'result');
}

/** The best matches for a question or a name. */
export function RankedResults({ search }: { readonly search: CodeSearch }) {
  const operation = search.mode === 'semantic' ? 'semantic_search' : 'hybrid_search';
  const input = {
    query: search.query,
    path: search.folder,
    glob: search.glob === undefined ? undefined : [search.glob],
    language: search.language,
    limit: 30,
    include_snippet: true,
    snippet_length: 700,
  };
  const pages = usePages(operation, input, (data) => data.matches);
  const marks = useMemo(() => matchPattern(search), [search.query, search.mode]);
  const why = param('why');
  if (pages.error && (pages.rows.length === 0 || pages.error.code !== 'unreachable'))
    return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  const partial = partialOf(pages.first.meta);
  if (pages.rows.length === 0 && (partial !== undefined || !pages.loading))
    return partial === undefined ? (
      <Empty title={`No matches in ${search.folder ?? 'this folder'}.`} />
    ) : (
      <PartialLine partial={partial} loading={pages.loading} reload={pages.reload} />
    );
  const root = pages.first.data.root ?? search.folder ?? '';
  return (
    <>
      <p class="result-count quiet" role="status">
        {bestCount(pages.total ?? pages.rows.length, pages.total === undefined && pages.hasMore)},{' '}
        {String(pages.first.meta.ms ?? 0)} ms
      </p>
      {partial && <PartialLine partial={partial} loading={pages.loading} reload={pages.reload} />}
      <ExactNote search={search} />
      <VirtualList
        label="Results"
        class="entry-list"
        rows={pages.rows}
        keyOf={(match) => `${match.path}:${match.line_start}`}
        rowHeight={150}
        onEnd={pages.more}
        render={(match) => {
          const file = `${root}/${match.path}`;
          const place = `${match.path}:${match.line_start}`;
          const open = param('file') === file && param('line') === String(match.line_start);
          return (
            <article class={open ? 'ranked-result on' : 'ranked-result'}>
              <p class="ranked-head">
                <a class="mono cut" href={withQuery({ file, line: match.line_start })}>
                  {match.path}:{match.line_start}
                </a>
                {match.symbol && <strong class="cut">{match.symbol}</strong>}
                <span class="spacer" />
                <a
                  class="score-link num"
                  href={withQuery({ why: why === place ? undefined : place })}
                  aria-expanded={why === place}
                >
                  {match.score.toFixed(2)} <span class="quiet">Why this result?</span>
                </a>
              </p>
              {why === place && (
                <ScoreExplanation operation={operation} input={input} path={match.path} score={match.score} />
              )}
              {match.text && (
                <CodeText
                  path={match.path}
                  text={match.text}
                  marks={marks}
                  firstLine={match.text_start ?? match.line_start}
                  block
                />
              )}
            </article>
          );
        }}
      />
    </>
  );
}
