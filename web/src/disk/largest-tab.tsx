import { usePages } from '../data/use-pages.ts';
import { pageLinks } from '../frame/router.ts';
import { Bar } from '../ui/basics.tsx';
import { sizeText } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { NoFiles } from './no-files.tsx';
import { selection, toggle } from './selection.ts';
import type { FolderScope } from './types.ts';

/** The largest files in the folder. */
export function LargestTab({ scope }: { readonly scope: FolderScope }) {
  const { index, node, filter, path } = scope;
  const pages = usePages(
    'disk_largest',
    { index_id: index, under: node, filter, limit: 200 },
    (data) => data.files,
  );
  const chosen = selection();
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  if (pages.rows.length === 0) return <NoFiles filtered={filter !== undefined} />;
  const largest = Math.max(1, pages.rows[0]?.disk_size ?? 1);
  return (
    <section class="panel fill-panel" aria-label="Largest files">
      <VirtualList
        label="Largest files"
        class="entry-list"
        rows={pages.rows}
        keyOf={(row) => row.node_id}
        rowHeight={30}
        onEnd={pages.more}
        render={(row) => (
          <div class="report-row">
            <input
              type="checkbox"
              aria-label={`Select ${row.path}`}
              checked={chosen.has(row.node_id)}
              onChange={() => toggle(row.node_id)}
            />
            <a href={pageLinks.node(index, row.node_id)} class="mono cut" title={row.path}>
              {row.path.slice(path.length + (path === '/' ? 0 : 1))}
            </a>
            <span class="quiet num wide-only">{row.modified_at}</span>
            <Bar share={row.disk_size / largest} />
            <span class="num">{sizeText(row.disk_size)}</span>
          </div>
        )}
      />
    </section>
  );
}
