import { countOf, countText, shortCount } from '../../../src/contract/people.ts';
import { usePages } from '../data/use-pages.ts';
import { href } from '../frame/router.ts';
import { MoreRows } from '../ui/more-rows.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import type { FilePage, SessionSummary, SubagentCard, SubagentPage } from './types.ts';

type TouchedFile = FilePage['files'][number];

/** What a session started and touched, all of it. */
export function FilesAndAgents({
  base,
  summary,
}: {
  readonly base: string;
  readonly summary: SessionSummary;
}) {
  const begun = summary.subagents.some(({ relation }) => relation === 'subagent');
  const agents = usePages<SubagentPage, SubagentCard>(
    begun ? `${base}/subagents?limit=100` : undefined,
    (data) => data.subagents,
  );
  const files = usePages<FilePage, TouchedFile>(`${base}/files?limit=100`, (data) => data.files);
  const others = summary.subagents.filter(({ relation }) => relation !== 'subagent');
  return (
    <>
      {others.length > 0 && (
        <>
          <h2 class="side-title">Went on in</h2>
          <ul class="rows knows-list">
            {others.map((session) => (
              <SessionLine key={session.id} {...session} under={`${session.relation} ${session.id}`} />
            ))}
          </ul>
        </>
      )}
      {begun && (
        <>
          <h2 class="side-title">
            Subagents {agents.total !== undefined && <span class="quiet">{countText(agents.total)}</span>}
          </h2>
          {!agents.first && <Skeleton lines={8} />}
          <ul class="rows knows-list">
            {agents.rows.map((agent) => (
              <SessionLine key={agent.id} {...agent} under={agent.task} />
            ))}
          </ul>
          <MoreRows pages={agents} />
        </>
      )}
      <h2 class="side-title">
        Files {files.total !== undefined && <span class="quiet">{countText(files.total)}</span>}
      </h2>
      {files.error && files.rows.length === 0 && <Failure error={files.error} retry={files.reload} />}
      {!files.first && !files.error && <Skeleton lines={4} />}
      {files.first && files.rows.length === 0 && <p class="hint-line">No file was touched.</p>}
      <ul class="rows knows-list">
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
  readonly total_tokens: number;
  readonly under: string;
}) {
  return (
    <li>
      <a href={`/sessions/${props.id}`} class="cut">
        {props.name === undefined ? props.id : `${props.name} ${props.id}`}
      </a>
      <span class="num">{shortCount(props.total_tokens)}</span>
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
      <a class="mono cut" href={href('/sessions/files', { path })} title={path}>
        {inProject ? path.slice(project.length + 1) : path}
      </a>
      <span class="quiet num">{counts.filter(Boolean).join(', ')}</span>
    </li>
  );
}
