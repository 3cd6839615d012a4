import { commandLine } from '../data/start-words.ts';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { Empty } from '../ui/states.tsx';
import { agentName } from './agent-mark.tsx';

/** No sessions: the filters match none, or there are no logs in these folders. */
export function NoSessions({ filtered }: { readonly filtered: boolean }) {
  const health = useAnswer('sessions_doctor', filtered ? undefined : {});
  if (filtered)
    return (
      <Empty title="No sessions match these filters.">
        <a href={pageLinks.sessions()}>All sessions</a>
      </Empty>
    );
  return (
    <Empty title="No agent logs found." command={commandLine('doctor')}>
      <p>Work with an agent, and its session appears here by itself. Pinhole looks in these folders:</p>
      <ul class="mono">
        {(health.answer?.data.folders ?? []).map(({ provider, path }) => (
          <li key={path}>
            {path} <span class="quiet">{agentName(provider)}</span>
          </li>
        ))}
      </ul>
    </Empty>
  );
}
