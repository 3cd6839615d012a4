import { Bar } from '../ui/basics.tsx';
import { countText, sizeText } from '../ui/format.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { VirtualList } from '../ui/virtual-list.tsx';
import { hovered } from './hovered.ts';
import type { Entry, Kind } from './types.ts';

const ICONS: Readonly<Record<Kind, IconName>> = {
  dir: 'folder',
  file: 'file',
  symlink: 'link',
  other: 'file',
};

/** The entries of a folder, one per line, with their sizes as bars. */
export function EntryList(props: {
  readonly entries: readonly Entry[];
  /** The size of the folder, which is a full bar; undefined if folder sizes are not known yet. */
  readonly total: number | undefined;
  readonly hrefOf: (entry: Entry) => string;
  readonly onEnd?: () => void;
  readonly selected?: ReadonlySet<string>;
  readonly onSelect?: (id: string) => void;
  /** The entry being viewed. */
  readonly current?: string | undefined;
}) {
  return (
    <>
      {props.total !== undefined && <EntryHeads />}
      <VirtualList
        label="Entries"
        class="entry-list"
        rows={props.entries}
        keyOf={(entry) => entry.node_id ?? entry.name}
        rowHeight={30}
        {...(props.onEnd ? { onEnd: props.onEnd } : {})}
        render={(entry) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only marks the same entry in the map
          <div
            class={
              entry.node_id !== undefined && hovered.value === entry.node_id ? 'entry-row on' : 'entry-row'
            }
            onMouseEnter={() => {
              hovered.value = entry.node_id;
            }}
            onMouseLeave={() => {
              hovered.value = undefined;
            }}
          >
            {props.onSelect && entry.node_id !== undefined && (
              <input
                type="checkbox"
                aria-label={`Select ${entry.name}`}
                checked={props.selected?.has(entry.node_id) ?? false}
                onChange={() => props.onSelect?.(entry.node_id ?? '')}
              />
            )}
            <Icon name={ICONS[entry.kind]} />
            <a
              href={props.hrefOf(entry)}
              class="cut"
              aria-current={
                entry.node_id !== undefined && entry.node_id === props.current ? 'page' : undefined
              }
            >
              {entry.name}
            </a>
            <span class="quiet num entry-count">
              {entry.counts && props.total !== undefined ? countText(entry.counts.files) : ''}
            </span>
            {props.total === undefined ? (
              <span />
            ) : (
              <Bar share={(entry.disk_size ?? entry.size ?? 0) / Math.max(1, props.total)} />
            )}
            <span class="num">{sizeOf(entry)}</span>
          </div>
        )}
      />
    </>
  );
}

/** Names the figures of the rows below it. */
function EntryHeads() {
  return (
    <div class="entry-heads">
      <div class="entry-row">
        <span class="entry-name">name</span>
        <span class="num entry-count">files</span>
        <span>share</span>
        <span class="num">on disk</span>
      </div>
    </div>
  );
}

function sizeOf(entry: Entry): string {
  const size = entry.disk_size ?? entry.size;
  return size === undefined ? '' : sizeText(size);
}
