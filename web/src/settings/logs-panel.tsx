import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import type { DataOf } from '../data/operations.ts';
import { useAnswer } from '../data/use-answer.ts';
import { AgentMark, agentName } from '../sessions/agent-mark.tsx';
import { Panel } from '../ui/basics.tsx';
import { countOf, countText, sizeText } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';

function Folders({ folders }: { readonly folders: DataOf<'sessions_doctor'>['folders'] }) {
  return folders.map(({ provider, path, logs }) => (
    <li key={`${provider} ${path}`}>
      <span class="log-folder">
        <AgentMark provider={provider} />
        <span class="mono" title={agentName(provider)}>
          <MiddleCut text={path} />
        </span>
      </span>
      {logs > 0 && <span class="quiet num">{countOf(logs, 'log')}</span>}
    </li>
  ));
}

/** Where session logs are read from, and whether copies of them are kept. */
export function LogsPanel() {
  const { answer, error, reload } = useAnswer('sessions_doctor', {});
  const [problem, setProblem] = useState<string>();
  const data = answer?.data;
  const empty = data?.folders.filter(({ logs }) => logs === 0) ?? [];
  const keep = async (on: boolean) => {
    setProblem(undefined);
    try {
      await call('sessions_archive', { keep: on ? 'on' : 'off' });
      reload();
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
    }
  };
  return (
    <Panel title="Session logs">
      {error && !data && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={5} />}
      {data && (
        <>
          <p class="hint-line">
            {countOf(data.sessions, 'session')} from {countOf(data.logs, 'log')}, {sizeText(data.bytes)}
            {data.unreadable.length > 0 && `; ${countOf(data.unreadable.length, 'log')} could not be read`}
          </p>
          <ul class="rows settings-rows">
            <Folders folders={data.folders.filter(({ logs }) => logs > 0)} />
          </ul>
          <details class="panel-body">
            <summary>{countOf(empty.length, 'folder')} without logs</summary>
            <ul class="rows settings-rows">
              <Folders folders={empty} />
            </ul>
          </details>
          <div class="panel-body stack">
            <label class="settings-check">
              <input
                type="checkbox"
                checked={data.archive.on}
                onChange={(event) => void keep(event.currentTarget.checked)}
              />{' '}
              Keep copies of logs after the agents delete them
            </label>
            <p class="quiet">
              {data.archive.logs === 0
                ? 'No copies yet. Copies are compressed, redacted unless you turned that off, and readable only by you.'
                : `${countOf(data.archive.logs, 'copy', 'copies')}, ${sizeText(data.archive.bytes)}, ${countText(data.archive.only_here)} of them nowhere else.`}
              {data.deleted_soon.sessions > 0 &&
                ` Agents delete ${countOf(data.deleted_soon.sessions, 'log')} within ${countOf(data.deleted_soon.within_days, 'day')}.`}
            </p>
            {problem && (
              <p class="failed" role="alert">
                {problem}
              </p>
            )}
          </div>
        </>
      )}
    </Panel>
  );
}
