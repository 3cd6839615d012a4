import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { countOf } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { type MarginLine, useMargin } from './blame-margin.ts';
import { CodeLine } from './code-text.tsx';
import { FileOutline } from './file-outline.tsx';
import { LineOrigin } from './line-origin.tsx';
import { matchPattern } from './match-pattern.ts';
import { nameUnder } from './name-at.ts';
import type { CodeSearch } from './search-state.ts';
import { SymbolPanel } from './symbol-panel.tsx';
import type { FileView } from './types.ts';
import { grammarOf, useHighlight } from './use-highlight.ts';

/** Whether long lines are wrapped; forgotten when the page is closed. */
const wrapped = signal(false);
const toggleWrap = () => {
  wrapped.value = !wrapped.value;
};

/** A file, opened at a line. */
export function Preview(props: { readonly path: string; readonly line: number; readonly query: CodeSearch }) {
  const { path, line } = props;
  // Nearby lines share a window, so that stepping through results does not load the file again.
  const window = Math.floor((line - 1) / 200) * 200 + 100;
  const { answer, error, reload } = useAnswer('file_view', { path, line: Math.max(1, window), lines: 600 });
  const data = answer?.data;
  const symbol = param('symbol');
  const origin = Number(param('origin') ?? Number.NaN);
  const why = param('blame') === 'true';
  return (
    <section class="panel preview" aria-label="File">
      <header class="panel-head">
        <h2 class="mono" title={path}>
          <MiddleCut text={path} />
        </h2>
        <div class="panel-aside">
          {data && <span class="wide-only">{countOf(data.total_lines, 'line')}</span>}
          {data && <FileOutline path={path} />}
          <a
            href={withQuery({ blame: !why, origin: undefined })}
            aria-current={why ? 'true' : undefined}
            title="Which commit and session each line comes from"
          >
            Why
          </a>
          <a href={`${pageLinks.fileHistory(path)}&view=time`}>Sessions</a>
          <a href={pageLinks.path(path)}>Disk</a>
          <button type="button" class="link-button" aria-pressed={wrapped.value} onClick={toggleWrap}>
            Wrap
          </button>
          <a class="wide-only" href={`vscode://file${path}:${line}`} title="Open in VS Code">
            Editor
          </a>
          <CopyButton label="Copy path" text={() => path} />
          <a
            class="button plain icon-only small"
            href={withQuery({ file: undefined, line: undefined, symbol: undefined, origin: undefined })}
            aria-label="Close file"
          >
            <Icon name="close" />
          </a>
        </div>
      </header>
      {error && !data && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={14} />}
      {symbol !== undefined && <SymbolPanel name={symbol} folder={props.query.folder ?? folderOf(path)} />}
      {Number.isFinite(origin) && <LineOrigin path={path} line={origin} />}
      {data && <Source view={data} line={line} query={props.query} why={why} />}
    </section>
  );
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

function Source({
  view,
  line,
  query,
  why,
}: {
  readonly view: FileView;
  readonly line: number;
  readonly query: CodeSearch;
  /** Whether to show where each line comes from. */
  readonly why: boolean;
}) {
  const margin = useMargin(view.path, why);
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
      {margin.error && <p class="hint-line">{margin.error.message}</p>}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the outline and the results lead to names by keyboard */}
      <pre
        class={[why && 'with-margin', wrapped.value && 'wrapped'].filter(Boolean).join(' ') || undefined}
        onClick={(event) => {
          if (getSelection()?.isCollapsed === false || event.target instanceof HTMLAnchorElement) return;
          const name = nameUnder(event);
          if (name !== undefined) go(withQuery({ symbol: name }));
        }}
      >
        {lines.map((tokens, i) => {
          const number = view.first_line + i;
          return (
            <div key={number} data-line={number} class={number === line ? 'source-line on' : 'source-line'}>
              {why && <Margin line={number} margin={margin.lines?.get(number)} top={i === 0} />}
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

/** A line's commit, with a stripe in the colour of its session. */
function Margin({
  line,
  margin,
  top,
}: {
  readonly line: number;
  readonly margin: MarginLine | undefined;
  readonly top: boolean;
}) {
  if (margin === undefined) return <span class="margin" />;
  const { blamed, colour, first } = margin;
  return (
    <span class="margin" style={{ borderColor: colour ?? 'transparent' }}>
      {(first || top) && (
        <a class="cut" href={withQuery({ origin: line })} title={blamed.subject}>
          {blamed.subject ?? 'Not committed yet'}
        </a>
      )}
    </span>
  );
}
