import { useMemo } from 'preact/hooks';
import { partialOf } from '../data/answer-notes.ts';
import type { InputOf } from '../data/operations.ts';
import { usePages } from '../data/use-pages.ts';
import { param, withQuery } from '../frame/router.ts';
import { countOf } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { PartialLine } from '../ui/partial-line.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { aroundMatch, lineOfMatch } from './around-match.ts';
import { CodeText } from './code-text.tsx';
import { ExactNote } from './exact-note.tsx';
import { matchPattern } from './match-pattern.ts';
import { ScoreExplanation } from './score-explanation.tsx';
import { type CodeSearch, rankedInput } from './search-state.ts';
import type { RankedMatch } from './types.ts';

/** A search never has more results than this. */
const MAX_RESULTS = 200;

function bestCount(count: number, hasMore: boolean): string {
  if (count >= MAX_RESULTS) return `Best ${MAX_RESULTS} results`;
  return hasMore ? `${count}+ results` : countOf(count, 'result');
}

/** How much of each match to request. */
export const SNIPPETS = { include_snippet: true, snippet_length: 700 } as const;

/** The best matches for a question or a name. */
export function RankedResults({ search }: { readonly search: CodeSearch }) {
  const operation = search.mode === 'semantic' ? 'semantic_search' : 'hybrid_search';
  const input = { ...rankedInput(search), ...SNIPPETS, path: search.folder, limit: 30 };
  const pages = usePages(operation, input, (data) => data.matches);
  const marks = useMemo(() => matchPattern(search), [search.query, search.mode]);
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
        render={(match) => (
          <RankedRow operation={operation} input={input} root={root} match={match} marks={marks} />
        )}
      />
    </>
  );
}

/** One of the best matches, with its lines. */
export function RankedRow(props: {
  readonly operation: 'hybrid_search' | 'semantic_search';
  /** The search that found it. */
  readonly input: InputOf<'hybrid_search'>;
  readonly root: string;
  readonly match: RankedMatch;
  readonly marks: RegExp | undefined;
  /** Also names the folder, when several are searched. */
  readonly whole?: boolean;
}) {
  const { operation, input, root, match, marks } = props;
  const file = `${root}/${match.path}`;
  const line = String(useMemo(() => lineOfMatch(match, marks), [match, marks]));
  const place = `${props.whole ? file : match.path}:${line}`;
  const why = param('why') === place;
  const open = param('file') === file && param('line') === line;
  return (
    <article class={open ? 'ranked-result on' : 'ranked-result'}>
      <p class="ranked-head">
        <a class="mono cut" href={withQuery({ file, line })} title={file}>
          <MiddleCut text={props.whole ? `${root.split('/').at(-1)}/${match.path}:${line}` : place} />
        </a>
        {match.symbol && (
          <a class="symbol-link cut" href={withQuery({ file, line, symbol: match.symbol })}>
            {match.symbol}
          </a>
        )}
        <span class="spacer" />
        <a class="score-link num" href={withQuery({ why: why ? undefined : place })} aria-expanded={why}>
          {match.score.toFixed(2)} <span class="quiet">Why this result?</span>
        </a>
      </p>
      {why && <ScoreExplanation operation={operation} input={input} path={match.path} score={match.score} />}
      {match.text && <Snippet match={match} text={match.text} marks={marks} />}
    </article>
  );
}

function Snippet(props: {
  readonly match: RankedMatch;
  readonly text: string;
  readonly marks: RegExp | undefined;
}) {
  const { match, text, marks } = props;
  const part = useMemo(() => aroundMatch(text, marks), [text, marks]);
  return (
    <CodeText
      path={match.path}
      text={part.text}
      marks={marks}
      firstLine={(match.text_start ?? match.line_start) + part.skipped}
      block
    />
  );
}
