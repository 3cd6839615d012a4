import { useState } from 'preact/hooks';
import type { DataOf } from '../data/operations.ts';
import { useAnswer } from '../data/use-answer.ts';
import { go, pageLinks } from '../frame/router.ts';
import { Badge, Bar, Panel } from '../ui/basics.tsx';
import { countOf, countText, sizeText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { filterText } from './filter-words.ts';

/** All indexes, selections, queries and plans, and a field that opens any folder. */
export function DiskHome() {
  const [path, setPath] = useState('');
  const indexes = useAnswer('disk_indexes', {}, { every: 5_000 });
  const cards = indexes.answer?.data.indexes ?? [];
  const roots = new Map(cards.map(({ index_id, root }) => [index_id, root]));
  const selections = useAnswer('resource_set_list', { limit: 100 }).answer?.data.selections ?? [];
  const largest = Math.max(1, ...cards.map((card) => card.disk_size));
  return (
    <div class="view">
      <div class="view-head">
        <h1>Disk</h1>
        <form
          class="toolbar path-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (path !== '') go(pageLinks.path(path, { scan: true }));
          }}
        >
          <input
            class="field wide mono"
            aria-label="Folder to open"
            placeholder="/home/me or ~"
            value={path}
            onInput={(event) => setPath(event.currentTarget.value)}
          />
          <button type="submit" class="button">
            Map this folder
          </button>
        </form>
      </div>
      <Panel title="Indexed folders">
        {indexes.error && !indexes.answer && <Failure error={indexes.error} retry={indexes.reload} />}
        {!indexes.answer && !indexes.error && <Skeleton lines={4} />}
        {indexes.answer && cards.length === 0 && (
          <Empty title="No folder is indexed yet.">
            <p>
              A scan takes a few seconds for a million files. It finds the size, type and age of everything in
              the folder.
            </p>
            <a class="button" href={pageLinks.path('~', { scan: true })}>
              Map your home folder
            </a>
          </Empty>
        )}
        {cards.length > 0 && (
          <table class="table">
            <thead>
              <tr>
                <th>folder</th>
                <th class="num">on disk</th>
                <th class="wide-only">size, to the same scale</th>
                <th class="num wide-only">files</th>
                <th class="num">scanned</th>
              </tr>
            </thead>
            <tbody>
              {cards.map((card) => (
                <tr key={card.index_id}>
                  <td class="mono cut">
                    <a href={pageLinks.index(card.index_id)} aria-label={card.root}>
                      <MiddleCut text={card.root} />
                    </a>{' '}
                    {card.imported && <Badge>imported</Badge>}
                  </td>
                  <td class="num">{sizeText(card.disk_size)}</td>
                  <td class="wide-only">
                    <Bar share={card.disk_size / largest} />
                  </td>
                  <td class="num wide-only">{countText(card.files)}</td>
                  <td class="num quiet">{card.scanned_at ? <Ago at={card.scanned_at} /> : 'scanning'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Panel>
      <div class="grid">
        <Selections selections={selections} roots={roots} />
        <Queries />
        <Plans selections={selections} />
      </div>
    </div>
  );
}

interface SelectionList {
  readonly selections: DataOf<'resource_set_list'>['selections'];
}

/** The name of a query's result when nobody has named it. */
const UNNAMED = 'result';

/** Selections that somebody named; query results are listed separately, because agents make many of them. */
function Selections({ selections, roots }: SelectionList & { readonly roots: ReadonlyMap<string, string> }) {
  const named = selections.filter(({ name }) => name !== UNNAMED);
  const results = selections.filter(({ name }) => name === UNNAMED);
  return (
    <Panel title="Selections">
      {named.length === 0 && (
        <p class="hint-line">Select boxes or rows in an index, then save the selection.</p>
      )}
      <SelectionRows selections={named} roots={roots} />
      {results.length > 0 && (
        <details class="query-results">
          <summary>{countOf(results.length, 'result')} of queries that nobody named</summary>
          <SelectionRows selections={results} roots={roots} />
        </details>
      )}
    </Panel>
  );
}

function SelectionRows({
  selections,
  roots,
}: SelectionList & { readonly roots: ReadonlyMap<string, string> }) {
  return (
    <ul class="rows fact-list">
      {selections.map((selection) => (
        <li key={selection.selection_id}>
          <a href={pageLinks.selection(selection.selection_id)} class="cut">
            {selection.name === UNNAMED ? `Result ${selection.selection_id}` : selection.name}
          </a>
          <span class="num">{sizeText(selection.total_disk_size)}</span>
          <span class="under">
            {countOf(selection.counts.nodes, 'item')} in {roots.get(selection.index_id) ?? selection.index_id}
            , <Ago at={selection.updated_at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Queries() {
  const { answer } = useAnswer('query_list', { limit: 20 });
  const queries = answer?.data.queries ?? [];
  return (
    <Panel title="Saved queries">
      {queries.length === 0 && <p class="hint-line">Filter an index, then save the filter as a query.</p>}
      <ul class="rows fact-list">
        {queries.map((query) => (
          <li key={query.query_id}>
            <a href={pageLinks.query(query.query_id)} class="cut">
              {query.name}
            </a>
            <span />
            <span class="under cut" title={query.filter_summary}>
              {filterText(query.filter_summary)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Plans({ selections }: SelectionList) {
  const { answer } = useAnswer('disk_plans', { limit: 20 });
  const plans = answer?.data.plans ?? [];
  if (plans.length === 0) return null;
  return (
    <Panel title="Clean-up plans">
      <ul class="rows fact-list">
        {plans.map((plan) => (
          <li key={plan.plan_id}>
            <a href={pageLinks.plan(plan.plan_id)} class="cut">
              {selections.find(({ selection_id }) => selection_id === plan.selection_id)?.name ??
                `Plan ${plan.plan_id}`}
            </a>
            <span class="num">{sizeText(plan.freed)}</span>
            <span class="under">
              {plan.status === 'planned' ? 'draft' : plan.status}, {countOf(plan.items, 'item')}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
