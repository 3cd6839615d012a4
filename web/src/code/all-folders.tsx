import { useMemo, useState } from 'preact/hooks';
import { partialOf } from '../data/answer-notes.ts';
import { useMany } from '../data/use-many.ts';
import { countOf, countText } from '../ui/format.ts';
import { PartialLine } from '../ui/partial-line.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { matchPattern } from './match-pattern.ts';
import { RankedRow, SNIPPETS } from './ranked-results.tsx';
import { flat, HitRow } from './regex-results.tsx';
import { type CodeSearch, rankedInput, regexInput } from './search-state.ts';

/** To see all results of a folder, search that folder alone. */
const RESULTS_PER_FOLDER = 30;
const LINES_PER_FOLDER = 200;

/** Results from all folders in one list: the best ones first, or every line folder by folder. */
export function AllFolders(props: EverywhereProps) {
  return props.search.mode === 'regex' ? <AllLines {...props} /> : <AllRanked {...props} />;
}

interface EverywhereProps {
  readonly search: CodeSearch;
  /** Folders that have no index for code yet. */
  readonly leftOut: readonly string[];
}

/** Which folders are searched, and which are not. */
function Where({ search, leftOut }: EverywhereProps) {
  return (
    <>
      in {countOf(search.folders.length, 'folder')}
      {leftOut.length > 0 && (
        <span title={leftOut.join('\n')}>
          ; {countOf(leftOut.length, 'folder')} not indexed for code yet: choose one to search it
        </span>
      )}
    </>
  );
}

function AllRanked({ search, leftOut }: EverywhereProps) {
  const operation = search.mode === 'semantic' ? 'semantic_search' : 'hybrid_search';
  const [asked, setAsked] = useState(0);
  const { parts, loading } = useMany(
    operation,
    search.folders.map((path) => ({ ...rankedInput(search), ...SNIPPETS, path, limit: RESULTS_PER_FOLDER })),
    asked,
  );
  const marks = useMemo(() => matchPattern(search), [search.query, search.mode]);
  const rows = useMemo(
    () =>
      parts
        .flatMap(({ input, answer }) =>
          (answer?.data.matches ?? []).map((match) => ({
            input: { ...rankedInput(search), ...SNIPPETS, path: input.path, limit: RESULTS_PER_FOLDER },
            root: answer?.data.root ?? input.path ?? '',
            match,
          })),
        )
        .sort((a, b) => b.match.score - a.match.score),
    [parts],
  );
  const failed = parts.find(({ error }) => error !== undefined);
  const partial = parts.flatMap(({ answer }) => (answer && partialOf(answer.meta)) ?? []);
  if (rows.length === 0 && failed?.error !== undefined && !loading) return <Failure error={failed.error} />;
  if (rows.length === 0 && loading) return <Skeleton lines={14} />;
  if (rows.length === 0 && partial.length === 0)
    return <Empty title={`No matches in ${countOf(search.folders.length, 'folder')}.`} />;
  return (
    <>
      <p class="result-count quiet" role="status">
        Best {countText(rows.length)} <Where search={search} leftOut={leftOut} />
        {loading && ', searching…'}
      </p>
      {partial[0] && (
        <PartialLine partial={partial[0]} loading={loading} reload={() => setAsked((n) => n + 1)} />
      )}
      <VirtualList
        label="Results"
        class="entry-list"
        rows={rows}
        keyOf={({ root, match }) => `${root}/${match.path}:${match.line_start}`}
        rowHeight={150}
        onEnd={() => {}}
        render={({ input, root, match }) => (
          <RankedRow operation={operation} input={input} root={root} match={match} marks={marks} whole />
        )}
      />
    </>
  );
}

function AllLines({ search, leftOut }: EverywhereProps) {
  const { parts, loading } = useMany(
    'regex_search',
    search.folders.map((path) => ({ ...regexInput(search), path, limit: LINES_PER_FOLDER })),
  );
  const marks = useMemo(() => matchPattern(search), [search.query, search.case, search.word, search.fixed]);
  const rows = useMemo(
    () =>
      parts.flatMap(({ input, answer }) =>
        flat(answer?.data.matches ?? []).map((row) => ({
          root: answer?.data.root ?? input.path ?? '',
          row,
        })),
      ),
    [parts],
  );
  const failed = parts.find(({ error }) => error !== undefined);
  const more = parts.some(({ answer }) => answer?.pagination?.has_more);
  if (rows.length === 0 && failed?.error !== undefined && !loading) return <Failure error={failed.error} />;
  if (rows.length === 0 && loading) return <Skeleton lines={14} />;
  const lines = rows.filter(({ row }) => row.kind === 'hit').length;
  if (lines === 0)
    return <Empty title={`No matching lines in ${countOf(search.folders.length, 'folder')}.`} />;
  return (
    <>
      <p class="result-count quiet" role="status">
        {more
          ? `First ${countText(lines)} matches; choose a folder to see all of its matches`
          : countOf(lines, 'match', 'matches')}{' '}
        <Where search={search} leftOut={leftOut} />
        {loading && ', searching…'}
      </p>
      <VirtualList
        label="Matches"
        class="entry-list"
        rows={rows}
        keyOf={({ root, row }) => `${root}/${row.path}${row.kind === 'file' ? '' : `:${row.hit.line}`}`}
        rowHeight={26}
        onEnd={() => {}}
        render={({ root, row }) => <HitRow row={row} root={root} marks={marks} rev={search.rev} whole />}
      />
    </>
  );
}
