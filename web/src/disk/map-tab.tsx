import { useMemo, useRef } from 'preact/hooks';
import { countOf, sizeText } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, href, param, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { EntryList } from './entry-list.tsx';
import type { Place } from './index-view.tsx';
import { Legend } from './legend.tsx';
import { selection, toggle } from './selection.ts';
import { toPath } from './to-path.ts';
import { type ColourBy, RANKED } from './treemap/colours.ts';
import { Treemap } from './treemap/treemap.tsx';
import type { Entry, Group, TreemapData, TreePage } from './types.ts';

const BY = [
  ['type', 'Type'],
  ['age', 'Age'],
] as const;

/** The folder as a picture, and beside it as a list. */
export function MapTab({ place, words }: { readonly place: Place; readonly words: string }) {
  const { index, node, filter } = place;
  const base = `/api/indexes/${index}`;
  const by: ColourBy = param('by') === 'age' ? 'age' : 'type';
  const map = useAnswer<TreemapData>(href(`${base}/treemap`, { under: node, filter }));
  const types = useAnswer<{ readonly groups: readonly Group[] }>(`${base}/reports/extensions?limit=30`);
  const groups =
    types.answer?.data.groups.filter(
      (group) => !group.label.startsWith('(f') && !group.label.startsWith('(l'),
    ) ?? [];
  const ranked = useMemo(() => groups.slice(0, RANKED).map((group) => group.label), [types.answer]);
  const data = map.answer?.data;
  const chosen = selection();
  const hrefOf = (id: string) =>
    href(`/disk/${index}/${id}`, { f: words, by: param('by'), sel: param('sel') });
  const out = () => {
    const up = place.path.slice(0, place.path.lastIndexOf('/'));
    void toPath(index, up === '' ? '/' : up);
  };

  return (
    <div class="map-tab">
      <div class="map-main">
        <div class="map-box">
          {map.error && !data && <Failure error={map.error} retry={map.reload} />}
          {!data && !map.error && <div class="treemap skeleton-box" />}
          {data && (data.sizes[0] ?? 0) === 0 && <Empty title="Nothing here passes the filter." />}
          {data && (data.sizes[0] ?? 0) > 0 && (
            <Treemap
              data={data}
              ranked={ranked}
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
          <Legend by={by} ranked={ranked} words={words} />
        </div>
      </div>
      <section class="panel map-side" aria-label="Entries of this folder">
        <FolderEntries place={place} hrefOf={hrefOf} chosen={chosen} />
      </section>
    </div>
  );
}

function FolderEntries(props: {
  readonly place: Place;
  readonly hrefOf: (id: string) => string;
  readonly chosen: ReadonlySet<string>;
}) {
  const { index, node, filter } = props.place;
  const pages = usePages<TreePage, Entry>(
    href(`/api/indexes/${index}/tree`, { parent: node, filter, limit: 500 }),
    (data) => data.entries,
  );
  const filtered = filter !== undefined;
  // Figures keep their words: those of the question before stay until the answer to this one is here.
  const words = useRef(filtered);
  if (pages.current) words.current = filtered;
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={14} />;
  if (pages.rows.length === 0)
    return <Empty title={words.current ? 'Nothing here passes the filter.' : 'This folder is empty.'} />;
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
          {words.current ? 'pass the filter' : 'on disk'}, {countOf(total_files, 'file')}
        </span>
      </p>
    </>
  );
}
