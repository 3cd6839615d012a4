import { useMemo } from 'preact/hooks';
import { usePages } from '../data/use-pages.ts';
import { go, place, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import { countOf, sizeText } from '../ui/format.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { ChoosablePath } from './choosable-path.tsx';
import { AGES, madeAgainInput, untouchedFor } from './disk-questions.ts';
import { commandFor } from './made-again.ts';
import { toggleAll } from './selection.ts';
import type { FolderScope } from './types.ts';

/** Folders that a tool can recreate: caches, packages and builds, largest first, each with its command. */
export function MadeAgainTab({ scope }: { readonly scope: FolderScope }) {
  const untouched = untouchedFor(place.value);
  const pages = usePages('disk_find', madeAgainInput(scope, place.value), (data) => data.nodes);
  const rows = useMemo(() => [...pages.rows].sort((a, b) => b.disk_size - a.disk_size), [pages.rows]);
  if (pages.error && rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  if (rows.length === 0 && untouched === '')
    return (
      <Empty title="Nothing here is known to be made again by a tool.">
        Pinhole knows caches, installed packages, virtual environments and the output of builds.
      </Empty>
    );
  const total = rows.reduce((sum, row) => sum + row.disk_size, 0);
  return (
    <section class="panel fill-panel" aria-label="Can be made again">
      <div class="toolbar panel-head">
        <span>
          <strong>{sizeText(total)}</strong>{' '}
          <span class="quiet">
            in {countOf(rows.length, 'folder')}
            {pages.hasMore && ' so far'} that tools make again
          </span>
        </span>
        <span class="toolbar push">
          <span class="quiet">Unchanged for</span>
          <Choice
            label="Unchanged for"
            options={AGES}
            value={untouched}
            onChange={(value) => go(withQuery({ untouched: value }))}
          />
        </span>
        <button
          type="button"
          class="button small"
          disabled={rows.length === 0}
          onClick={() => toggleAll(rows.map(({ node_id }) => node_id))}
        >
          Select all
        </button>
      </div>
      {rows.length === 0 ? (
        <Empty title="All of these folders changed more recently." />
      ) : (
        <VirtualList
          label="Folders that can be made again"
          class="entry-list"
          rows={rows}
          keyOf={(row) => row.node_id}
          rowHeight={30}
          onEnd={pages.more}
          render={(row) => (
            <div class="report-row made-again-row">
              <ChoosablePath scope={scope} row={row} />
              <Way name={row.path.slice(row.path.lastIndexOf('/') + 1)} />
              <span class="quiet num wide-only">
                <Ago at={row.modified_at} />
              </span>
              <span class="num">{sizeText(row.disk_size)}</span>
            </div>
          )}
        />
      )}
    </section>
  );
}

function Way({ name }: { readonly name: string }) {
  const command = commandFor(name);
  return command === undefined ? (
    <span class="quiet wide-only">fills again by itself</span>
  ) : (
    <code class="cut wide-only" title={command}>
      {command}
    </code>
  );
}
