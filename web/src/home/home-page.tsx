import { durationText, sizeText } from '../../../src/contract/people.ts';
import type { Health } from '../data/types.ts';
import { useAnswer } from '../data/use-answer.ts';
import { now } from '../ui/time.tsx';
import { AskedPanel } from './asked-panel.tsx';
import { JobsPanel } from './jobs-panel.tsx';
import { KnowsCode, KnowsDisk, KnowsSessions } from './knows.tsx';
import { SetupPanel } from './setup-panel.tsx';
import { TodayPanel } from './today-panel.tsx';
import './home.css';

/** What Pinhole knows, what it is doing, and what agents did with it. */
export function HomePage() {
  const health = useAnswer<Health>('/api/health', { every: 15_000 });
  const { data } = health.answer ?? {};
  return (
    <div class="view home">
      <div class="view-head">
        <h1>Pinhole</h1>
        {data && (
          <span class="quiet cut">
            <span class="wide-only">version </span>
            {data.version}, running for{' '}
            {durationText(Math.max(0, now.value - Date.parse(data.started_at)) / 1000)},{' '}
            <span title="What the process holds in memory at this moment">
              {sizeText(data.memory_bytes)}
              <span class="wide-only"> memory</span>
            </span>
          </span>
        )}
      </div>
      <div class="grid three">
        <KnowsDisk />
        <KnowsSessions />
        <KnowsCode />
      </div>
      <div class="home-main">
        <div class="stack">
          <TodayPanel />
          <JobsPanel />
          <SetupPanel />
        </div>
        <div class="stack">
          <AskedPanel />
        </div>
      </div>
    </div>
  );
}
