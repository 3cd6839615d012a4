import { useAnswer } from '../data/use-answer.ts';
import { Empty } from '../ui/states.tsx';
import { providerName } from './provider-mark.tsx';
import type { AgentHealth } from './types.ts';

/** No session: which folders were looked at, or that the filters are too narrow. */
export function NoSessions({ filtered }: { readonly filtered: boolean }) {
  const health = useAnswer<AgentHealth>(filtered ? undefined : '/api/agent-health');
  if (filtered)
    return (
      <Empty title="No session passes these filters.">
        <a href="/sessions">All sessions</a>
      </Empty>
    );
  return (
    <Empty title="No agent logs were found." command="pinhole doctor">
      <p>These folders were looked at:</p>
      <ul class="mono">
        {(health.answer?.data.folders ?? []).map(({ provider, path }) => (
          <li key={path}>
            {path} <span class="quiet">{providerName(provider)}</span>
          </li>
        ))}
      </ul>
    </Empty>
  );
}
