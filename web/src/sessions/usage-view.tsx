import { useMemo } from 'preact/hooks';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, pageLinks, param, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Bar, Choice, Figure, Panel } from '../ui/basics.tsx';
import { countText, moneyText, shortCount } from '../ui/format.ts';
import { MoreRows } from '../ui/more-rows.tsx';
import { Plot } from '../ui/plot.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { now } from '../ui/time.tsx';
import { SessionsTabs } from './sessions-tabs.tsx';
import type { UsageCard } from './types.ts';

const BY = [
  ['day', 'Day'],
  ['model', 'Model'],
  ['project', 'Project'],
  ['session', 'Session'],
] as const;
const SPANS = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['365d', 'Year'],
] as const;

/** The first of so many whole days, today included; an age would begin in the middle of a day. */
function firstDay(span: string): string {
  const day = new Date(now.value);
  day.setDate(day.getDate() - Number.parseInt(span, 10) + 1);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** Tokens and estimated cost; every response is counted once. */
export function UsageView() {
  useTitle('Usage');
  const by = BY.find(([id]) => id === param('by'))?.[0] ?? 'day';
  const span = SPANS.find(([id]) => id === param('since'))?.[0] ?? '30d';
  const since = firstDay(span);
  const pages = usePages('usage', { by, since, limit: 200 }, (data) => data.usage);
  const days = useAnswer('usage', { by: 'day', since, limit: 400 });
  const { rows, error } = pages;
  const known = days.answer?.data.usage;
  // All days fit into one page, so their sum is the total.
  const sum = (pick: (row: UsageCard) => number) =>
    (known ?? []).reduce((total, row) => total + pick(row), 0);
  const total = Math.max(
    1,
    sum((row) => row.total),
  );
  const least = known?.some((row) => row.lower_bound) ? '≥ ' : '';
  return (
    <div class="view">
      <SessionsTabs current="usage" />
      <div class="toolbar">
        <Choice label="Group by" options={BY} value={by} onChange={(value) => go(withQuery({ by: value }))} />
        <Choice
          label="Time span"
          options={SPANS}
          value={span}
          onChange={(value) => go(withQuery({ since: value }))}
        />
      </div>
      {error && rows.length === 0 && <Failure error={error} retry={pages.reload} />}
      {(!pages.first || !known) && !error && <Skeleton lines={10} />}
      {pages.first && known && rows.length === 0 && <Empty title="No tokens used in this period." />}
      {rows.length > 0 && known && (
        <>
          <dl class="figures">
            <Figure value={`${least}${shortCount(sum((row) => row.total))}`} label="tokens" />
            <Figure value={shortCount(sum((row) => row.cached))} label="read from cache" />
            <Figure value={`${least}${shortCount(sum((row) => row.output))}`} label="output" />
            <Figure value={countText(sum((row) => row.responses))} label="responses" />
            <Figure
              value={`${least}${moneyText(sum((row) => row.cost_usd ?? 0))}`}
              label={`at list prices as of ${pages.first?.data.prices}`}
            />
          </dl>
          <DayPlot days={known} />
          <Panel title={`By ${by}`}>
            <div class="scroll-x">
              <table class="table">
                <thead>
                  <tr>
                    <th>{by}</th>
                    <th class="num">total</th>
                    <th class="wide-only">share</th>
                    <th class="num wide-only">input</th>
                    <th class="num wide-only">cached</th>
                    <th class="num">output</th>
                    <th class="num">≈ cost</th>
                  </tr>
                </thead>
                <tbody>
                  {rows.map((row) => (
                    <tr key={row.group}>
                      <td class="mono cut">
                        {by === 'session' ? (
                          <a href={pageLinks.session(row.group)}>{row.group}</a>
                        ) : (
                          row.group
                        )}
                      </td>
                      <td class="num">{shortCount(row.total)}</td>
                      <td class="wide-only">
                        <Bar share={row.total / total} tone="soft" />
                      </td>
                      <td class="num wide-only">{shortCount(row.input)}</td>
                      <td class="num wide-only">{shortCount(row.cached)}</td>
                      <td class="num">
                        {row.lower_bound && '≥ '}
                        {shortCount(row.output)}
                      </td>
                      <td class="num">{row.cost_usd === undefined ? '–' : moneyText(row.cost_usd)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            <MoreRows pages={pages} />
          </Panel>
        </>
      )}
    </div>
  );
}

function DayPlot({ days }: { readonly days: readonly UsageCard[] }) {
  const sorted = useMemo(() => [...days].sort((a, b) => a.group.localeCompare(b.group)), [days]);
  const times = useMemo(() => sorted.map((row) => Date.parse(`${row.group}T12:00:00`) / 1000), [sorted]);
  const series = useMemo(
    () => [{ label: 'tokens', tone: 'c1', kind: 'bars' as const, values: sorted.map((row) => row.total) }],
    [sorted],
  );
  if (times.length < 2 || times.some(Number.isNaN)) return null;
  return (
    <Panel title="Tokens per day">
      <Plot
        label="Tokens per day"
        times={times}
        series={series}
        height={180}
        format={(value) => shortCount(Math.round(value))}
      />
    </Panel>
  );
}
