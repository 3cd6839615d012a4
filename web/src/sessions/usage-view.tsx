import { useEffect, useRef, useState } from 'preact/hooks';
import { usageGaps } from '../../../src/sessions/operations/usage-gaps.ts';
import { logsReading } from '../data/logs-reading.ts';
import type { DataOf } from '../data/operations.ts';
import { teamServer } from '../data/team-server.ts';
import { useAnswer } from '../data/use-answer.ts';
import { usePages } from '../data/use-pages.ts';
import { go, param, place, withQuery } from '../frame/router.ts';
import { useTitle } from '../frame/title.ts';
import { Choice } from '../ui/basics.tsx';
import { Icon } from '../ui/icon.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { now } from '../ui/time.tsx';
import { agentName } from './agent-mark.tsx';
import { NoSessions } from './no-sessions.tsx';
import { isApart, TEAM_BY, USAGE_BY, USAGE_SPANS, usageQuestion } from './session-questions.ts';
import { SessionsTabs } from './sessions-tabs.tsx';
import { UsageChart } from './usage-chart.tsx';
import { UsageFigures } from './usage-figures.tsx';
import { partsOf } from './usage-parts.ts';
import { UsageTable } from './usage-table.tsx';
import './usage.css';

const MEASURES = [
  ['cost', 'Cost'],
  ['tokens', 'Tokens'],
] as const;

const GROWING_MS = 3_000;

export type Measure = (typeof MEASURES)[number][0];
/** Tokens and estimated cost over time; every response is counted once. */
export function UsageView() {
  useTitle('Usage');
  const measure = MEASURES.find(([id]) => id === param('show'))?.[0] ?? 'cost';
  const asked = usageQuestion(place.value, now.value);
  const { by, since, range, bucket, split, apart, inRange } = asked;
  // The figures grow while logs are being read.
  const [growing, setGrowing] = useState(false);
  const every = growing || logsReading.value ? GROWING_MS : undefined;
  const bars = useAnswer('usage', asked.bars, { every });
  const past = useAnswer('usage', asked.past, { every });
  const listed = usePages(
    'usage',
    apart && { ...inRange, by: apart, sort: measure === 'cost' ? 'cost' : 'total', limit: 200 },
    (data) => data.usage,
  );
  useEffect(() => setGrowing(bars.answer?.meta.indexing !== undefined), [bars.answer]);
  const error = listed.error ?? bars.error;
  const over = bars.answer?.data;
  const ready = over !== undefined && (apart === undefined || listed.first !== undefined);
  // While a new grouping loads, the rows on the page still belong to the previous one.
  const shown = useRef(by);
  if (!bars.loading && ready) shown.current = by;
  const shownBy = shown.current;
  const rows = isApart(shownBy)
    ? listed.rows
    : shownBy === 'day'
      ? (over?.usage ?? [])
      : partsOf(over?.usage ?? [], measure);
  return (
    <div class="view">
      <SessionsTabs current="usage" />
      <div class="toolbar">
        <Choice
          label="Time span"
          options={USAGE_SPANS}
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
        <Choice
          label="Group by"
          options={teamServer.value ? [...USAGE_BY, ...TEAM_BY] : USAGE_BY}
          value={by}
          onChange={(value) => go(withQuery({ by: value }))}
        />
        <Choice
          label="Measure"
          options={MEASURES}
          value={measure}
          onChange={(value) => go(withQuery({ show: value }))}
        />
      </div>
      <FilterChips />
      {error && !ready && <Failure error={error} retry={apart ? listed.reload : bars.reload} />}
      {!ready && !error && <Skeleton lines={10} />}
      {ready && over.usage.length === 0 && (
        <>
          <NoUsage reading={logsReading.value !== undefined || bars.answer?.meta.indexing !== undefined} />
          <Gaps of={over} />
        </>
      )}
      {ready && over.usage.length > 0 && (
        <>
          <UsageFigures
            rows={over.usage}
            before={past.answer?.data.usage}
            days={range.days}
            prices={over.prices}
          />
          <Gaps of={over} />
          <UsageChart rows={over.usage} split={split} measure={measure} range={range} bucket={bucket} />
          <UsageTable
            by={shownBy}
            pages={isApart(shownBy) ? listed : undefined}
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

/** What the totals lack, in the words of the command. */
function Gaps({ of }: { readonly of: DataOf<'usage'> }) {
  const gaps = usageGaps(of, agentName);
  return gaps.length === 0 ? null : <p class="quiet usage-gaps">{gaps.join(' · ')}</p>;
}

/** No tokens: logs are still being read, there are no logs at all, or none in this period. */
function NoUsage({ reading }: { readonly reading: boolean }) {
  const health = useAnswer('sessions_doctor', reading ? undefined : {});
  if (reading) return <Empty title="No log of this period has been read yet." />;
  if (health.answer === undefined && health.error === undefined) return <Skeleton lines={3} />;
  if (health.answer?.data.logs === 0) return <NoSessions filtered={false} />;
  return <Empty title="No tokens used in this period." />;
}

/** The active filters; each can be removed. */
function FilterChips() {
  const chips = [
    ['project', 'project', param('project')],
    ['provider', 'agent', agentName(param('provider') ?? '')],
    ['model', 'model', param('model')],
    ['machine', 'machine', param('machine')],
    ['person', 'person', param('person')],
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
