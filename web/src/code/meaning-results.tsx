import { useMemo } from 'preact/hooks';
import { countOf } from '../../../src/contract/people.ts';
import { usePages } from '../data/use-pages.ts';
import { href, param, withQuery } from '../frame/router.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { CodeText } from './code-text.tsx';
import { marker } from './marker.ts';
import type { CodeSearch } from './search-state.ts';
import type { MeaningMatch, MeaningMatches } from './types.ts';
import { WhyHere } from './why-here.tsx';

/** The best places for a question or a name. */
export function MeaningResults({ search }: { readonly search: CodeSearch }) {
  const query = {
    mode: search.mode,
    query: search.query,
    path: search.folder,
    glob: search.glob,
    language: search.language,
    limit: 30,
    snippet_length: 700,
  };
  const address = '/api/code/search';
  const pages = usePages<MeaningMatches, MeaningMatch>(href(address, query), (data) => data.matches);
  const marks = useMemo(() => marker(search), [search.query, search.mode]);
  const why = param('why');
  if (pages.error && (pages.rows.length === 0 || pages.error.code !== 'unreachable'))
    return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  if (pages.rows.length === 0 && !pages.loading)
    return <Empty title={`Nothing in ${search.folder ?? 'this folder'} fits.`} />;
  const root = pages.first.data.root ?? search.folder ?? '';
  return (
    <>
      <p class="result-count quiet" role="status">
        {countOf(pages.total ?? pages.rows.length, 'place')}, {String(pages.first.meta.ms ?? 0)} ms
      </p>
      <VirtualList
        label="Places"
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
            <article class={open ? 'place on' : 'place'}>
              <p class="place-head">
                <a class="mono cut" href={withQuery({ file, line: match.line_start })}>
                  {match.path}:{match.line_start}
                </a>
                {match.symbol && <strong class="cut">{match.symbol}</strong>}
                {match.in && <span class="quiet cut">in {match.in}</span>}
                <span class="spacer" />
                <a
                  class="score-link num"
                  href={withQuery({ why: why === place ? undefined : place })}
                  aria-expanded={why === place}
                >
                  {match.score.toFixed(2)} <span class="quiet">why here</span>
                </a>
              </p>
              {why === place && (
                <WhyHere
                  url={href(address, { ...query, format: 'explain' })}
                  path={match.path}
                  line={match.line_start}
                />
              )}
              {match.text && <CodeText path={match.path} text={match.text} marks={marks} block />}
            </article>
          );
        }}
      />
    </>
  );
}
