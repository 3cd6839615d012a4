import { useMemo } from 'preact/hooks';
import { go, withQuery } from '../frame/router.ts';
import { Panel } from '../ui/basics.tsx';
import { dayAndMonth, shortMonthAndYear, weekdayAndDate } from '../ui/day-words.ts';
import { moneyText, shortCount } from '../ui/format.ts';
import { coloursOf, MAX_COLOURS, OTHER_COLOUR } from '../ui/series-colours.ts';
import { type BarSeries, StackedBars } from '../ui/stacked-bars.tsx';
import { agentName } from './agent-mark.tsx';
import type { Split } from './session-questions.ts';
import type { UsageCard } from './types.ts';
import { type Bucket, bucketsOf, type DayRange, daysOfBucket } from './usage-range.ts';
import type { Measure } from './usage-view.tsx';

const HEIGHT = 230;

interface Series extends BarSeries {
  /** The operation's name for it; undefined for the rest. */
  readonly group: string | undefined;
  readonly sum: number;
}

/** Cost or tokens over time, stacked. Clicking a bar opens its days, clicking a name in the legend shows only that part. */
export function UsageChart(props: {
  readonly rows: readonly UsageCard[];
  readonly split: Split;
  readonly measure: Measure;
  readonly range: DayRange;
  readonly bucket: Bucket;
}) {
  const { rows, split, measure, range, bucket } = props;
  const names = useMemo(() => bucketsOf(range, bucket), [range.from, range.to, bucket]);
  const series = useMemo(() => seriesOf(rows, names, split, measure), [rows, names, split, measure]);
  const format = measure === 'cost' ? moneyText : (value: number) => shortCount(Math.round(value));
  const title = `${measure === 'cost' ? 'Cost' : 'Tokens'} per ${bucket} by ${split}`;
  const sum = series.reduce((total, one) => total + one.sum, 0);
  return (
    <Panel title={title} aside={<span class="wide-only">Click a bar to see only its {bucket}</span>}>
      <StackedBars
        label={`${title}: ${format(sum)} in all`}
        stacks={names.map((name) => ({
          key: name,
          label: labelOf(name, bucket),
          title: titleOf(name, bucket),
        }))}
        series={series}
        height={HEIGHT}
        format={format}
        onPick={(name) => {
          const { from, to } = daysOfBucket(name, bucket, range);
          go(withQuery({ from, to, by: bucket === 'day' ? 'session' : undefined }));
        }}
      />
      <ul class="legend">
        {series.map(({ name, group, colour, sum }) => (
          <li key={name}>
            <span class="swatch" style={{ background: colour }} />
            {group === undefined ? name : <a href={withQuery(filterFor(split, group))}>{name}</a>}
            <span class="quiet num">{format(sum)}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The query that shows only one group. */
export function filterFor(split: Split, group: string) {
  return { [split === 'agent' ? 'provider' : split]: group };
}

/** A group's name for people. */
function groupName(split: Split, group: string): string {
  if (split === 'agent') return agentName(group);
  return split === 'project' ? (group.split('/').at(-1) ?? group) || group : group;
}

/** The largest groups, each with a value per bucket, and the others combined. */
function seriesOf(
  rows: readonly UsageCard[],
  names: readonly string[],
  split: Split,
  measure: Measure,
): readonly Series[] {
  const at = new Map(names.map((name, i) => [name, i]));
  const values = new Map<string, number[]>();
  for (const row of rows) {
    const i = at.get(row.group);
    if (i === undefined) continue;
    for (const part of row.parts ?? []) {
      const own = values.get(part.group) ?? names.map(() => 0);
      own[i] = measure === 'cost' ? (part.cost_usd ?? 0) : part.total;
      values.set(part.group, own);
    }
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0);
  const sorted = [...values].map(([group, own]) => ({ group, values: own, sum: sum(own) }));
  sorted.sort((a, b) => b.sum - a.sum);
  const shown = sorted.slice(0, MAX_COLOURS);
  const rest = sorted.slice(MAX_COLOURS);
  const colours = coloursOf(shown.map(({ group }) => group));
  const named: Series[] = shown.map((one) => ({
    ...one,
    name: groupName(split, one.group),
    colour: colours.get(one.group) ?? OTHER_COLOUR,
  }));
  if (rest.length === 0) return named;
  const others = names.map((_, i) => sum(rest.map((one) => one.values[i] ?? 0)));
  return [
    ...named,
    { name: `${rest.length} more`, group: undefined, colour: OTHER_COLOUR, values: others, sum: sum(others) },
  ];
}

function labelOf(name: string, bucket: Bucket): string {
  return bucket === 'month' ? shortMonthAndYear(name) : dayAndMonth(name);
}

function titleOf(name: string, bucket: Bucket): string {
  if (bucket === 'month') return shortMonthAndYear(name);
  return bucket === 'week' ? `Week of ${dayAndMonth(name)}` : weekdayAndDate(name);
}
