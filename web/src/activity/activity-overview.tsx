import { useState } from 'preact/hooks';
import type { DataOf } from '../data/operations.ts';
import { addressOf } from '../data/request.ts';
import { commandLine } from '../data/start-words.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, place, withQuery } from '../frame/router.ts';
import { JobsPanel } from '../home/jobs-panel.tsx';
import { Choice, Figure, Panel } from '../ui/basics.tsx';
import { countText, shortCount, sizeText } from '../ui/format.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { activityQuestion, CALLS_AT_ONCE, SPANS, WHO } from './activity-questions.ts';
import { useAskingSteps } from './asking-steps.ts';
import { CallPlots } from './call-plots.tsx';
import { CallTable } from './call-table.tsx';
import { OperationTable } from './operation-table.tsx';
import { hasFailed } from './types.ts';

/** Rows of the table at first; drawing all of them takes longer than loading them. */
const CALLS_SHOWN = 50;

type Stats = DataOf<'stats'>;

/** The figures for all operations, or for one. */
function figuresOf(stats: Stats, operation: string | undefined): Stats {
  if (operation === undefined) return stats;
  const operations = stats.operations.filter((row) => row.operation === operation);
  const [own] = operations;
  const { calls = 0, errors = 0, bytes_out = 0, tokens = 0 } = own ?? {};
  return { days: stats.days, calls, errors, bytes_out, tokens, operations };
}

export function ActivityOverview() {
  const { days, who, operation, ...inputs } = activityQuestion(place.value);
  const stats = useAnswer('stats', inputs.stats, { every: 10_000 });
  const calls = usePages('audit', inputs.calls, (data) => data.calls);
  const stepOf = useAskingSteps(Number(days), calls.rows);
  const all = stats.answer?.data;
  const data = all && figuresOf(all, operation);
  // Plots and tables appear together, so that nothing jumps.
  const listed = calls.first !== undefined || calls.error !== undefined;
  const since = Date.now() - Number(days) * 86_400_000;
  const shown = calls.rows.filter((row) => Date.parse(row.timestamp) >= since);
  const [unfolded, setUnfolded] = useState(false);
  const folded = !unfolded && shown.length > CALLS_SHOWN;
  const slowest = [...shown].sort((a, b) => b.ms - a.ms).slice(0, 8);
  const errors = shown.filter(hasFailed).slice(0, 8);
  return (
    <div class="view">
      <div class="view-head">
        <h1>Activity</h1>
        <Choice
          label="Time span"
          options={SPANS}
          value={days}
          onChange={(value) => go(withQuery({ days: value }))}
        />
        <Choice
          label="Called by"
          options={WHO}
          value={who}
          onChange={(value) => go(withQuery({ who: value }))}
        />
        {operation && (
          <a
            class="chip on"
            href={withQuery({ operation: undefined })}
            aria-label={`Remove the filter ${operation}`}
          >
            {operation} ×
          </a>
        )}
      </div>
      {stats.error && !data && <Failure error={stats.error} retry={stats.reload} />}
      {(!data || !listed) && !stats.error && <Skeleton lines={8} />}
      {data && listed && (
        <dl class="figures">
          <Figure value={countText(data.calls)} label="calls" />
          <Figure value={sizeText(data.bytes_out)} label="sent" />
          <Figure value={shortCount(data.tokens)} label="tokens sent" />
          <Figure
            value={countText(data.errors)}
            label="errors"
            {...(data.errors > 0 ? { tone: 'failed' } : {})}
          />
          <Figure
            value={data.calls === 0 ? '–' : sizeText(Math.round(data.bytes_out / data.calls))}
            label="per answer, on average"
          />
        </dl>
      )}
      {listed && data?.calls === 0 && (
        <>
          <Empty
            title="No calls in this period."
            command={`claude mcp add --scope user pinhole -- ${commandLine('mcp')}`}
          >
            Every call by an agent, a script or this page is listed here with its operation, size and
            duration. What was asked and what came back is kept in memory only.
          </Empty>
          <JobsPanel all={false} />
        </>
      )}
      {data && listed && data.calls > 0 && (
        <>
          <CallPlots calls={shown} since={since} />
          <div class="grid">
            <Panel title="By operation">
              <OperationTable operations={data.operations} />
            </Panel>
            <div class="stack">
              <JobsPanel all={false} />
              <Panel title="Slowest calls">
                <CallTable calls={slowest} label="Slowest calls" stepOf={stepOf} />
              </Panel>
              {errors.length > 0 && (
                <Panel title="Errors">
                  <CallTable calls={errors} label="Errors" stepOf={stepOf} />
                </Panel>
              )}
            </div>
          </div>
          <Panel title="All calls" aside={calls.total === undefined ? '' : countText(calls.total)}>
            <CallTable
              calls={unfolded ? shown : shown.slice(0, CALLS_SHOWN)}
              label="All calls"
              stepOf={stepOf}
            />
            {folded && (
              <p class="hint-line">
                <button type="button" class="button small" onClick={() => setUnfolded(true)}>
                  Show {countText(shown.length - CALLS_SHOWN)} more
                </button>
              </p>
            )}
            {!folded && calls.hasMore && (
              <p class="hint-line">
                <button type="button" class="button small" onClick={calls.more}>
                  Load {CALLS_AT_ONCE} more
                </button>{' '}
                <a href={addressOf('audit', {}, { format: 'csv' })} download="pinhole-audit.csv">
                  Download all as CSV
                </a>
              </p>
            )}
          </Panel>
        </>
      )}
    </div>
  );
}
