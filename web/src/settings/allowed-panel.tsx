import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';
import { ConfirmButton } from './confirm-button.tsx';

/** The folders that this page and every agent may read; they can be added and removed. */
export function AllowedPanel() {
  const { answer, error, reload } = useAnswer('allow', {});
  const [path, setPath] = useState('');
  const [problem, setProblem] = useState<string>();
  const add = async () => {
    setProblem(undefined);
    try {
      await call('allow', { path });
      setPath('');
      reload();
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const folders = answer?.data.folders ?? [];
  return (
    <Panel title="Allowed folders">
      <p class="hint-line">
        This page and every agent that uses Pinhole can read everything in these folders.
      </p>
      {error && !answer && <Failure error={error} retry={reload} />}
      {!answer && !error && <Skeleton lines={3} />}
      <ul class="rows settings-rows">
        {folders.map((folder) => (
          <li key={folder}>
            <a class="mono" href={pageLinks.path(folder)}>
              <MiddleCut text={folder} />
            </a>
            <ConfirmButton
              label="Remove"
              question="Stop allowing it?"
              onConfirm={async () => {
                await call('allow', { path: folder, remove: true });
                reload();
              }}
            />
          </li>
        ))}
        {answer && folders.length === 0 && <li class="quiet">No folder is allowed yet.</li>}
      </ul>
      <form
        class="toolbar panel-body"
        onSubmit={(event) => {
          event.preventDefault();
          if (path !== '') void add();
        }}
      >
        <input
          class="field wide mono"
          aria-label="Folder to allow"
          placeholder="/home/me/projects"
          value={path}
          onInput={(event) => setPath(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          Allow
        </button>
      </form>
      {problem && (
        <p class="hint-line failed" role="alert">
          {problem}
        </p>
      )}
    </Panel>
  );
}
