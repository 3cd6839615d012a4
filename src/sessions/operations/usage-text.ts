import { columns, countOf, countText, shortCount } from '../../contract/format.ts';
import type { TextStyle } from '../../contract/operation.ts';
import { shownLength } from '../../contract/painted-text.ts';
import { modelText } from './session-text.ts';
import type { UsageCard, UsageData } from './usage.ts';
import { usageGaps } from './usage-gaps.ts';

/** The columns of tokens, in the order of the table. */
const NUMBERS = ['input', 'output', 'cache_write', 'cached', 'total'] as const;

/** The totals as a table, then what they assume and what they lack. */
export function usageText(data: UsageData, { terminal, paint }: TextStyle): string {
  const { by, prices, own_prices, assumed, groups, usage: rows } = data;
  const lacking = usageGaps(data);
  if (rows.length === 0) return ['No usage.', ...lacking].join('\n');
  const sum = (pick: (row: UsageCard) => number | undefined) =>
    rows.reduce((total, row) => total + (pick(row) ?? 0), 0);
  const whole = NUMBERS.map((name) =>
    rows.some((row) => row[name] !== undefined) ? sum((row) => row[name]) : undefined,
  );
  const split = rows.some((row) => row.parts !== undefined);
  const models = (row: UsageCard) => {
    if (row.parts !== undefined) return [row.parts.map(partText).join(', ')];
    return by === 'model' ? [] : [row.models.map(modelText).join(' ')];
  };
  const tableWith = (count: typeof countText) => {
    const cell = (tokens: number | undefined) => (tokens === undefined ? '-' : count(tokens));
    return columns(
      [
        [
          by,
          'input',
          'output',
          'cache write',
          'cache read',
          'total',
          'cost',
          ...(split ? ['of these'] : by === 'model' ? [] : ['models']),
        ].map((name) => paint('heading', name)),
        ...rows.map((row) => [
          row.group,
          ...NUMBERS.map((name) => cell(row[name])),
          money(row.cost_usd),
          ...models(row),
        ]),
        [
          groups === undefined ? 'total' : `${rows.length} of ${groups}`,
          ...whole.map(cell),
          money(rows.some((row) => row.cost_usd !== undefined) ? sum((row) => row.cost_usd) : undefined),
        ],
      ],
      [1, 2, 3, 4, 5, 6],
    );
  };
  const exact = tableWith(countText);
  const tooWide = exact.split('\n').some((line) => shownLength(line) > (terminal?.columns ?? line.length));
  const table = tooWide ? tableWith(shortCount) : exact;
  const unpriced = [...new Set(rows.flatMap((row) => row.unpriced ?? []))];
  const bound = rows.some((row) => row.lower_bound)
    ? '\noutput is a lower bound where the agent never wrote the final count'
    : '';
  const missing = unpriced.length === 0 ? '' : `, without ${unpriced.join(', ')} (no known price)`;
  const hour = sum((row) => row.cache_write_1h);
  const long = sum((row) => row.long_context);
  const costlier = [
    ...(hour > 0 ? [`${countText(hour)} tokens written to the one-hour cache`] : []),
    ...(long > 0 ? [`${countOf(long, 'response')} to long prompts`] : []),
  ];
  const surcharges = costlier.length === 0 ? '' : `\nat higher prices: ${costlier.join(', ')}`;
  const yours = own_prices === undefined ? '' : `, and your own for ${own_prices.join(', ')}`;
  const cost = `cost: estimated from list prices of ${prices}${yours}${missing}; ${assumed}${surcharges}${bound}`;
  return [table, cost, ...lacking].join('\n');
}

function money(dollars: number | undefined): string {
  return dollars === undefined ? '-' : `$${dollars.toFixed(2)}`;
}

function partText({ group, cost_usd, total }: NonNullable<UsageCard['parts']>[number]): string {
  return `${group} ${cost_usd === undefined ? countText(total) : money(cost_usd)}`;
}
