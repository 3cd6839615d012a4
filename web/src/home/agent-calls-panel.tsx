import { CallTable } from '../activity/call-table.tsx';
import { useAnswer } from '../data/use-answer.ts';
import { pageLinks } from '../frame/router.ts';
import { Bar, Figure, Panel } from '../ui/basics.tsx';
import { countOf, countText, shortCount, sizeText } from '../ui/format.ts';
import { Failure, Skeleton } from '../ui/states.tsx';

const REFRESH_MS = 5_000;
const OPERATIONS_SHOWN = 5;
const CALLS_SHOWN = 5;

/** Calls by agents in the last day, and the size of the answers. */
export function AgentCallsPanel() {
  const stats = useAnswer('stats', { days: 1, who: 'agents' }, { every: REFRESH_MS });
  const latest = useAnswer('audit', { who: 'agents', limit: CALLS_SHOWN }, { every: REFRESH_MS });
  const data = stats.answer?.data;
  const calls = latest.answer?.data.calls ?? [];
  return (
    <Panel
      title="Calls by agents and scripts, last 24 hours"
      aside={<a href={pageLinks.activity()}>All activity</a>}
      busy={!data && !stats.error}
    >
      {stats.error && !data && <Failure error={stats.error} retry={stats.reload} />}
      {!stats.error && !data && <Skeleton lines={8} />}
      {data?.calls === 0 && (
        <p class="hint-line">No agent has used Pinhole yet. Connect one with a line from this page.</p>
      )}
      {data && data.calls > 0 && (
        <>
          <dl class="figures panel-body">
            <Figure value={countText(data.calls)} label="calls" />
            <Figure value={sizeText(data.bytes_out)} label="sent" />
            <Figure value={shortCount(data.tokens)} label="tokens" />
            <Figure value={sizeText(Math.round(data.bytes_out / data.calls))} label="per answer" />
            <Figure
              value={countText(data.errors)}
              label="errors"
              {...(data.errors > 0 ? { tone: 'failed' } : {})}
            />
          </dl>
          <table class="table" aria-label="By operation">
            <thead>
              <tr>
                <th>operation</th>
                <th class="num">calls</th>
                <th class="num">sent</th>
                <th class="wide-only">share</th>
              </tr>
            </thead>
            <tbody>
              {data.operations.slice(0, OPERATIONS_SHOWN).map((row) => (
                <tr key={row.operation}>
                  <td class="mono cut">
                    <a href={pageLinks.activity({ operation: row.operation })}>{row.operation}</a>
                  </td>
                  <td class="num">{countText(row.calls)}</td>
                  <td class="num">{sizeText(row.bytes_out)}</td>
                  <td class="wide-only">
                    <Bar share={row.bytes_out / Math.max(1, data.bytes_out)} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {data.operations.length > OPERATIONS_SHOWN && (
            <p class="hint-line">
              <a href={pageLinks.activity()}>
                {countOf(data.operations.length - OPERATIONS_SHOWN, 'more operation', 'more operations')}
              </a>
            </p>
          )}
        </>
      )}
      {calls.length > 0 && (
        <>
          <h3 class="side-title">Latest calls</h3>
          <CallTable calls={calls} label="Latest calls by agents and scripts" brief />
        </>
      )}
    </Panel>
  );
}
