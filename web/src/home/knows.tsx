import { countText, shortCount, sizeText } from '../../../src/contract/people.ts';
import type { CodeIndexPage } from '../code/types.ts';
import { useLive } from '../data/live.ts';
import { useAnswer } from '../data/use-answer.ts';
import { ended } from '../data/use-jobs.ts';
import type { IndexCard } from '../disk/types.ts';
import { href } from '../frame/router.ts';
import type { ProjectPage } from '../sessions/types.ts';
import { Panel } from '../ui/basics.tsx';
import { CopyLine } from '../ui/copy-line.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';

const SHOWN = 4;

/** Which folders are indexed by size. */
export function KnowsDisk() {
  const { answer, error, reload } = useAnswer<{ readonly indexes: readonly IndexCard[] }>('/api/indexes');
  const indexes = answer?.data.indexes ?? [];
  useLive('job', (job) => {
    if (job.kind === 'disk-index' && ended(job)) reload();
  });
  return (
    <Panel title="Disk" aside={<a href="/disk">open</a>} busy={!answer && !error}>
      {!answer && !error && <Skeleton lines={7} />}
      {error && !answer && <Failure error={error} />}
      {answer && indexes.length === 0 && (
        <div class="panel-body setup">
          <p class="quiet">No folder is indexed yet. One scan, and every size under it is known.</p>
          <CopyLine text="pinhole index ~" />
        </div>
      )}
      <ul class="rows knows-list">
        {indexes.slice(0, SHOWN).map((index) => (
          <li key={index.index_id}>
            <a href={`/disk/${index.index_id}`} class="cut mono">
              {index.root}
            </a>
            <span class="num">{index.disk_size === undefined ? '' : sizeText(index.disk_size)}</span>
            <span class="under">
              {index.files === undefined ? 'being made' : `${countText(index.files)} files`}
              {index.scanned_at && (
                <>
                  , scanned <Ago at={index.scanned_at} />
                </>
              )}
            </span>
          </li>
        ))}
        <More count={indexes.length} href="/disk" />
      </ul>
    </Panel>
  );
}

/** Whose agent sessions are known. */
export function KnowsSessions() {
  const { answer, error } = useAnswer<ProjectPage>('/api/projects?limit=50');
  const projects = answer?.data.projects ?? [];
  return (
    <Panel title="Sessions" aside={<a href="/sessions">open</a>} busy={!answer && !error}>
      {!answer && !error && <Skeleton lines={7} />}
      {error && !answer && <Failure error={error} />}
      {answer && projects.length === 0 && (
        <div class="panel-body setup">
          <p class="quiet">
            No agent logs were found. Pinhole looks where Claude Code, Codex and Gemini CLI keep theirs.
          </p>
          <CopyLine text="pinhole doctor" />
        </div>
      )}
      <ul class="rows knows-list">
        {projects.slice(0, SHOWN).map((project) => (
          <li key={project.hash}>
            <a href={`/sessions?project=${project.hash}`} class="cut mono">
              {project.root_path ?? project.hash}
            </a>
            <span class="num">{shortCount(project.total_tokens)} tok</span>
            <span class="under">
              {countText(project.session_count)} {project.session_count === 1 ? 'session' : 'sessions'}, last{' '}
              <Ago at={project.last_activity} />
            </span>
          </li>
        ))}
        <More count={projects.length} href="/sessions" />
      </ul>
    </Panel>
  );
}

/** Which source trees are indexed; else which folders can be searched at all. */
export function KnowsCode() {
  const indexed = useAnswer<CodeIndexPage>('/api/code/indexes?limit=20');
  const allowed = useAnswer<{ readonly folders: readonly string[] }>('/api/allowed');
  const indexes = indexed.answer?.data.indexes ?? [];
  const folders = allowed.answer?.data.folders ?? [];
  // A folder above an index is searched through it.
  const others = folders.filter((folder) => !indexes.some(({ root }) => `${root}/`.startsWith(`${folder}/`)));
  const known = indexed.answer !== undefined && allowed.answer !== undefined;
  useLive('job', (job) => {
    if (job.kind.startsWith('code-') && ended(job)) indexed.reload();
  });
  return (
    <Panel title="Code" aside={<a href="/code">open</a>} busy={!known && !indexed.error && !allowed.error}>
      {!known && !indexed.error && !allowed.error && <Skeleton lines={3} />}
      {known && indexes.length + folders.length === 0 && (
        <div class="panel-body setup">
          <p class="quiet">This page may read no folder yet. Allow one, and its code can be searched here.</p>
          <CopyLine text="pinhole allow ~/projects" />
        </div>
      )}
      <ul class="rows knows-list">
        {indexes.slice(0, SHOWN).map((index) => (
          <li key={index.root}>
            <a href={href('/code', { path: index.root })} class="cut mono">
              {index.root}
            </a>
            <span class="num">
              {index.files === undefined ? sizeText(index.bytes) : `${countText(index.files)} files`}
            </span>
            <span class="under">
              {index.status === 'failed' ? <span class="failed">failed</span> : index.status}
              {index.built_at && (
                <>
                  , indexed <Ago at={index.built_at} />
                </>
              )}
              , {sizeText(index.bytes)}
              {index.meaning ? ' with meaning' : ''}
            </span>
          </li>
        ))}
        {others.slice(0, Math.max(0, SHOWN - indexes.length)).map((folder) => (
          <li key={folder}>
            <a href={href('/code', { path: folder })} class="cut mono">
              {folder}
            </a>
            <span />
            <span class="under">not indexed yet; the first search does it</span>
          </li>
        ))}
        <More count={indexes.length + others.length} href="/code" />
      </ul>
    </Panel>
  );
}

/** How many are not shown here. */
function More({ count, href: to }: { readonly count: number; readonly href: string }) {
  return count <= SHOWN ? null : (
    <li>
      <a href={to}>and {countText(count - SHOWN)} more</a>
    </li>
  );
}
