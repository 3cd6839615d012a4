import { useAnswer } from '../data/use-answer.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import { Empty, Failure } from '../ui/states.tsx';
import { treemapInput } from './disk-questions.ts';
import { FolderEntries } from './folder-entries.tsx';
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
  const { index } = scope;
  const by: ColourBy = param('by') === 'age' ? 'age' : 'type';
  const map = useAnswer('disk_treemap', treemapInput(scope));
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
          <span class="quiet wide-only">Ctrl-click selects, right click shows more</span>
          <Legend by={by} words={words} />
        </div>
      </div>
      <section class="panel map-side" aria-label="Entries of this folder">
        <FolderEntries scope={scope} hrefOf={hrefOf} chosen={chosen} />
      </section>
    </div>
  );
}
