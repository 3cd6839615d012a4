import type { DataOf } from '../data/operations.ts';
import { useAnswer } from '../data/use-answer.ts';
import { go, param, withQuery } from '../frame/router.ts';
import { Choice } from '../ui/basics.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { countOf } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { briefMarkdown } from './brief-markdown.ts';

const SPANS = [
  ['all', 'Whole session'],
  ['recall', 'Since compaction'],
] as const;

export type BriefData = Pick<
  DataOf<'brief'>,
  'asked' | 'said' | 'files' | 'ran' | 'also_ran' | 'open' | 'related'
>;

/** A session on one page, for someone who takes over, or to paste into another agent. */
export function SessionBrief({ session, events }: { readonly session: string; readonly events: number }) {
  const recent = param('brief') === 'recall';
  const brief = useAnswer('brief', recent ? undefined : { session_id: session }, { version: events });
  const recall = useAnswer('recall', recent ? { session_id: session } : undefined, { version: events });
  const { error, reload } = recent ? recall : brief;
  const data: BriefData | undefined = recent ? recall.answer?.data : brief.answer?.data;
  const task = recent ? undefined : brief.answer?.data.task;
  return (
    <div class="brief">
      <div class="toolbar">
        <Choice
          label="Part of the session"
          options={SPANS}
          value={recent ? 'recall' : 'all'}
          onChange={(value) => go(withQuery({ brief: value === 'all' ? undefined : value }))}
        />
        {data && <CopyButton label="Copy for an agent" text={() => briefMarkdown(session, task, data)} />}
      </div>
      {error && !data && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={8} />}
      {task && (
        <>
          <h2>Task</h2>
          <p class="brief-text">{task}</p>
        </>
      )}
      {data && <BriefParts data={data} />}
    </div>
  );
}

const place = (event: number) => withQuery({ event, turn: undefined, step: undefined });

function BriefParts({ data }: { readonly data: BriefData }) {
  const texts = (name: string, rows: BriefData['asked']) =>
    rows.length > 0 && (
      <>
        <h2>{name}</h2>
        <ul>
          {rows.map(({ event_index, text }) => (
            <li key={`${event_index} ${text}`}>
              <a class="brief-link" href={place(event_index)}>
                {text}
              </a>
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <>
      {texts('Left open', data.open)}
      {texts('Asked', data.asked)}
      {texts('Said last', data.said)}
      {data.files.length > 0 && (
        <>
          <h2>Files</h2>
          <ul>
            {data.files.map((file) => (
              <li key={file.path} class="brief-row">
                <a class="mono" href={place(file.event_index)} title={file.path}>
                  <MiddleCut text={file.path} />
                </a>
                <span class="quiet">{file.edits === undefined ? 'read' : countOf(file.edits, 'edit')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {data.ran.length > 0 && (
        <>
          <h2>Last runs</h2>
          <ul>
            {data.ran.map((run) => (
              <li key={run.event_index} class="brief-row">
                <a class="mono cut" href={place(run.event_index)} title={run.command}>
                  {run.command}
                </a>
                <span class={run.status === 'unknown' ? 'quiet' : run.status === 'ok' ? 'ok' : 'failed'}>
                  {run.status}
                </span>
              </li>
            ))}
          </ul>
          {data.also_ran.length > 0 && <p class="quiet">Also ran: {data.also_ran.join(', ')}</p>}
        </>
      )}
      {data.related.length > 0 && (
        <p class="quiet">Mentioned, or often changed with these: {data.related.join(', ')}</p>
      )}
    </>
  );
}
