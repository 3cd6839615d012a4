import { countText, shortCount, sizeText } from '../../../src/contract/people.ts';
import { CallTable } from '../activity/call-table.tsx';
import type { CallPage, Stats } from '../data/types.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Bar, Figure, Panel } from '../ui/basics.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';

const LOOK_MS = 5_000;
const OPERATIONS = 5;
const CALLS = 5;

/** What agents asked of Pinhole in the last day, and what the answers cost them. */
export function AskedPanel() {
  const stats = useAnswer<Stats>('/api/stats?days=1&who=agents', { every: LOOK_MS });
  const latest = useAnswer<CallPage>(`/api/audit?who=agents&limit=${CALLS}`, { every: LOOK_MS });
  const data = stats.answer?.data;
  const calls = latest.answer?.data.calls ?? [];
  const most = Math.max(1, ...(data?.operations.map((row) => row.bytes_out) ?? []));
  return (
    <Panel
      title="Asked by agents, last 24 hours"
      aside={<a href="/activity">all activity</a>}
      busy={!data && !stats.error}
    >
      {stats.error && !data && <Failure error={stats.error} retry={stats.reload} />}
      {!stats.error && !data && <Skeleton lines={8} />}
      {data?.calls === 0 && (
        <p class="hint-line">No agent has asked anything yet; connect one with a line from this page.</p>
      )}
      {data && data.calls > 0 && (
        <>
          <dl class="figures panel-body">
            <Figure value={countText(data.calls)} label="calls" />
            <Figure value={sizeText(data.bytes_out)} label="sent to agents" />
            <Figure value={shortCount(data.tokens)} label="tokens" />
            <Figure value={sizeText(Math.round(data.bytes_out / data.calls))} label="an answer" />
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
              {data.operations.slice(0, OPERATIONS).map((row) => (
                <tr key={row.operation}>
                  <td class="mono cut">
                    <a href={`/activity?operation=${row.operation}`}>{row.operation}</a>
                  </td>
                  <td class="num">{countText(row.calls)}</td>
                  <td class="num">{sizeText(row.bytes_out)}</td>
                  <td class="wide-only">
                    <Bar share={row.bytes_out / most} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {data.operations.length > OPERATIONS && (
            <p class="hint-line">
              <a href="/activity">and {countText(data.operations.length - OPERATIONS)} more operations</a>
            </p>
          )}
        </>
      )}
      {calls.length > 0 && (
        <>
          <h3 class="side-title">Latest calls</h3>
          <CallTable calls={calls} label="Latest calls of agents" brief />
        </>
      )}
    </Panel>
  );
}
