import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/client.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, href, param } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Crumbs } from './crumbs.tsx';
import { EntryList } from './entry-list.tsx';
import { FileFacts } from './file-facts.tsx';
import type { Entry, Listing, NodeDetail } from './types.ts';

/** A path: leads to its place in an index, or shows the folder as it is on the disk. */
export function PathView({ path }: { readonly path: string }) {
  const facts = useAnswer<NodeDetail>(href('/api/files/inspect', { path }));
  const detail = facts.answer?.data;
  const indexed = detail?.index_id !== undefined && detail.node_id !== undefined;
  useEffect(() => {
    if (!indexed) return;
    const kept = { f: param('f'), tab: param('tab'), by: param('by') };
    go(href(`/disk/${detail?.index_id}/${detail?.node_id}`, kept), { replace: true });
  }, [indexed, detail?.node_id]);
  if (facts.error && !detail) {
    return facts.error.code === 'path_not_allowed' ? (
      <NotAllowed path={path} onAllowed={facts.reload} />
    ) : (
      <Failure error={facts.error} retry={facts.reload}>
        <a href="/disk">All indexes</a>
      </Failure>
    );
  }
  if (detail === undefined || indexed) return <Skeleton lines={12} />;
  return detail.kind === 'dir' ? <LiveFolder detail={detail} /> : <LiveFile detail={detail} />;
}

function LiveFile({ detail }: { readonly detail: NodeDetail }) {
  return (
    <div class="view">
      <div class="view-head">
        <Crumbs path={detail.path} />
      </div>
      <Panel title="File">
        <FileFacts detail={detail} />
      </Panel>
    </div>
  );
}

function LiveFolder({ detail }: { readonly detail: NodeDetail }) {
  const pages = usePages<Listing, Entry>(
    href('/api/cd', { path: detail.path, limit: 100 }),
    (data) => data.entries,
  );
  const [started, setStarted] = useState(false);
  const index = async () => {
    setStarted(true);
    const answer = await call<{ readonly job_id: string }>('POST', '/api/indexes', {
      body: { root: detail.path },
    });
    go(`/activity/${answer.data.job_id}`);
  };
  return (
    <div class="view fill">
      <div class="view-head">
        <Crumbs path={detail.path} />
        <span class="spacer" />
        <span class="quiet">not indexed: folders without their totals</span>
        <button type="button" class="button primary" disabled={started} onClick={() => void index()}>
          Index this folder
        </button>
      </div>
      <section class="panel fill-panel" aria-label="Entries">
        {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
        {!pages.first && !pages.error && <Skeleton lines={12} />}
        {pages.first && pages.rows.length === 0 && <Empty title="This folder is empty." />}
        {pages.rows.length > 0 && (
          <EntryList
            entries={pages.rows}
            total={Math.max(1, ...pages.rows.map((entry) => entry.size ?? 0))}
            hrefOf={(entry) =>
              href('/disk', { path: `${detail.path === '/' ? '' : detail.path}/${entry.name}` })
            }
            onEnd={pages.more}
          />
        )}
      </section>
    </div>
  );
}

/** A folder that may not be read yet: a person can allow it here. */
function NotAllowed(props: { readonly path: string; readonly onAllowed: () => void }) {
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<string>();
  const allow = async () => {
    try {
      await call('POST', '/api/allowed', { body: { path: props.path } });
      props.onAllowed();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
      setAsking(false);
    }
  };
  return (
    <div class="view not-allowed">
      <Empty title={`${props.path} may not be read from here yet.`} command={`pinhole allow ${props.path}`}>
        Allowing a folder lets this page and every agent that uses Pinhole read what is in it.
      </Empty>
      {refused && <p class="failed">{refused}</p>}
      <div class="toolbar">
        {asking ? (
          <>
            <span>Really allow {props.path} and everything below it?</span>
            <button type="button" class="button danger" onClick={() => void allow()}>
              Allow it
            </button>
            <button type="button" class="button" onClick={() => setAsking(false)}>
              No
            </button>
          </>
        ) : (
          <button type="button" class="button" onClick={() => setAsking(true)}>
            Allow this folder…
          </button>
        )}
      </div>
    </div>
  );
}
