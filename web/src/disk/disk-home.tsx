import { useState } from 'preact/hooks';
import { countOf, countText, sizeText } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import { go, href } from '../frame/router.ts';
import { Badge, Bar, Panel } from '../ui/basics.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import type { IndexCard, PlanCard, QueryCard, SetCard } from './types.ts';

/** All indexes, selections, queries and plans, and a field for any folder. */
export function DiskHome() {
  const [path, setPath] = useState('');
  const indexes = useAnswer<{ readonly indexes: readonly IndexCard[] }>('/api/indexes', { every: 5_000 });
  const cards = indexes.answer?.data.indexes ?? [];
  const most = Math.max(1, ...cards.map((card) => card.disk_size));
  return (
    <div class="view">
      <div class="view-head">
        <h1>Disk</h1>
        <form
          class="toolbar path-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (path !== '') go(href('/disk', { path }));
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
            Open folder
          </button>
        </form>
      </div>
      <Panel title="Indexed folders">
        {indexes.error && !indexes.answer && <Failure error={indexes.error} retry={indexes.reload} />}
        {!indexes.answer && !indexes.error && <Skeleton lines={4} />}
        {indexes.answer && cards.length === 0 && (
          <Empty title="No folder is indexed yet." command="pinhole index ~">
            One scan takes a few seconds for a million files. After it every size, type and age below is
            known.
          </Empty>
        )}
        {cards.length > 0 && (
          <table class="table">
            <thead>
              <tr>
                <th>folder</th>
                <th class="num">on disk</th>
                <th class="wide-only">share</th>
                <th class="num wide-only">files</th>
                <th class="num">scanned</th>
              </tr>
            </thead>
            <tbody>
              {cards.map((card) => (
                <tr key={card.index_id}>
                  <td class="mono cut">
                    <a href={`/disk/${card.index_id}`}>{card.root}</a>{' '}
                    {card.imported && <Badge>imported</Badge>}
                  </td>
                  <td class="num">{sizeText(card.disk_size)}</td>
                  <td class="wide-only">
                    <Bar share={card.disk_size / most} />
                  </td>
                  <td class="num wide-only">{countText(card.files)}</td>
                  <td class="num quiet">{card.scanned_at ? <Ago at={card.scanned_at} /> : 'being made'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Panel>
      <div class="grid">
        <Sets />
        <Queries />
        <Plans />
      </div>
    </div>
  );
}

function Sets() {
  const { answer } = useAnswer<{ readonly sets: readonly SetCard[] }>('/api/resource-sets?limit=20');
  const sets = answer?.data.sets ?? [];
  return (
    <Panel title="Selections">
      {sets.length === 0 && (
        <p class="hint-line">Select boxes or rows of an index, then save them under a name.</p>
      )}
      <ul class="rows knows-list">
        {sets.map((set) => (
          <li key={set.selection_id}>
            <a href={`/disk/sets/${set.selection_id}`} class="cut">
              {set.name}
            </a>
            <span class="num">{sizeText(set.total_disk_size)}</span>
            <span class="under">
              {set.selection_id} of {set.index_id}, {countOf(set.counts.nodes, 'node')},{' '}
              <Ago at={set.updated_at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Queries() {
  const { answer } = useAnswer<{ readonly queries: readonly QueryCard[] }>('/api/queries?limit=20');
  const queries = answer?.data.queries ?? [];
  return (
    <Panel title="Saved queries">
      {queries.length === 0 && <p class="hint-line">Filter an index, then save the filter under a name.</p>}
      <ul class="rows knows-list">
        {queries.map((query) => (
          <li key={query.query_id}>
            <a href={`/disk/queries/${query.query_id}`} class="cut">
              {query.name}
            </a>
            <span class="quiet">{query.query_id}</span>
            <span class="under mono cut">{query.filter_summary}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Plans() {
  const { answer } = useAnswer<{ readonly plans: readonly PlanCard[] }>('/api/plans?limit=20');
  const plans = answer?.data.plans ?? [];
  if (plans.length === 0) return null;
  return (
    <Panel title="Clean-up plans">
      <ul class="rows knows-list">
        {plans.map((plan) => (
          <li key={plan.plan_id}>
            <a href={`/disk/plans/${plan.plan_id}`}>{plan.plan_id}</a>
            <span class="num">{sizeText(plan.freed)}</span>
            <span class="under">
              {plan.status}, {countOf(plan.items, 'item')} of {plan.selection_id}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
