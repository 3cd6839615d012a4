import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks, withQuery } from '../frame/router.ts';
import { countOf } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { CodeLine } from './code-text.tsx';
import { matchPattern } from './match-pattern.ts';
import type { CodeSearch } from './search-state.ts';
import type { FileView } from './types.ts';
import { grammarOf, useHighlight } from './use-highlight.ts';

/** A file, opened at a line. */
export function Preview(props: { readonly path: string; readonly line: number; readonly query: CodeSearch }) {
  const { path, line } = props;
  // Nearby lines share a window, so that walking through results does not load the file again.
  const window = Math.floor((line - 1) / 200) * 200 + 100;
  const { answer, error, reload } = useAnswer('file_view', { path, line: Math.max(1, window), lines: 600 });
  const data = answer?.data;
  return (
    <section class="panel preview" aria-label="File">
      <header class="panel-head">
        <h2 class="mono cut" title={path}>
          {path}
        </h2>
        <div class="panel-aside">
          {data && <span class="wide-only">{countOf(data.total_lines, 'line')}</span>}
          <a href={pageLinks.fileHistory(path)}>Sessions</a>
          <a href={pageLinks.path(path)}>Disk</a>
          <a
            class="button plain icon-only small"
            href={withQuery({ file: undefined, line: undefined })}
            aria-label="Close file"
          >
            <Icon name="close" />
          </a>
        </div>
      </header>
      {error && !data && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={14} />}
      {data && <Source view={data} line={line} query={props.query} />}
    </section>
  );
}

function Source({
  view,
  line,
  query,
}: {
  readonly view: FileView;
  readonly line: number;
  readonly query: CodeSearch;
}) {
  const lines = useHighlight(grammarOf(view.path), view.text);
  const marks = useMemo(
    () => (query.query === '' ? undefined : matchPattern(query)),
    [query.query, query.mode, query.case],
  );
  const box = useRef<HTMLElement>(null);
  const after = view.total_lines - view.first_line - lines.length + 1;
  useEffect(() => {
    const target = box.current?.querySelector(`[data-line="${line}"]`);
    target?.scrollIntoView({ block: 'center' });
  }, [view, line]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must be scrollable with the keyboard
    <section ref={box} class="source" tabIndex={0} aria-label="File content">
      {view.first_line > 1 && (
        <p class="source-more">
          <a href={withQuery({ line: view.first_line - 1 })}>
            Show {countOf(view.first_line - 1, 'line')} before
          </a>
        </p>
      )}
      <pre>
        {lines.map((tokens, i) => {
          const number = view.first_line + i;
          return (
            <div key={number} data-line={number} class={number === line ? 'source-line on' : 'source-line'}>
              <span class="line-number">{number}</span>
              <code>
                <CodeLine tokens={tokens} marks={marks} />
              </code>
            </div>
          );
        })}
      </pre>
      {after > 0 && (
        <p class="source-more">
          <a href={withQuery({ line: view.total_lines - after + 1 })}>Show {countOf(after, 'line')} after</a>
        </p>
      )}
    </section>
  );
}
