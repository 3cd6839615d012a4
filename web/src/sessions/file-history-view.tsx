import { useEffect, useState } from 'preact/hooks';
import { usePages } from '../data/use-pages.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Badge, Choice, Panel, type Tone } from '../ui/basics.tsx';
import { countText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { MoreRows } from '../ui/more-rows.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { Ago, shortTime } from '../ui/time.tsx';
import { Diff } from './diff.tsx';
import { EDITED_FILES_INPUT } from './session-questions.ts';
import { SessionsTabs } from './sessions-tabs.tsx';
import { TimeMachine } from './time-machine.tsx';
import { CALL_TONES } from './tool-call.tsx';

const TONES: Readonly<Record<string, Tone>> = { edit: 'warning', write: 'warning', delete: 'failed' };

const VIEWS = [
  ['list', 'All touches'],
  ['time', 'Time machine'],
] as const;

/** Which sessions read or changed a file, with the diff of each change. */
export function FileHistoryView() {
  const path = param('path') ?? '';
  useTitle(path === '' ? 'Files' : path);
  const [text, setText] = useState(path);
  useEffect(() => setText(path), [path]);
  const machine = param('view') === 'time';
  const pages = usePages(
    'file_history',
    path === '' || machine ? undefined : { path, reads: true, limit: 50 },
    (data) => data.touches ?? [],
  );
  return (
    <div class="view">
      <SessionsTabs current="files" />
      <form
        class="toolbar"
        onSubmit={(event) => {
          event.preventDefault();
          go(withQuery({ path: text }));
        }}
      >
        <input
          class="field wide mono"
          aria-label="File path"
          placeholder="/path/to/a/file, or the end of it: src/main.ts"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          Show history
        </button>
        {path.startsWith('/') && (
          <a class="button plain" href={pageLinks.path(path)}>
            Show on disk
          </a>
        )}
      </form>
      {path === '' && <MostEdited />}
      {path !== '' && (
        <div class="toolbar">
          <Choice
            label="View"
            options={VIEWS}
            value={machine ? 'time' : 'list'}
            onChange={(view) => go(withQuery({ view: view === 'time' ? view : undefined, stop: undefined }))}
          />
        </div>
      )}
      {path !== '' && machine && <TimeMachine path={path} />}
      {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
      {path !== '' && !machine && !pages.first && !pages.error && <Skeleton lines={10} />}
      {path !== '' && !machine && pages.first && pages.rows.length === 0 && (
        <Empty title="No session touched this file." />
      )}
      <ol class="history">
        {pages.rows.map((touch) => (
          <li key={`${touch.session_id} ${touch.event_index} ${touch.action}`} class="panel">
            <p class="panel-head">
              <Badge tone={TONES[touch.action] ?? 'neutral'}>{touch.action}</Badge>
              <span class="quiet num touch-time">{shortTime(touch.timestamp)}</span>
              <a
                href={pageLinks.session(touch.session_id, {
                  turn: touch.turn_index,
                  step: touch.step_index,
                  event: touch.event_index,
                })}
                class="cut"
                title={`Session ${touch.session_id}`}
              >
                {touch.why ?? `Session ${touch.session_id}`}
              </a>
              {touch.status && <Badge tone={CALL_TONES[touch.status]}>{touch.status}</Badge>}
              {touch.path && <span class="mono cut quiet">{touch.path}</span>}
            </p>
            {touch.diff && <Diff text={touch.diff} path={touch.path ?? path} />}
          </li>
        ))}
      </ol>
      {pages.hasMore && (
        <button type="button" class="button" onClick={pages.more}>
          Load earlier
        </button>
      )}
    </div>
  );
}

/** Where to start: the files that agents changed most. */
function MostEdited() {
  const pages = usePages('file_history', EDITED_FILES_INPUT, (data) => data.files ?? []);
  if (pages.error && pages.rows.length === 0) return <Failure error={pages.error} retry={pages.reload} />;
  if (pages.first === undefined) return <Skeleton lines={10} />;
  if (pages.rows.length === 0) return <Empty title="No session changed a file yet." />;
  return (
    <Panel title="Files that sessions changed most">
      <div class="scroll-x">
        <table class="table">
          <thead>
            <tr>
              <th>file</th>
              <th class="num wide-only">sessions</th>
              <th class="num">edits</th>
              <th class="num wide-only">failed</th>
              <th class="num wide-only">lines</th>
              <th class="num">last</th>
            </tr>
          </thead>
          <tbody>
            {pages.rows.map((file) => (
              <tr key={`${file.repo ?? ''} ${file.path}`}>
                <td class="mono cut">
                  <a href={`${pageLinks.fileHistory(file.path)}&view=time`}>
                    <MiddleCut text={file.path} />
                  </a>
                  {file.repo && <span class="quiet file-repo">{file.repo}</span>}
                </td>
                <td class="num wide-only">{countText(file.sessions)}</td>
                <td class="num">{countText(file.edits)}</td>
                <td class="num wide-only">{countText(file.failed)}</td>
                <td class="num wide-only">
                  +{countText(file.added)} −{countText(file.removed)}
                </td>
                <td class="num quiet">
                  <Ago at={file.last_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <MoreRows pages={pages} />
    </Panel>
  );
}
