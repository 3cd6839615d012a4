import { countText, shortCount, sizeText } from '../../../src/contract/people.ts';
import type { Stats } from '../data/types.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Bar, Figure, Panel } from '../ui/basics.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';

/** What was asked of Pinhole in the last day, and what the answers cost. */
export function AskedPanel() {
  const { answer, error, reload } = useAnswer<Stats>('/api/stats?days=1', { every: 10_000 });
  const data = answer?.data;
  const most = Math.max(1, ...(data?.operations.map((row) => row.bytes_out) ?? []));
  return (
    <Panel title="Asked of Pinhole, last 24 hours" aside={<a href="/activity">details</a>}>
      {error && !data && <Failure error={error} retry={reload} />}
      {!error && !data && <Skeleton lines={5} />}
      {data && (
        <>
          <dl class="figures panel-body">
            <Figure value={countText(data.calls)} label="calls" />
            <Figure value={sizeText(data.bytes_out)} label="sent" />
            <Figure value={shortCount(data.tokens)} label="tokens" />
            <Figure
              value={countText(data.errors)}
              label="errors"
              {...(data.errors > 0 ? { tone: 'failed' } : {})}
            />
          </dl>
          <table class="table">
            <thead>
              <tr>
                <th>operation</th>
                <th class="num">calls</th>
                <th class="num">sent</th>
                <th class="wide-only">share</th>
              </tr>
            </thead>
            <tbody>
              {data.operations.slice(0, 8).map((row) => (
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
        </>
      )}
    </Panel>
  );
}
