import { useState } from 'preact/hooks';
import { countText, sizeText } from '../../../src/contract/people.ts';
import { call } from '../data/client.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Bar, Figure } from '../ui/basics.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import type { NodeRow, PlanCard, SetCard } from './types.ts';

type SetEntry = NodeRow | { readonly node_id: string; readonly gone: true };

/** A saved selection: what is in it, and a plan to clean it up. */
export function SetView({ id }: { readonly id: string }) {
  const card = useAnswer<SetCard>(`/api/resource-sets/${encodeURIComponent(id)}`);
  const entries = usePages<{ readonly entries: readonly SetEntry[] }, SetEntry>(
    `/api/resource-sets/${encodeURIComponent(id)}/entries?limit=500`,
    (data) => data.entries,
  );
  const [problem, setProblem] = useState<string>();
  const set = card.answer?.data;
  useTitle(set?.name);
  if (card.error && !set)
    return (
      <Failure error={card.error} retry={card.reload}>
        <a href="/disk">Indexes, selections, queries and plans</a>
      </Failure>
    );
  if (set === undefined) return <Skeleton lines={10} />;
  const report = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  const plan = () =>
    call<PlanCard>('POST', `/api/resource-sets/${id}/plan`).then(
      ({ data }) => go(`/disk/plans/${data.plan_id}`),
      report,
    );
  const remove = async (node: string) => {
    await call('PATCH', `/api/resource-sets/${id}`, { body: { remove: [node] } }).catch(report);
    card.reload();
    entries.reload();
  };
  const most = Math.max(1, ...entries.rows.map((row) => ('gone' in row ? 0 : row.disk_size)));
  return (
    <div class="view fill">
      <div class="view-head">
        <h1>{set.name}</h1>
        <span class="quiet">
          {set.selection_id} of <a href={`/disk/${set.index_id}`}>{set.index_id}</a>
        </span>
        <span class="spacer" />
        <button type="button" class="button" onClick={() => void plan()}>
          Plan clean-up
        </button>
        <button
          type="button"
          class="button plain"
          onClick={() => void call('DELETE', `/api/resource-sets/${id}`).then(() => go('/disk'), report)}
        >
          Forget selection
        </button>
      </div>
      {problem && <p class="failed">{problem}</p>}
      <dl class="figures">
        <Figure value={sizeText(set.total_disk_size)} label="on disk" />
        <Figure value={sizeText(set.freed)} label="free when removed" />
        <Figure value={countText(set.counts.nodes)} label="nodes" />
        <Figure value={countText(set.counts.files)} label="files in them" />
        {set.counts.gone && <Figure value={countText(set.counts.gone)} label="gone since" tone="warning" />}
      </dl>
      <section class="panel fill-panel" aria-label="Selected">
        {entries.first && entries.rows.length === 0 && <Empty title="This selection is empty." />}
        <VirtualList
          label="Selected"
          class="entry-list"
          rows={entries.rows}
          keyOf={(row) => row.node_id}
          rowHeight={30}
          onEnd={entries.more}
          render={(row) => (
            <div class="report-row">
              <button
                type="button"
                class="button plain small"
                aria-label={`Take ${row.node_id} out`}
                onClick={() => void remove(row.node_id)}
              >
                ×
              </button>
              {'gone' in row ? (
                <span class="quiet">{row.node_id} is gone</span>
              ) : (
                <a class="mono cut" href={`/disk/${set.index_id}/${row.node_id}`} title={row.path}>
                  {row.path}
                </a>
              )}
              <span class="wide-only" />
              <Bar share={'gone' in row ? 0 : row.disk_size / most} />
              <span class="num">{'gone' in row ? '' : sizeText(row.disk_size)}</span>
            </div>
          )}
        />
      </section>
    </div>
  );
}
