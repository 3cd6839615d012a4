import { usePages } from '../data/use-pages.ts';
import { pageLinks } from '../frame/router.ts';
import { countOf, countText, shortCount } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { MoreRows } from '../ui/more-rows.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import type { SessionSummary, TouchedFile } from './types.ts';

/** Everything a session started and touched. */
export function FilesAndSubagents({
  session,
  summary,
}: {
  readonly session: string;
  readonly summary: SessionSummary;
}) {
  const hasSubagents = summary.subagents.some(({ relation }) => relation === 'subagent');
  const input = { session_id: session, limit: 100 };
  const subagents = usePages('session_subagents', hasSubagents ? input : undefined, (data) => data.subagents);
  const files = usePages('session_files', input, (data) => data.files);
  const continued = summary.subagents.filter(({ relation }) => relation !== 'subagent');
  return (
    <>
      {continued.length > 0 && (
        <>
          <h2 class="side-title">Continued in</h2>
          <ul class="rows fact-list">
            {continued.map((other) => (
              <SessionLine key={other.id} {...other} under={`${other.relation} ${other.id}`} />
            ))}
          </ul>
        </>
      )}
      {hasSubagents && (
        <>
          <h2 class="side-title">
            Subagents{' '}
            {subagents.total !== undefined && <span class="quiet">{countText(subagents.total)}</span>}
          </h2>
          {!subagents.first && <Skeleton lines={8} />}
          <ul class="rows fact-list">
            {subagents.rows.map((agent) => (
              <SessionLine key={agent.id} {...agent} under={agent.task} />
            ))}
          </ul>
          <MoreRows pages={subagents} />
        </>
      )}
      <h2 class="side-title">
        Files {files.total !== undefined && <span class="quiet">{countText(files.total)}</span>}
      </h2>
      {files.error && files.rows.length === 0 && <Failure error={files.error} retry={files.reload} />}
      {!files.first && !files.error && <Skeleton lines={4} />}
      {files.first && files.rows.length === 0 && <p class="hint-line">No files touched.</p>}
      <ul class="rows fact-list">
        {files.rows.map((file) => (
          <FileLine key={file.path} file={file} project={summary.project?.path} />
        ))}
      </ul>
      <MoreRows pages={files} />
    </>
  );
}

function SessionLine(props: {
  readonly id: string;
  readonly name?: string | undefined;
  readonly total_tokens?: number | undefined;
  readonly under: string;
}) {
  return (
    <li>
      <a href={pageLinks.session(props.id)} class="cut">
        {props.name === undefined ? props.id : `${props.name} ${props.id}`}
      </a>
      <span class="num">{props.total_tokens === undefined ? '–' : shortCount(props.total_tokens)}</span>
      <span class="under cut" title={props.under}>
        {props.under}
      </span>
    </li>
  );
}

function FileLine({ file, project }: { readonly file: TouchedFile; readonly project: string | undefined }) {
  const { path, edits, reads } = file;
  const inProject = project !== undefined && path.startsWith(`${project}/`);
  const counts = [edits > 0 && countOf(edits, 'edit'), reads > 0 && countOf(reads, 'read')];
  return (
    <li>
      <a class="mono cut" href={pageLinks.fileHistory(path)} title={path} aria-label={path}>
        <MiddleCut text={inProject ? path.slice(project.length + 1) : path} />
      </a>
      <span class="quiet num">{counts.filter(Boolean).join(', ')}</span>
    </li>
  );
}
