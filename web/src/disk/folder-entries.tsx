import { useRef } from 'preact/hooks';
import { usePages } from '../data/use-pages.ts';
import { countOf, sizeText } from '../ui/format.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Capacity } from './capacity.tsx';
import { entriesInput } from './disk-questions.ts';
import { EntryList } from './entry-list.tsx';
import { toggle } from './selection.ts';
import type { Entry, FolderScope } from './types.ts';

/** The entries of a folder, largest first, with the size of the folder and of its disk. */
export function FolderEntries(props: {
  readonly scope: FolderScope;
  readonly hrefOf: (id: string) => string;
  readonly chosen: ReadonlySet<string>;
  /** The entry being viewed. */
  readonly current?: string | undefined;
}) {
  const { index, filter } = props.scope;
  const pages = usePages('disk_tree', entriesInput(props.scope), (data) => data.entries);
  const filtered = filter !== undefined;
  // The label changes together with the figures: both stay until the new answer arrives.
  const shownFiltered = useRef(filtered);
  if (pages.current) shownFiltered.current = filtered;
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  if (pages.rows.length === 0)
    return <Empty title={shownFiltered.current ? 'No files match the filter.' : 'This folder is empty.'} />;
  const { total_disk_size, total_files } = pages.first.data;
  // The index sorts by apparent size; the list shows the size on disk.
  const entries = [...pages.rows].sort((a, b) => onDisk(b) - onDisk(a));
  return (
    <>
      <EntryList
        entries={entries}
        total={total_disk_size}
        selected={props.chosen}
        current={props.current}
        onSelect={toggle}
        onEnd={pages.more}
        hrefOf={(entry) => props.hrefOf(entry.node_id ?? '')}
      />
      <p class="map-total">
        <strong>{sizeText(total_disk_size)}</strong>{' '}
        <span class="quiet">
          {shownFiltered.current ? 'match the filter' : 'on disk'}, {countOf(total_files, 'file')}
        </span>
      </p>
      <Capacity index={index} used={total_disk_size} />
    </>
  );
}

function onDisk({ disk_size, size }: Entry): number {
  return disk_size ?? size ?? 0;
}
