import { useEffect, useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { commandLine } from '../data/start-words.ts';
import { useAnswer } from '../data/use-answer.ts';
import { ended, useJobs } from '../data/use-jobs.ts';
import { usePages } from '../data/use-pages.ts';
import { go, pageLinks, param } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { EntryList } from './entry-list.tsx';
import { FileFacts } from './file-facts.tsx';
import { PathCrumbs } from './path-crumbs.tsx';
import { ScanProgress } from './scan-progress.tsx';
import type { NodeDetail } from './types.ts';

/** A path: goes to its node in an index, or shows the folder as it is on disk. */
export function PathView({ path }: { readonly path: string }) {
  const facts = useAnswer('inspect', { path });
  const detail = facts.answer?.data;
  const { index_id, node_id } = detail ?? {};
  const indexed = index_id !== undefined && node_id !== undefined;
  useEffect(() => {
    if (!indexed) return;
    const kept = { f: param('f'), tab: param('tab'), by: param('by') };
    go(pageLinks.node(index_id, node_id, kept), { replace: true });
  }, [index_id, node_id]);
  if (facts.error && !detail) {
    return facts.error.code === 'path_not_allowed' ? (
      <NotAllowed path={path} onAllowed={facts.reload} />
    ) : (
      <Failure error={facts.error} retry={facts.reload}>
        <a href={pageLinks.disk}>All indexes</a>
      </Failure>
    );
  }
  if (detail === undefined || indexed) return <Skeleton lines={12} />;
  return detail.kind === 'dir' ? (
    <UnindexedFolder detail={detail} onScanned={facts.reload} />
  ) : (
    <UnindexedFile detail={detail} />
  );
}

function UnindexedFile({ detail }: { readonly detail: NodeDetail }) {
  return (
    <div class="view">
      <div class="view-head">
        <PathCrumbs path={detail.path} />
      </div>
      <Panel title="File">
        <FileFacts detail={detail} />
      </Panel>
    </div>
  );
}

function UnindexedFolder(props: { readonly detail: NodeDetail; readonly onScanned: () => void }) {
  const { detail } = props;
  const pages = usePages('cd', { path: detail.path, limit: 100 }, (data) => data.entries);
  const [problem, setProblem] = useState<string>();
  const [started, setStarted] = useState<string>();
  const { jobs } = useJobs();
  const job = jobs.find(({ job_id }) => job_id === started);
  const scan = async () => {
    setProblem(undefined);
    try {
      const { data } = await call('index', { root: detail.path });
      setStarted(data.job_id);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  // Someone who asked for the map of this folder should not have to confirm it.
  useEffect(() => {
    if (param('scan') === 'true') void scan();
  }, [detail.path]);
  useEffect(() => {
    if (job === undefined || !ended(job)) return;
    if (job.status === 'done') props.onScanned();
    else setStarted(undefined);
  }, [job?.status]);
  return (
    <div class="view fill">
      <div class="view-head">
        <PathCrumbs path={detail.path} />
        <span class="spacer" />
        <span class="quiet">Not indexed yet, so folder sizes are unknown</span>
        <button
          type="button"
          class="button primary"
          disabled={started !== undefined}
          onClick={() => void scan()}
        >
          Index this folder
        </button>
      </div>
      {problem && <p class="failed">{problem}</p>}
      {started !== undefined && <ScanProgress job={job} path={detail.path} />}
      <section class="panel fill-panel" aria-label="Entries">
        {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
        {!pages.first && !pages.error && <Skeleton lines={12} />}
        {pages.first && pages.rows.length === 0 && <Empty title="This folder is empty." />}
        {pages.rows.length > 0 && (
          <EntryList
            entries={pages.rows}
            total={undefined}
            hrefOf={(entry) => pageLinks.path(`${detail.path === '/' ? '' : detail.path}/${entry.name}`)}
            onEnd={pages.more}
          />
        )}
      </section>
    </div>
  );
}

/** A folder that Pinhole is not allowed to read yet; it can be allowed here. */
function NotAllowed(props: { readonly path: string; readonly onAllowed: () => void }) {
  const [asking, setAsking] = useState(false);
  const [refused, setRefused] = useState<string>();
  const allow = async () => {
    try {
      await call('allow', { path: props.path });
      props.onAllowed();
    } catch (error) {
      setRefused(error instanceof Error ? error.message : String(error));
      setAsking(false);
    }
  };
  return (
    <div class="view not-allowed">
      <Empty
        title={`Pinhole is not allowed to read ${props.path}.`}
        command={commandLine('allow', props.path)}
      >
        If you allow it, this page and every agent that uses Pinhole can read everything in it.
      </Empty>
      {refused && <p class="failed">{refused}</p>}
      <div class="toolbar">
        {asking ? (
          <>
            <span>Allow {props.path} and everything in it?</span>
            <button type="button" class="button danger" onClick={() => void allow()}>
              Allow
            </button>
            <button type="button" class="button" onClick={() => setAsking(false)}>
              Cancel
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
