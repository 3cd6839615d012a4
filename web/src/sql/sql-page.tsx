import { useEffect, useState } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Panel } from '../ui/basics.tsx';
import { countOf, countText } from '../ui/format.ts';
import { MoreRows } from '../ui/more-rows.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { EXAMPLES } from './sql-examples.ts';
import './sql.css';

/** One statement over sessions, code and disk, and its table. */
export default function SqlPage() {
  useTitle(undefined);
  const query = param('q') ?? '';
  const [text, setText] = useState(query);
  useEffect(() => setText(query), [query]);
  const run = () => go(withQuery({ q: text.trim() }));
  return (
    <div class="view">
      <h1 class="hidden-text">SQL</h1>
      <form
        class="sql-form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <textarea
          class="field mono sql-text"
          aria-label="SQL statement"
          placeholder="SELECT … FROM sessions"
          spellcheck={false}
          rows={Math.min(14, Math.max(4, text.split('\n').length + 1))}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            run();
          }}
        />
        <div class="toolbar">
          <button type="submit" class="button primary">
            Run
          </button>
          <span class="quiet wide-only">
            Ctrl Enter runs it. SQLite, read only; sessions, code and disk are tables.
          </span>
        </div>
      </form>
      {query === '' ? <Start /> : <Table key={query} query={query} />}
    </div>
  );
}

function Start() {
  const tables = useAnswer('sql', { query: TABLES });
  const rows = tables.answer?.data.rows ?? [];
  return (
    <div class="grid">
      <Panel title="Examples">
        <ul class="rows fact-list">
          {EXAMPLES.map(({ title, query }) => (
            <li key={title}>
              <a href={pageLinks.sql(query)}>{title}</a>
              <span />
              <code class="under cut">{query.replace(/\s+/g, ' ')}</code>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="Tables">
        {!tables.answer && !tables.error && <Skeleton lines={8} />}
        {tables.error && <Failure error={tables.error} />}
        <ul class="rows fact-list">
          {rows.map(([name, columns]) => (
            <li key={name}>
              <a class="mono" href={pageLinks.sql(`SELECT * FROM ${name} LIMIT 50`)}>
                {name}
              </a>
              <span />
              <span class="under mono">{columns}</span>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

/** Every table with its columns, from the table that lists them. */
const TABLES = `SELECT "table", group_concat("column", ', ') FROM tables GROUP BY 1`;

function Table({ query }: { readonly query: string }) {
  const pages = usePages('sql', { query, limit: 200 }, (data) => data.rows);
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={12} />;
  const { columns, notes, further, error, unread } = pages.first.data;
  const tables = [{ columns, rows: pages.rows, error, unread }, ...(further ?? [])];
  return (
    <>
      {notes?.map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
      {tables.map((table, i) => (
        <Panel key={i} title={table.error ?? rowsText(table.rows.length, i === 0 && pages.hasMore)}>
          {table.unread !== undefined && <p class="quiet">{table.unread}</p>}
          {table.rows.length === 0 && table.error === undefined && <Empty title="No rows." />}
          {table.rows.length > 0 && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table must be scrollable with the keyboard
            <section class="scroll-x" tabIndex={0} aria-label="Rows">
              <table class="table sql-table">
                <thead>
                  <tr>
                    {table.columns.map((name, at) => (
                      <th key={at} class={typeof table.rows[0]?.[at] === 'number' ? 'num' : undefined}>
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {table.rows.map((row, at) => (
                    <tr key={at}>
                      {row.map((cell, column) => (
                        <td key={column} class={typeof cell === 'number' ? 'num' : undefined}>
                          <Cell name={table.columns[column] ?? ''} value={cell} />
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </Panel>
      ))}
      <MoreRows pages={pages} />
    </>
  );
}

/** Sessions and files link to their pages. */
function Cell({ name, value }: { readonly name: string; readonly value: string | number | null }) {
  const text = String(value ?? '');
  if (/^(session|session_id)$/.test(name) && text !== '') return <a href={pageLinks.session(text)}>{text}</a>;
  if (/^(path|file)$/.test(name) && text.startsWith('/')) return <a href={pageLinks.path(text)}>{text}</a>;
  return <>{text}</>;
}

function rowsText(rows: number, hasMore: boolean): string {
  return hasMore ? `${countText(rows)}+ rows` : countOf(rows, 'row');
}
