import { useEffect, useMemo, useState } from 'preact/hooks';
import { refreshAll } from '../data/client.ts';
import { useLive } from '../data/live.ts';
import { useAnswer } from '../data/use-answer.ts';
import { ended } from '../data/use-jobs.ts';
import { useFreshness } from '../frame/freshness.tsx';
import { go, href, param, withQuery } from '../frame/router.ts';
import { Tabs } from '../ui/basics.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Crumbs } from './crumbs.tsx';
import { FileFacts } from './file-facts.tsx';
import { filterOf } from './filter-words.ts';
import { MapTab } from './map-tab.tsx';
import { AgeTab } from './report-age.tsx';
import { DuplicatesTab } from './report-duplicates.tsx';
import { GrowthTab } from './report-growth.tsx';
import { LargestTab } from './report-largest.tsx';
import { TypesTab } from './report-types.tsx';
import { SelectionBar } from './selection-bar.tsx';
import type { IndexCard, NodeDetail } from './types.ts';

const TABS = [
  ['map', 'Map'],
  ['largest', 'Largest'],
  ['types', 'Types'],
  ['age', 'Age'],
  ['duplicates', 'Duplicates'],
  ['growth', 'Growth'],
] as const;
type Tab = (typeof TABS)[number][0];

/** What every tab is about: a folder of an index, seen through a filter. */
export interface Place {
  readonly index: string;
  readonly node: string;
  readonly path: string;
  /** The filter as JSON, for addresses of the API; undefined for none. */
  readonly filter: string | undefined;
}

/** An index at one of its nodes. */
export function IndexView({ index, node }: { readonly index: string; readonly node: string | undefined }) {
  const card = useAnswer<IndexCard>(`/api/indexes/${encodeURIComponent(index)}`);
  const root = card.answer?.data.root;
  const facts = useAnswer<NodeDetail>(
    node !== undefined
      ? `/api/indexes/${encodeURIComponent(index)}/nodes/${encodeURIComponent(node)}`
      : root === undefined
        ? undefined
        : href('/api/files/inspect', { path: root }),
  );
  // Whoever scanned it again: the picture, the tables and their age follow.
  useLive('job', (job) => {
    if (job.kind === 'disk-index' && job.index_id === index && ended(job)) refreshAll();
  });
  useFreshness('scanned', card.answer?.data.scanned_at);

  const error = card.error ?? facts.error;
  const detail = facts.answer?.data;
  if (error && !detail) {
    return (
      <Failure error={error} retry={facts.reload}>
        <a href="/disk">All indexes</a>
      </Failure>
    );
  }
  if (detail === undefined) return <Skeleton lines={14} />;
  if (detail.kind !== 'dir') {
    return (
      <div class="view">
        <div class="view-head">
          <Crumbs path={detail.path} index={index} />
        </div>
        <section class="panel">
          <FileFacts detail={detail} />
        </section>
      </div>
    );
  }
  return <FolderView index={index} detail={detail} />;
}

function FolderView({ index, detail }: { readonly index: string; readonly detail: NodeDetail }) {
  const words = param('f') ?? '';
  const filter = useMemo(() => {
    const tests = filterOf(words);
    return tests === undefined ? undefined : JSON.stringify(tests);
  }, [words]);
  const tab: Tab = TABS.find(([id]) => id === param('tab'))?.[0] ?? 'map';
  const place: Place = { index, node: detail.node_id ?? '', path: detail.path, filter };
  return (
    <div class="view fill disk-view">
      <div class="view-head">
        <Crumbs path={detail.path} index={index} />
        <span class="spacer" />
        <FilterField words={words} />
      </div>
      <div class="tab-line">
        <Tabs
          label="Views of this folder"
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
        {tab === 'map' && <MapTab place={place} words={words} />}
        {tab === 'largest' && <LargestTab place={place} />}
        {tab === 'types' && <TypesTab place={place} words={words} />}
        {tab === 'age' && <AgeTab place={place} />}
        {tab === 'duplicates' && <DuplicatesTab place={place} />}
        {tab === 'growth' && <GrowthTab place={place} detail={detail} />}
      </div>
    </div>
  );
}

/** The filter in words; it reshapes every tab. */
function FilterField({ words }: { readonly words: string }) {
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  useEffect(() => {
    if (text === words) return;
    const timer = setTimeout(() => go(withQuery({ f: text.trim() }), { replace: true }), 300);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search class="filter-field">
      <input
        type="search"
        class="field"
        aria-label="Filter"
        aria-describedby="filter-help"
        placeholder="filter: *.log >100MB older:30d"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <span id="filter-help" class="hidden-text">
        Names or globs, sizes such as &gt;100MB, ext:mp4, older:30d, newer:7d, is:duplicate, is:touched; a
        minus excludes.
      </span>
    </search>
  );
}
