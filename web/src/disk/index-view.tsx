import { useMemo } from 'preact/hooks';
import { refreshAll } from '../data/client.ts';
import { useLive } from '../data/live.ts';
import { useAnswer } from '../data/use-answer.ts';
import { ended } from '../data/use-jobs.ts';
import { useFreshness } from '../frame/freshness.tsx';
import { go, pageLinks, param, place, withQuery } from '../frame/router.ts';
import { Tabs } from '../ui/basics.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { useTypedText } from '../ui/use-typed-text.ts';
import { AgeTab } from './age-tab.tsx';
import { ROOT_NODE, TABS, tabOf } from './disk-questions.ts';
import { DuplicatesTab } from './duplicates-tab.tsx';
import { FileView } from './file-view.tsx';
import { filterOf } from './filter-words.ts';
import { GrowthTab } from './growth-tab.tsx';
import { LargestTab } from './largest-tab.tsx';
import { MadeAgainTab } from './made-again-tab.tsx';
import { MapTab } from './map-tab.tsx';
import { PathCrumbs } from './path-crumbs.tsx';
import { RescanButton } from './rescan-button.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { FolderScope, NodeDetail } from './types.ts';
import { TypesTab } from './types-tab.tsx';

const DEBOUNCE_MS = 300;

/** An index, opened at one of its nodes. */
export function IndexView({ index, node }: { readonly index: string; readonly node: string | undefined }) {
  const card = useAnswer('disk_index', { index_id: index });
  const root = card.answer?.data.root;
  const facts = useAnswer('inspect', { index_id: index, node_id: node ?? ROOT_NODE });
  // A new scan reloads the map, the tables and their age.
  useLive('job', (job) => {
    if (job.kind === 'disk-index' && job.index_id === index && ended(job)) refreshAll();
  });
  useFreshness('scanned', card.answer?.data.scanned_at);

  const error = card.error ?? facts.error;
  const detail = facts.answer?.data;
  if (error && !detail) {
    return (
      <Failure error={error} retry={facts.reload}>
        <a href={pageLinks.disk}>All indexes</a>
      </Failure>
    );
  }
  // Its head needs both: a button that came later would push what is below it.
  const waits = card.answer === undefined && card.error === undefined;
  if (detail === undefined || waits) return <Skeleton lines={14} />;
  if (detail.kind !== 'dir') return <FileView index={index} detail={detail} />;
  const imported = card.answer?.data.imported === true;
  // Until the node is known, which may be a file, the folder before it stays.
  const shown = node === undefined ? undefined : detail.node_id;
  return <FolderView index={index} node={shown} root={imported ? undefined : root} detail={detail} />;
}

function FolderView({
  index,
  node,
  root,
  detail,
}: {
  readonly index: string;
  readonly node: string | undefined;
  /** The root of the index; undefined until known, or if it cannot be scanned here. */
  readonly root: string | undefined;
  readonly detail: NodeDetail;
}) {
  const words = param('f') ?? '';
  const filter = useMemo(() => filterOf(words), [words]);
  const tab = tabOf(place.value);
  const scope: FolderScope = { index, node, path: detail.path, filter };
  return (
    <div class="view fill disk-view">
      <div class="view-head">
        <PathCrumbs path={detail.path} index={index} />
        <span class="spacer" />
        {root !== undefined && <RescanButton index={index} root={root} />}
        <FilterField words={words} />
      </div>
      <div class="tab-line">
        <Tabs
          label="Reports on this folder"
          current={tab}
          items={TABS.map(([id, label]) => ({
            id,
            label,
            href: withQuery({ tab: id === 'map' ? undefined : id }),
          }))}
        />
        <SelectionBar index={index} words={words} />
      </div>
      <div class="tab-body">
        {tab === 'map' && <MapTab scope={scope} words={words} />}
        {tab === 'largest' && <LargestTab scope={scope} />}
        {tab === 'types' && <TypesTab scope={scope} words={words} />}
        {tab === 'age' && <AgeTab scope={scope} />}
        {tab === 'duplicates' && <DuplicatesTab scope={scope} />}
        {tab === 'growth' && <GrowthTab scope={scope} detail={detail} />}
        {tab === 'again' && <MadeAgainTab scope={scope} />}
      </div>
    </div>
  );
}

/** The filter, which applies to every tab. */
function FilterField({ words }: { readonly words: string }) {
  const [text, setText] = useTypedText(
    words,
    (f) => go(withQuery({ f: f.trim() }), { replace: true }),
    DEBOUNCE_MS,
  );
  return (
    <search class="filter-field">
      <input
        type="search"
        class="field"
        aria-label="Filter"
        aria-describedby="filter-help"
        placeholder="Filter: *.log >100MB older:30d"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <span id="filter-help" class="hidden-text">
        Names or globs, sizes such as &gt;100MB, ext:mp4, older:30d, newer:7d, is:duplicate, is:touched. A
        leading minus excludes.
      </span>
    </search>
  );
}
