import { useRef } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import { countOf, sizeText } from '../ui/format.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Capacity } from './capacity.tsx';
import { EntryList } from './entry-list.tsx';
import { goToPath } from './go-to-path.ts';
import { Legend } from './legend.tsx';
import { selection, toggle } from './selection.ts';
import type { ColourBy } from './treemap/colours.ts';
import { Treemap } from './treemap/treemap.tsx';
import type { FolderScope } from './types.ts';

const BY = [
  ['type', 'Type'],
  ['age', 'Age'],
] as const;

/** The folder as a map, with a list of its entries beside it. */
export function MapTab({ scope, words }: { readonly scope: FolderScope; readonly words: string }) {
  const { index, node, filter } = scope;
  const by: ColourBy = param('by') === 'age' ? 'age' : 'type';
  const map = useAnswer('disk_treemap', { index_id: index, under: node, filter });
  const data = map.answer?.data;
  const chosen = selection();
  const hrefOf = (id: string) => pageLinks.node(index, id, { f: words, by: param('by'), sel: param('sel') });
  const out = () => {
    const up = scope.path.slice(0, scope.path.lastIndexOf('/'));
    void goToPath(index, up === '' ? '/' : up);
  };

  return (
    <div class="map-tab">
      <div class="map-main">
        <div class="map-box">
          {map.error && !data && <Failure error={map.error} retry={map.reload} />}
          {!data && !map.error && <div class="treemap skeleton-box" />}
          {data && (data.sizes[0] ?? 0) === 0 && <Empty title="No files match the filter." />}
          {data && (data.sizes[0] ?? 0) > 0 && (
            <Treemap
              data={data}
              by={by}
              selected={chosen}
              onOpen={(id) => go(hrefOf(id))}
              onOut={out}
              onSelect={toggle}
            />
          )}
        </div>
        <div class="map-foot">
          <Choice
            label="Colour by"
            options={BY}
            value={by}
            onChange={(value) => go(withQuery({ by: value === 'type' ? undefined : value }))}
          />
          <Legend by={by} words={words} />
        </div>
      </div>
      <section class="panel map-side" aria-label="Entries of this folder">
        <FolderEntries scope={scope} hrefOf={hrefOf} chosen={chosen} />
      </section>
    </div>
  );
}

function FolderEntries(props: {
  readonly scope: FolderScope;
  readonly hrefOf: (id: string) => string;
  readonly chosen: ReadonlySet<string>;
}) {
  const { index, node, filter } = props.scope;
  const pages = usePages(
    'disk_tree',
    { index_id: index, parent: node, filter, limit: 500 },
    (data) => data.entries,
  );
  const filtered = filter !== undefined;
  // The label changes together with the figures: both stay until the new answer arrives.
  const shownFiltered = useRef(filtered);
  if (pages.current) shownFiltered.current = filtered;
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  if (pages.rows.length === 0)
    return <Empty title={shownFiltered.current ? 'No files match the filter.' : 'This folder is empty.'} />;
  const { total_disk_size, total_files } = pages.first.data;
  const largest = pages.rows[0];
  return (
    <>
      <EntryList
        entries={pages.rows}
        total={Math.max(1, largest?.disk_size ?? largest?.size ?? 1)}
        selected={props.chosen}
        onSelect={toggle}
        onEnd={pages.more}
        hrefOf={(entry) => props.hrefOf(entry.node_id ?? node)}
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
