import type { Pages } from '../data/use-pages.ts';
import { pageLinks, withQuery } from '../frame/router.ts';
import { Bar, Panel } from '../ui/basics.tsx';
import { moneyText, percentText, shortCount } from '../ui/format.ts';
import { MiddleCut } from '../ui/middle-cut.tsx';
import { MoreRows } from '../ui/more-rows.tsx';
import { AgentMark, agentName } from './agent-mark.tsx';
import type { Split } from './session-questions.ts';
import type { UsageCard } from './types.ts';
import { filterFor } from './usage-chart.tsx';
import { Change, cacheText, sumOf } from './usage-figures.tsx';
import type { UsageRow } from './usage-parts.ts';
import { type Bucket, type DayRange, daysOfBucket } from './usage-range.ts';
import type { Measure } from './usage-view.tsx';

type By = Split | 'session' | 'day' | 'person' | 'machine';

/** The groups of a range; every row links to what it counts. */
export function UsageTable(props: {
  readonly by: By;
  /** Set if more rows can be loaded. */
  readonly pages: Pages<unknown, UsageCard> | undefined;
  readonly rows: readonly UsageRow[];
  readonly measure: Measure;
  /** Rows that add up to the whole range. */
  readonly whole: readonly UsageCard[];
  /** The same groups in the previous range. */
  readonly before: readonly UsageCard[] | undefined;
  readonly range: DayRange;
  readonly bucket: Bucket;
}) {
  const { by, rows, measure, range, bucket } = props;
  const pick = (row: UsageRow) => (measure === 'cost' ? (row.cost_usd ?? 0) : row.total);
  const total = Math.max(Number.MIN_VALUE, sumOf(props.whole, pick));
  const past = new Map(props.before?.map((row) => [row.group, row]));
  const head = by === 'day' ? bucket : by;
  return (
    <Panel title={`By ${head}`}>
      <div class="scroll-x">
        <table class="table usage-table">
          <thead>
            <tr>
              <th>{head}</th>
              <th class="num">≈ cost</th>
              <th class="wide-only">share of {measure}</th>
              {props.before && <th class="num wide-only">change</th>}
              <th class="num">tokens</th>
              <th class="num wide-only">from cache</th>
              <th class="num wide-only">output</th>
              <th class="num wide-only">responses</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const was = past.get(row.group);
              return (
                <tr key={row.group}>
                  <td class="cut">
                    <GroupLink by={by} row={row} range={range} bucket={bucket} />
                  </td>
                  <td class="num">{row.cost_usd === undefined ? '–' : moneyText(row.cost_usd)}</td>
                  <td class="wide-only usage-share">
                    <Bar share={pick(row) / total} tone="soft" />
                    <span class="quiet num">{percentText(pick(row) / total)}</span>
                  </td>
                  {props.before && (
                    <td class="num wide-only">
                      {was === undefined ? (
                        <span class="quiet">new</span>
                      ) : (
                        <Change now={pick(row)} before={pick(was)} was={wasText(was)} />
                      )}
                    </td>
                  )}
                  <td class="num">
                    {row.lower_bound && '≥ '}
                    {shortCount(row.total)}
                  </td>
                  <td class="num wide-only">{cacheText([row])}</td>
                  <td class="num wide-only">{shortCount(row.output)}</td>
                  <td class="num wide-only">{shortCount(row.responses)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      {props.pages && <MoreRows pages={props.pages} />}
    </Panel>
  );
}

function wasText(row: UsageRow): string {
  const cost = row.cost_usd === undefined ? '' : `${moneyText(row.cost_usd)}, `;
  return `${cost}${shortCount(row.total)} tokens before`;
}

function GroupLink(props: {
  readonly by: By;
  readonly row: UsageRow;
  readonly range: DayRange;
  readonly bucket: Bucket;
}) {
  const { by, row, range, bucket } = props;
  switch (by) {
    case 'session':
      return <a href={pageLinks.session(row.group)}>{row.title ?? row.group}</a>;
    case 'person':
    case 'machine':
      return <a href={withQuery({ [by]: row.group, by: 'project' })}>{row.group}</a>;
    case 'day': {
      const { from, to } = daysOfBucket(row.group, bucket, range);
      return <a href={withQuery({ from, to, by: 'session' })}>{row.group}</a>;
    }
    case 'agent':
      return (
        <a href={withQuery({ ...filterFor(by, row.group), by: 'model' })}>
          <AgentMark provider={row.group} /> {agentName(row.group)}
        </a>
      );
    case 'project':
      return (
        <a href={withQuery({ ...filterFor(by, row.group), by: 'session' })} title={row.group}>
          <MiddleCut text={row.group} />
        </a>
      );
    case 'model':
      return <a href={withQuery({ ...filterFor(by, row.group), by: 'project' })}>{row.group}</a>;
  }
}
