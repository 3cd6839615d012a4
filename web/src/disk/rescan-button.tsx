import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { ended, useJobs } from '../data/use-jobs.ts';
import { countText } from '../ui/format.ts';

/** Scans an indexed folder again; shows the progress of a running scan. */
export function RescanButton({ index, root }: { readonly index: string; readonly root: string }) {
  const { jobs } = useJobs();
  const running = jobs.find((job) => job.kind === 'disk-index' && job.index_id === index && !ended(job));
  const [problem, setProblem] = useState<string>();
  const rescan = async () => {
    setProblem(undefined);
    await call('index', { root }).catch((error: unknown) =>
      setProblem(error instanceof Error ? error.message : String(error)),
    );
  };
  return (
    <>
      {problem && <span class="failed">{problem}</span>}
      <button
        type="button"
        class="button small"
        disabled={running !== undefined}
        onClick={() => void rescan()}
      >
        {running === undefined ? 'Rescan' : `Scanning, ${countText(running.done ?? 0)}…`}
      </button>
    </>
  );
}
