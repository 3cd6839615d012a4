import { call } from '../data/call.ts';
import { useLive } from '../data/live.ts';
import { useAnswer } from '../data/use-answer.ts';
import { ended } from '../data/use-jobs.ts';
import { RescanButton } from '../disk/rescan-button.tsx';
import { pageLinks } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { countOf, sizeText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { ConfirmButton } from './confirm-button.tsx';
import { CODE_INDEXES_INPUT } from './settings-questions.ts';

/** What is indexed: disk indexes can be scanned again or deleted; code indexes follow file changes by themselves. */
export function IndexesPanel() {
  const disk = useAnswer('disk_indexes', {});
  const code = useAnswer('code_indexes', CODE_INDEXES_INPUT);
  useLive('job', (job) => {
    if (ended(job)) disk.reload();
  });
  const disks = disk.answer?.data.indexes ?? [];
  const trees = code.answer?.data.indexes ?? [];
  return (
    <Panel title="Indexes">
      {!disk.answer && !disk.error && <Skeleton lines={4} />}
      <ul class="rows settings-rows">
        {disks.map((index) => (
          <li key={index.index_id}>
            <span>
              <a class="mono" href={pageLinks.index(index.index_id)}>
                <MiddleCut text={index.root} />
              </a>
              <span class="quiet">
                Disk, {countOf(index.files, 'file')}, {sizeText(index.disk_size)}
                {index.scanned_at && (
                  <>
                    , scanned <Ago at={index.scanned_at} />
                  </>
                )}
              </span>
            </span>
            <span class="toolbar">
              {!index.imported && <RescanButton index={index.index_id} root={index.root} />}
              <ConfirmButton
                label="Delete"
                question="Delete this index? Your files stay."
                onConfirm={async () => {
                  await call('disk_index_delete', { index_id: index.index_id });
                  disk.reload();
                }}
              />
            </span>
          </li>
        ))}
        {trees.map((index) => (
          <li key={index.root}>
            <span>
              <a class="mono" href={pageLinks.code({ path: index.root })}>
                <MiddleCut text={index.root} />
              </a>
              <span class="quiet">
                Code, {index.files === undefined ? index.status : countOf(index.files, 'file')},{' '}
                {sizeText(index.bytes)} index{index.semantic ? ', with search by meaning' : ''}
              </span>
            </span>
            <span class="quiet">kept up to date</span>
          </li>
        ))}
        {disk.answer && code.answer && disks.length + trees.length === 0 && (
          <li class="quiet">Nothing is indexed yet.</li>
        )}
      </ul>
    </Panel>
  );
}
