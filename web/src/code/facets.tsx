import { useEffect, useMemo, useState } from 'preact/hooks';
import { useMany } from '../data/use-many.ts';
import { withQuery } from '../frame/router.ts';
import { countText } from '../ui/format.ts';
import { Skeleton } from '../ui/states.tsx';
import { type CountedFile, type FacetCount, facetsOf } from './facet-counts.ts';
import { type CodeSearch, rankedInput, regexInput } from './search-state.ts';

const ROWS_SHOWN = 8;

/** Counting is a separate search: it waits until typing pauses. */
const SETTLE_MS = 350;

/** The results by repository, folder and language; a click shows only that part. */
export function Facets({ search: asked }: { readonly search: CodeSearch }) {
  const [search, setSearch] = useState(asked);
  const key = JSON.stringify(asked);
  useEffect(() => {
    const timer = setTimeout(() => setSearch(asked), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  const { files, waiting } = useCountedFiles(search);
  const { repositories, folders, languages } = useMemo(() => facetsOf(files), [files]);
  return (
    <nav class="facets" aria-label="Narrow the results">
      {waiting && files.length === 0 && <Skeleton lines={6} />}
      {search.folders.length > 1 && (
        <Group
          title="Repository"
          rows={repositories}
          href={({ value }) => withQuery({ path: value, why: undefined })}
        />
      )}
      {folders.length > 1 && (
        <Group
          title="Folder"
          rows={folders}
          href={({ value }) => withQuery({ path: value, why: undefined })}
        />
      )}
      {(languages.length > 1 || search.language !== undefined) && (
        <Group
          title="Language"
          rows={languages}
          chosen={search.language}
          href={({ value }) =>
            withQuery({ language: value === search.language ? undefined : value, why: undefined })
          }
        />
      )}
    </nav>
  );
}

function Group(props: {
  readonly title: string;
  readonly rows: readonly FacetCount[];
  readonly chosen?: string | undefined;
  readonly href: (row: FacetCount) => string;
}) {
  return (
    <section>
      <h2>{props.title}</h2>
      <ul>
        {props.rows.slice(0, ROWS_SHOWN).map((row) => (
          <li key={row.value}>
            <a
              href={props.href(row)}
              title={row.value}
              class={row.value === props.chosen ? 'facet on' : 'facet'}
              aria-current={row.value === props.chosen ? 'true' : undefined}
            >
              <span class="cut">{row.name}</span>
              <span class="num">{countText(row.count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The files of all results: those of the best 200 places, or of every matching line. */
function useCountedFiles(search: CodeSearch): {
  readonly files: readonly CountedFile[];
  readonly waiting: boolean;
} {
  const { folders, mode } = search;
  const ranked = useMany(
    mode === 'semantic' ? 'semantic_search' : 'hybrid_search',
    mode === 'regex'
      ? []
      : folders.map((path) => ({ ...rankedInput(search), path, limit: 200, include_snippet: false })),
  );
  const exact = useMany(
    'regex_search',
    mode === 'regex'
      ? folders.map((path) => ({ ...regexInput(search), path, limit: 200, output: 'files' as const }))
      : [],
  );
  const files = useMemo(() => {
    const places = ranked.parts.flatMap(({ input, answer }) => {
      const folder = input.path ?? '';
      const root = answer?.data.root ?? folder;
      return (answer?.data.matches ?? []).map(({ path }) => ({ folder, file: `${root}/${path}`, count: 1 }));
    });
    const lines = exact.parts.flatMap(({ input, answer }) => {
      const folder = input.path ?? '';
      const root = answer?.data.root ?? folder;
      return (answer?.data.files ?? []).map(({ path, hits }) => ({
        folder,
        file: `${root}/${path}`,
        count: hits,
      }));
    });
    return [...places, ...lines];
  }, [ranked.parts, exact.parts]);
  return { files, waiting: ranked.loading || exact.loading };
}
