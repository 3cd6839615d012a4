import { useEffect, useState } from 'preact/hooks';
import { usePages } from '../data/use-pages.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Badge, type Tone } from '../ui/basics.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { shortTime } from '../ui/time.tsx';
import { Diff } from './diff.tsx';
import { SessionsTabs } from './sessions-tabs.tsx';

const TONES: Readonly<Record<string, Tone>> = { edit: 'warning', write: 'warning', delete: 'failed' };

/** Which sessions read or changed a file, with the diff of each change. */
export function FileHistoryView() {
  const path = param('path') ?? '';
  useTitle(path === '' ? 'Files' : path);
  const [text, setText] = useState(path);
  useEffect(() => setText(path), [path]);
  const pages = usePages(
    'file_history',
    path === '' ? undefined : { path, reads: true, limit: 50 },
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
      {path === '' && <Empty title="Enter a path to see every session that read or changed it." />}
      {pages.error && pages.rows.length === 0 && <Failure error={pages.error} retry={pages.reload} />}
      {path !== '' && !pages.first && !pages.error && <Skeleton lines={10} />}
      {path !== '' && pages.first && pages.rows.length === 0 && (
        <Empty title="No session touched this file." />
      )}
      <ol class="history">
        {pages.rows.map((touch) => (
          <li key={`${touch.session_id} ${touch.event_index} ${touch.action}`} class="panel">
            <p class="panel-head">
              <Badge tone={TONES[touch.action] ?? 'neutral'}>{touch.action}</Badge>
              <a
                href={pageLinks.session(touch.session_id, {
                  turn: touch.turn_index,
                  step: touch.step_index,
                  event: touch.event_index,
                })}
                class="mono"
              >
                {touch.session_id}
              </a>
              <span class="quiet">
                {shortTime(touch.timestamp)} {touch.tool}
              </span>
              {touch.status && <Badge tone="failed">{touch.status}</Badge>}
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
