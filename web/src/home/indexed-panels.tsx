import { AGENTS } from '../../../src/sessions/providers/agents.data.ts';
import { useLive } from '../data/live.ts';
import { commandLine } from '../data/start-words.ts';
import { useAnswer } from '../data/use-answer.ts';
import { ended } from '../data/use-jobs.ts';
import { pageLinks } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { CopyLine } from '../ui/copy-line.tsx';
import { countOf, countText, shortCount, sizeText } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';
import { DiskMap } from './disk-map.tsx';

const ROWS_SHOWN = 4;
const LIST = new Intl.ListFormat('en-GB');

/** Folders whose sizes are indexed. */
export function DiskPanel() {
  const { answer, error, reload } = useAnswer('disk_indexes', {});
  const indexes = answer?.data.indexes ?? [];
  const [largest] = indexes
    .filter((index) => index.scanned_at !== undefined)
    .sort((a, b) => b.disk_size - a.disk_size);
  useLive('job', (job) => {
    if (job.kind === 'disk-index' && ended(job)) reload();
  });
  return (
    <Panel title="Disk" aside={<a href={pageLinks.disk}>Open</a>} busy={!answer && !error}>
      {!answer && !error && <Skeleton lines={7} />}
      {error && !answer && <Failure error={error} />}
      {answer && indexes.length === 0 && (
        <div class="panel-body setup">
          <p class="quiet">No folder is indexed yet. One scan finds the size of everything in it.</p>
          <a class="button" href={pageLinks.path('~', { scan: true })}>
            Map your home folder
          </a>
        </div>
      )}
      {largest && <DiskMap index={largest.index_id} />}
      <ul class="rows fact-list">
        {indexes.slice(0, ROWS_SHOWN).map((index) => (
          <li key={index.index_id}>
            <a href={pageLinks.index(index.index_id)} class="cut mono">
              {index.root}
            </a>
            <span class="num">{index.disk_size === undefined ? '' : sizeText(index.disk_size)}</span>
            <span class="under">
              {index.files === undefined ? 'scanning' : countOf(index.files, 'file')}
              {index.scanned_at && (
                <>
                  , scanned <Ago at={index.scanned_at} />
                </>
              )}
            </span>
          </li>
        ))}
        <More count={indexes.length} href={pageLinks.disk} />
      </ul>
    </Panel>
  );
}

/** Projects that have agent sessions. */
export function SessionsPanel() {
  const { answer, error } = useAnswer('get_project_info', { limit: 50 });
  const projects = answer?.data.projects ?? [];
  return (
    <Panel title="Sessions" aside={<a href={pageLinks.sessions()}>Open</a>} busy={!answer && !error}>
      {!answer && !error && <Skeleton lines={7} />}
      {error && !answer && <Failure error={error} />}
      {answer && projects.length === 0 && (
        <div class="panel-body setup">
          <p class="quiet">
            No agent logs found. Pinhole looks in the log folders of{' '}
            {LIST.format(AGENTS.map(({ title }) => title))}.
          </p>
          <CopyLine text={commandLine('doctor')} />
        </div>
      )}
      <ul class="rows fact-list">
        {projects.slice(0, ROWS_SHOWN).map((project) => (
          <li key={project.hash}>
            <a href={pageLinks.sessions({ project: project.hash })} class="cut mono">
              {project.root_path ?? project.hash}
            </a>
            <span class="num">
              {project.total_tokens !== undefined && `${shortCount(project.total_tokens)} tokens`}
            </span>
            <span class="under">
              {countOf(project.session_count, 'session')}, last <Ago at={project.last_activity} />
            </span>
          </li>
        ))}
        <More count={projects.length} href={pageLinks.sessions()} />
      </ul>
    </Panel>
  );
}

/** Folders whose code is indexed, then those that can be searched. */
export function CodePanel() {
  const indexed = useAnswer('code_indexes', { limit: 20 });
  const allowed = useAnswer('allow', {});
  const known = indexed.answer !== undefined && allowed.answer !== undefined;
  const waiting = !known && !indexed.error && !allowed.error;
  // Both lists appear together, so that nothing jumps.
  const indexes = (waiting ? undefined : indexed.answer?.data.indexes) ?? [];
  const folders = (waiting ? undefined : allowed.answer?.data.folders) ?? [];
  // A search in a folder above an index also uses that index.
  const others = folders.filter((folder) => !indexes.some(({ root }) => `${root}/`.startsWith(`${folder}/`)));
  useLive('job', (job) => {
    // A folder appears when its index begins, and changes when it is done.
    const known = indexes.some(({ root }) => root === job.root);
    if (job.kind === 'code-index' && (ended(job) || !known)) indexed.reload();
  });
  return (
    <Panel title="Code" aside={<a href={pageLinks.code()}>Open</a>} busy={waiting}>
      {waiting && <Skeleton lines={3} />}
      {known && indexes.length + folders.length === 0 && (
        <div class="panel-body setup">
          <p class="quiet">No folder is allowed yet. Allow one to search its code here.</p>
          <CopyLine text={commandLine('allow', '~/projects')} />
        </div>
      )}
      <ul class="rows fact-list">
        {indexes.slice(0, ROWS_SHOWN).map((index) => (
          <li key={index.root}>
            <a href={pageLinks.code({ path: index.root })} class="cut mono">
              {index.root}
            </a>
            <span class="num">
              {index.files === undefined ? sizeText(index.bytes) : countOf(index.files, 'file')}
            </span>
            <span class="under">
              {index.status === 'failed' ? <span class="failed">failed</span> : index.status}
              {index.built_at && (
                <>
                  , indexed <Ago at={index.built_at} />
                </>
              )}
              , {sizeText(index.bytes)}
              {index.semantic ? ', semantic index ready' : ''}
            </span>
          </li>
        ))}
        {others.slice(0, Math.max(0, ROWS_SHOWN - indexes.length)).map((folder) => (
          <li key={folder}>
            <a href={pageLinks.code({ path: folder })} class="cut mono">
              {folder}
            </a>
            <span />
            <span class="under">indexed on first search</span>
          </li>
        ))}
        <More count={indexes.length + others.length} href={pageLinks.code()} />
      </ul>
    </Panel>
  );
}

/** A link to the rows that are not shown here. */
function More({ count, href }: { readonly count: number; readonly href: string }) {
  return count <= ROWS_SHOWN ? null : (
    <li>
      <a href={href}>{countText(count - ROWS_SHOWN)} more</a>
    </li>
  );
}
