import { countText, shortCount, sizeText } from '../../../src/contract/people.ts';
import { useAnswer } from '../data/use-answer.ts';
import type { IndexCard } from '../disk/types.ts';
import type { ProjectCard } from '../sessions/types.ts';
import { Panel } from '../ui/basics.tsx';
import { CopyLine } from '../ui/copy-line.tsx';
import { Skeleton } from '../ui/states.tsx';
import { Ago } from '../ui/time.tsx';

const SHOWN = 4;

/** Which folders are indexed by size. */
export function KnowsDisk() {
  const { answer, error } = useAnswer<{ readonly indexes: readonly IndexCard[] }>('/api/indexes');
  const indexes = answer?.data.indexes ?? [];
  return (
    <Panel title="Disk" aside={<a href="/disk">open</a>}>
      {!answer && !error && <Skeleton lines={3} />}
      {(error || (answer && indexes.length === 0)) && (
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
      </ul>
    </Panel>
  );
}

/** Whose agent sessions are known. */
export function KnowsSessions() {
  const { answer, error } = useAnswer<{ readonly projects: readonly ProjectCard[] }>(
    '/api/projects?limit=20',
  );
  const projects = answer?.data.projects ?? [];
  return (
    <Panel title="Sessions" aside={<a href="/sessions">open</a>}>
      {!answer && !error && <Skeleton lines={3} />}
      {(error || (answer && projects.length === 0)) && (
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
              {countText(project.session_count)} sessions, last <Ago at={project.last_activity} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Which folders can be searched. */
export function KnowsCode() {
  const { answer, error } = useAnswer<{ readonly folders: readonly string[] }>('/api/allowed');
  const folders = answer?.data.folders ?? [];
  return (
    <Panel title="Code" aside={<a href="/code">open</a>}>
      {!answer && !error && <Skeleton lines={3} />}
      {answer && folders.length === 0 && (
        <div class="panel-body setup">
          <p class="quiet">This page may read no folder yet. Allow one, and its code can be searched here.</p>
          <CopyLine text="pinhole allow ~/projects" />
        </div>
      )}
      <ul class="rows knows-list">
        {folders.slice(0, SHOWN).map((folder) => (
          <li key={folder}>
            <a href={`/code?path=${encodeURIComponent(folder)}`} class="cut mono">
              {folder}
            </a>
            <span />
            <span class="under">may be read from this page and by every agent</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
