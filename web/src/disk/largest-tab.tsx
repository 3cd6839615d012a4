import { usePages } from '../data/use-pages.ts';
import { go, place, withQuery } from '../frame/router.ts';
import { Bar, Choice } from '../ui/basics.tsx';
import { sizeText } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { ChoosablePath } from './choosable-path.tsx';
import { largestInput, ORDERS } from './disk-questions.ts';
import { NoFiles } from './no-files.tsx';
import type { FolderScope } from './types.ts';

/** The largest or the oldest files in the folder. */
export function LargestTab({ scope }: { readonly scope: FolderScope }) {
  const { filter } = scope;
  const input = largestInput(scope, place.value);
  const { by } = input;
  const pages = usePages('disk_largest', input, (data) => data.files);
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  if (pages.rows.length === 0) return <NoFiles filtered={filter !== undefined} />;
  const largest = Math.max(1, ...pages.rows.map((row) => row.disk_size));
  return (
    <section class="panel fill-panel" aria-label={by === 'age' ? 'Oldest files' : 'Largest files'}>
      <div class="toolbar panel-head">
        <Choice
          label="Order"
          options={ORDERS}
          value={by}
          onChange={(order) => go(withQuery({ order: order === 'disk_size' ? undefined : order }))}
        />
        <span class="quiet">Bars: size, to the scale of the largest file listed</span>
      </div>
      <VirtualList
        label={by === 'age' ? 'Oldest files' : 'Largest files'}
        class="entry-list"
        rows={pages.rows}
        keyOf={(row) => row.node_id}
        rowHeight={30}
        onEnd={pages.more}
        render={(row) => (
          <div class="report-row">
            <ChoosablePath scope={scope} row={row} />
            <span class="quiet num wide-only">{row.modified_at}</span>
            <Bar share={row.disk_size / largest} />
            <span class="num">{sizeText(row.disk_size)}</span>
          </div>
        )}
      />
    </section>
  );
}
