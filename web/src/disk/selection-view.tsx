import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { goFrom, pageLinks } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Bar, Figure } from '../ui/basics.tsx';
import { countText, sizeText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { IndexLink } from './named-links.tsx';

/** A saved selection: its nodes, and a button that plans their clean-up. */
export function SelectionView({ id }: { readonly id: string }) {
  const card = useAnswer('resource_set_get', { selection_id: id });
  const entries = usePages('resource_set_entries', { selection_id: id, limit: 500 }, (data) => data.entries);
  const [problem, setProblem] = useState<string>();
  const [planning, setPlanning] = useState(false);
  const selection = card.answer?.data;
  useTitle(selection?.name);
  if (card.error && !selection)
    return (
      <Failure error={card.error} retry={card.reload}>
        <a href={pageLinks.disk}>Indexes, selections, queries and plans</a>
      </Failure>
    );
  if (selection === undefined) return <Skeleton lines={10} />;
  const report = (error: unknown) => setProblem(error instanceof Error ? error.message : String(error));
  const here = ['disk', 'selections', id];
  const plan = async () => {
    setPlanning(true);
    await call('disk_plan_create', { selection_id: id }).then(
      ({ data }) => goFrom(here, pageLinks.plan(data.plan_id)),
      report,
    );
    setPlanning(false);
  };
  const remove = async (node: string) => {
    await call('resource_set_update', { selection_id: id, remove: [node] }).catch(report);
    card.reload();
    entries.reload();
  };
  return (
    <div class="view fill">
      <div class="view-head">
        <h1>{selection.name}</h1>
        <span class="quiet">
          in <IndexLink index={selection.index_id} />
        </span>
        <span class="spacer" />
        <button type="button" class="button" disabled={planning} onClick={() => void plan()}>
          {planning ? 'Planning…' : 'Plan clean-up'}
        </button>
        <button
          type="button"
          class="button plain"
          onClick={() =>
            void call('resource_set_delete', { selection_id: id }).then(
              () => goFrom(here, pageLinks.disk),
              report,
            )
          }
        >
          Delete selection
        </button>
      </div>
      {problem && <p class="failed">{problem}</p>}
      <dl class="figures">
        <Figure value={sizeText(selection.total_disk_size)} label="on disk" />
        <Figure value={sizeText(selection.freed)} label="freed if deleted" />
        <Figure value={countText(selection.counts.nodes)} label="items" />
        <Figure value={countText(selection.counts.files)} label="files inside" />
        {selection.counts.gone && (
          <Figure value={countText(selection.counts.gone)} label="no longer on disk" tone="warning" />
        )}
      </dl>
      <section class="panel fill-panel" aria-label="Selected items">
        <p class="hint-line">Bars: share of this selection</p>
        {entries.first && entries.rows.length === 0 && <Empty title="This selection is empty." />}
        <VirtualList
          label="Selected items"
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
                aria-label={`Remove ${row.node_id} from the selection`}
                onClick={() => void remove(row.node_id)}
              >
                ×
              </button>
              {'gone' in row ? (
                <span class="quiet">{row.node_id} is no longer on disk</span>
              ) : (
                <a class="mono cut" href={pageLinks.node(selection.index_id, row.node_id)} title={row.path}>
                  <MiddleCut text={row.path} />
                </a>
              )}
              <span class="wide-only" />
              <Bar share={'gone' in row ? 0 : row.disk_size / Math.max(1, selection.total_disk_size)} />
              <span class="num">{'gone' in row ? '' : sizeText(row.disk_size)}</span>
            </div>
          )}
        />
      </section>
    </div>
  );
}
