import { useEffect, useRef, useState } from 'preact/hooks';
import { logsReading } from '../data/logs-reading.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, param, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Choice } from '../ui/basics.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { now } from '../ui/time.tsx';
import { agentName } from './agent-mark.tsx';
import { NoSessions } from './no-sessions.tsx';
import { SessionsTabs } from './sessions-tabs.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsageFigures } from './usage-figures.tsx';
import { partsOf } from './usage-parts.ts';
import { bucketOf, rangeBefore, rangeOf } from './usage-range.ts';
import { UsageTable } from './usage-table.tsx';
import './usage.css';

const BY = [
  ['model', 'Model'],
  ['project', 'Project'],
  ['agent', 'Agent'],
  ['session', 'Session'],
  ['day', 'Day'],
] as const;
const SPANS = [
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['365d', 'Year'],
] as const;
const MEASURES = [
  ['cost', 'Cost'],
  ['tokens', 'Tokens'],
] as const;

const GROWING_MS = 3_000;

export type Measure = (typeof MEASURES)[number][0];
/** What bars are stacked by. */
export type Split = 'model' | 'project' | 'agent';

/** Tokens and estimated cost over time; every response is counted once. */
export function UsageView() {
  useTitle('Usage');
  const by = BY.find(([id]) => id === param('by'))?.[0] ?? 'model';
  const measure = MEASURES.find(([id]) => id === param('show'))?.[0] ?? 'cost';
  const since = SPANS.find(([id]) => id === param('since'))?.[0] ?? '30d';
  const range = rangeOf(now.value, { from: param('from'), to: param('to'), since });
  const before = rangeBefore(range);
  const bucket = bucketOf(range.days);
  const split: Split = by === 'session' || by === 'day' ? 'model' : by;
  const filter = { project: param('project'), provider: param('provider'), model: param('model') };
  const inRange = { ...filter, since: range.from, until: range.to };
  // The figures grow while logs are being read.
  const [growing, setGrowing] = useState(false);
  const every = growing || logsReading.value ? GROWING_MS : undefined;
  const bars = useAnswer('usage', { ...inRange, by: bucket, split, limit: 200 }, { every });
  const past = useAnswer(
    'usage',
    { ...filter, by: split, since: before.from, until: before.to, limit: 1000 },
    { every },
  );
  const sessions = usePages(
    'usage',
    by === 'session'
      ? { ...inRange, by, sort: measure === 'cost' ? 'cost' : 'total', limit: 200 }
      : undefined,
    (data) => data.usage,
  );
  useEffect(() => setGrowing(bars.answer?.meta.indexing !== undefined), [bars.answer]);
  const error = sessions.error ?? bars.error;
  const over = bars.answer?.data;
  const ready = over !== undefined && (by !== 'session' || sessions.first !== undefined);
  // While another grouping loads, the rows on the page are still groups of the one before.
  const shown = useRef(by);
  if (!bars.loading && ready) shown.current = by;
  const shownBy = shown.current;
  const rows =
    shownBy === 'session'
      ? sessions.rows
      : shownBy === 'day'
        ? (over?.usage ?? [])
        : partsOf(over?.usage ?? [], measure);
  return (
    <div class="view">
      <SessionsTabs current="usage" />
      <div class="toolbar">
        <Choice
          label="Time span"
          options={SPANS}
          value={param('from') === undefined ? since : ''}
          onChange={(value) => go(withQuery({ since: value, from: undefined, to: undefined }))}
        />
        <span class="usage-dates">
          <input
            type="date"
            class="field"
            aria-label="First day"
            max={range.to}
            value={range.from}
            onChange={(event) => go(withQuery({ from: event.currentTarget.value, to: range.to }))}
          />
          –
          <input
            type="date"
            class="field"
            aria-label="Last day"
            min={range.from}
            value={range.to}
            onChange={(event) => go(withQuery({ from: range.from, to: event.currentTarget.value }))}
          />
        </span>
        <Choice label="Group by" options={BY} value={by} onChange={(value) => go(withQuery({ by: value }))} />
        <Choice
          label="Measure"
          options={MEASURES}
          value={measure}
          onChange={(value) => go(withQuery({ show: value }))}
        />
      </div>
      <FilterChips />
      {error && !ready && <Failure error={error} retry={by === 'session' ? sessions.reload : bars.reload} />}
      {!ready && !error && <Skeleton lines={10} />}
      {ready && over.usage.length === 0 && (
        <NoUsage reading={logsReading.value !== undefined || bars.answer?.meta.indexing !== undefined} />
      )}
      {ready && over.usage.length > 0 && (
        <>
          <UsageFigures
            rows={over.usage}
            before={past.answer?.data.usage}
            days={range.days}
            prices={over.prices}
          />
          <UsageChart rows={over.usage} split={split} measure={measure} range={range} bucket={bucket} />
          <UsageTable
            by={shownBy}
            pages={shownBy === 'session' ? sessions : undefined}
            rows={rows}
            measure={measure}
            whole={over.usage}
            before={split === shownBy ? past.answer?.data.usage : undefined}
            range={range}
            bucket={bucket}
          />
        </>
      )}
    </div>
  );
}

/** No tokens: logs are still being read, there are no logs at all, or none of this period. */
function NoUsage({ reading }: { readonly reading: boolean }) {
  const health = useAnswer('sessions_doctor', reading ? undefined : {});
  if (reading) return <Empty title="No log of this period has been read yet." />;
  if (health.answer === undefined && health.error === undefined) return <Skeleton lines={3} />;
  if (health.answer?.data.logs === 0) return <NoSessions filtered={false} />;
  return <Empty title="No tokens used in this period." />;
}

/** What the figures are narrowed to; each can be taken away. */
function FilterChips() {
  const chips = [
    ['project', 'project', param('project')],
    ['provider', 'agent', agentName(param('provider') ?? '')],
    ['model', 'model', param('model')],
  ] as const;
  const set = chips.filter(([, , value]) => value !== undefined && value !== '');
  if (set.length === 0) return null;
  return (
    <div class="chips">
      {set.map(([name, label, value]) => (
        <a
          key={name}
          class="chip on"
          href={withQuery({ [name]: undefined })}
          aria-label={`Remove ${label} ${value}`}
        >
          {label}: {value} <Icon name="close" />
        </a>
      ))}
    </div>
  );
}
