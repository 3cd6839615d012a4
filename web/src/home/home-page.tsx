import { useAnswer } from '../data/use-answer.ts';
import { durationText, sizeText } from '../ui/format.ts';
import { now } from '../ui/time.tsx';
import { AgentCallsPanel } from './agent-calls-panel.tsx';
import { CodePanel, DiskPanel, SessionsPanel } from './indexed-panels.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { RecentSessionsPanel } from './recent-sessions-panel.tsx';
import { SetupPanel } from './setup-panel.tsx';
import './home.css';

/** What Pinhole has indexed, its background jobs, recent sessions, and how agents use it. */
export default function HomePage() {
  const health = useAnswer('health', {}, { every: 15_000 });
  const { data } = health.answer ?? {};
  return (
    <div class="view home">
      <div class="view-head">
        <h1>Pinhole</h1>
        {data && (
          <span class="quiet cut">
            <span class="wide-only">version </span>
            {data.version}, up {durationText(Math.max(0, now.value - Date.parse(data.started_at)) / 1000)},{' '}
            <span title="Memory used by the background process">
              {sizeText(data.memory_bytes)}
              <span class="wide-only"> memory</span>
            </span>
          </span>
        )}
      </div>
      <div class="grid three">
        <DiskPanel />
        <SessionsPanel />
        <CodePanel />
      </div>
      <div class="home-main">
        <div class="stack">
          <RecentSessionsPanel />
          <JobsPanel />
          <SetupPanel />
        </div>
        <div class="stack">
          <AgentCallsPanel />
        </div>
      </div>
    </div>
  );
}
