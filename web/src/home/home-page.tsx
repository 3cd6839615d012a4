import { useLive } from '../data/live.ts';
import { useAnswer } from '../data/use-answer.ts';
import { durationText, sizeText } from '../ui/format.ts';
import { Skeleton } from '../ui/states.tsx';
import { now } from '../ui/time.tsx';
import { AgentCallsPanel } from './agent-calls-panel.tsx';
import { CALLS_OF_A_YEAR, RECENT_SESSIONS } from './home-questions.ts';
import { CodePanel, DiskPanel, SessionsPanel } from './indexed-panels.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { RecentSessionsPanel } from './recent-sessions-panel.tsx';
import { RunningNow } from './running-now.tsx';
import { SetupPanel } from './setup-panel.tsx';
import { TodayFigures } from './today-figures.tsx';
import './home.css';

const REFRESH_MS = 10_000;

/** What Pinhole is, what is running and what it costs, what is indexed, and how agents use it. */
export default function HomePage() {
  const health = useAnswer('health', {}, { every: 15_000 });
  const calls = useAnswer('stats', CALLS_OF_A_YEAR);
  const recent = useAnswer('list_sessions', RECENT_SESSIONS, { every: REFRESH_MS });
  useLive('sessions', recent.reload);
  const { data } = health.answer ?? {};
  // Until an agent has called, connecting one is the first thing to do. The panels load their data before that is
  // known, but are shown only once their order is final.
  const unused = calls.answer?.data.calls === 0;
  const placed = calls.answer !== undefined || calls.error !== undefined;
  return (
    <div class={placed ? 'view home' : 'view home unplaced'}>
      <div class="view-head home-head">
        <h1>Pinhole</h1>
        <p class="quiet">
          Search code, read what AI agents did, and see what fills the disk. You and your agents ask the same
          index; nothing leaves this machine.
        </p>
      </div>
      {!placed && (
        <div class="home-waiting">
          <Skeleton lines={12} tall />
        </div>
      )}
      {unused && <SetupPanel />}
      <TodayFigures />
      <RunningNow recent={recent} />
      <div class="grid three">
        <DiskPanel />
        <SessionsPanel />
        <CodePanel />
      </div>
      <div class="home-main">
        <div class="stack">
          <RecentSessionsPanel recent={recent} />
          <JobsPanel />
          {!unused && <SetupPanel />}
        </div>
        <div class="stack">
          <AgentCallsPanel />
        </div>
      </div>
      <p class="quiet home-foot">
        {data
          ? `Version ${data.version}, up ${durationText(Math.max(0, now.value - Date.parse(data.started_at)) / 1000)}, ${sizeText(data.memory_bytes)} memory`
          : ' '}
      </p>
    </div>
  );
}
