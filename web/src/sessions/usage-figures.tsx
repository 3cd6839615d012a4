import type { ComponentChildren } from 'preact';
import { countOf, countText, moneyText, percentText, shortCount } from '../ui/format.ts';
import type { UsageCard } from './types.ts';
import type { UsageRow } from './usage-parts.ts';

/** The totals of a range, compared with those of the previous range. */
export function UsageFigures(props: {
  readonly rows: readonly UsageCard[];
  readonly before: readonly UsageCard[] | undefined;
  readonly days: number;
  readonly prices: string;
}) {
  const { rows, before = [] } = props;
  const least = rows.some((row) => row.lower_bound) ? '≥ ' : '';
  const figure = (pick: (row: UsageCard) => number) => [sumOf(rows, pick), sumOf(before, pick)] as const;
  const [cost, costBefore] = figure((row) => row.cost_usd ?? 0);
  const [tokens, tokensBefore] = figure((row) => row.total);
  const [output, outputBefore] = figure((row) => row.output);
  const [responses, responsesBefore] = figure((row) => row.responses);
  const span = `in the ${countOf(props.days, 'day')} before`;
  const unpriced = [...new Set(rows.flatMap((row) => row.unpriced ?? []))];
  return (
    <dl class="figures usage-figures">
      <Big
        label={`at list prices of ${props.prices}${unpriced.length === 0 ? '' : `, without ${unpriced.join(', ')}`}`}
        value={rows.some((row) => row.cost_usd !== undefined) ? `${least}${moneyText(cost)}` : '–'}
        change={<Change now={cost} before={costBefore} was={`${moneyText(costBefore)} ${span}`} />}
      />
      <Big
        label="tokens"
        value={`${least}${shortCount(tokens)}`}
        change={<Change now={tokens} before={tokensBefore} was={`${shortCount(tokensBefore)} ${span}`} />}
      />
      <Big
        label="of the input read from cache"
        value={cacheText(rows)}
        change={before.length > 0 && <span class="quiet">{cacheText(before)} before</span>}
      />
      <Big
        label="output"
        value={`${least}${shortCount(output)}`}
        change={<Change now={output} before={outputBefore} was={`${shortCount(outputBefore)} ${span}`} />}
      />
      <Big
        label="responses"
        value={countText(responses)}
        change={
          <Change now={responses} before={responsesBefore} was={`${countText(responsesBefore)} ${span}`} />
        }
      />
    </dl>
  );
}

function Big(props: { readonly value: string; readonly label: string; readonly change: ComponentChildren }) {
  return (
    <div class="figure">
      <dd>
        {props.value} <span class="usage-change">{props.change}</span>
      </dd>
      <dt>{props.label}</dt>
    </div>
  );
}

/** How a value changed; empty if there was nothing before. */
export function Change(props: { readonly now: number; readonly before: number; readonly was: string }) {
  const { now, before } = props;
  if (before <= 0) return null;
  const change = now / before - 1;
  const text =
    change > 9.99 ? '> +999 %' : `${change < 0 ? '−' : '+'}${Math.round(Math.abs(change) * 100)} %`;
  return (
    <span class="quiet" title={props.was}>
      {text}
      <span class="hidden-text">, {props.was}</span>
    </span>
  );
}

export function sumOf<Row>(rows: readonly Row[], pick: (row: Row) => number): number {
  return rows.reduce((total, row) => total + pick(row), 0);
}

/** The share of all input tokens that came from the cache, where agents record it; a dash if none does. */
export function cacheText(rows: readonly UsageRow[]): string {
  const known = rows.filter((row) => row.cached !== undefined);
  if (known.length === 0) return '–';
  const cached = sumOf(known, (row) => row.cached ?? 0);
  const all = sumOf(known, (row) => row.input + (row.cache_write ?? 0)) + cached;
  return percentText(all === 0 ? 0 : cached / all);
}
