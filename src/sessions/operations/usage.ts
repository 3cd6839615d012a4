import { z } from 'zod';
import { operation, page } from '../../contract/operation.ts';
import { columns, countText } from '../../contract/people.ts';
import { timeOf } from '../../contract/time.ts';
import { PRICES_DATE } from '../tokens/prices.ts';
import type { UsageLine } from '../tokens/totals.ts';
import { freshness, provider, providerOf, type SessionServices, timeInput } from './shared.ts';

export interface UsageCard {
  readonly group: string;
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cache_write: number;
  readonly cached: number;
  readonly total: number;
  readonly responses: number;
  readonly models: readonly string[];
  readonly lower_bound?: true | undefined;
  readonly cost_usd?: number | undefined;
  readonly unpriced?: readonly string[] | undefined;
}

/** For people: agents see tokens in the sessions themselves. */
export const usage = operation<SessionServices>()({
  name: 'usage',
  toolset: undefined,
  readOnly: true,
  summary: 'Tokens and estimated cost by day, project, model or session; every response counted once.',
  input: z.strictObject({
    by: z.enum(['day', 'project', 'model', 'session']).default('day'),
    since: timeInput.optional(),
    until: timeInput.optional(),
    provider: provider.optional(),
  }),
  limit: { default: 50, max: 1000 },
  http: 'GET /api/usage',
  command: {
    words: 'sessions usage',
    positional: ['by'],
    examples: [
      'pinhole sessions usage',
      'pinhole sessions usage model --since 30d',
      'pinhole sessions usage project --json',
    ],
  },

  async run(input, { sessions, after, now }) {
    const meta = await freshness(sessions);
    const lines = await sessions.usage(input.by, {
      sinceMs: timeOf('since', input.since, now(), 'local'),
      untilMs: timeOf('until', input.until, now(), 'local'),
      provider: providerOf(input.provider),
    });
    const start = typeof after === 'string' ? lines.findIndex((line) => line.group === after) + 1 : 0;
    return page<UsageLine, { by: string; prices: string; usage: readonly UsageCard[] }>({
      rows: lines.slice(start),
      position: (line) => line.group,
      total: lines.length,
      shape: (rows) => ({ by: input.by, prices: PRICES_DATE, usage: rows.map(card) }),
      meta,
    });
  },

  text: ({ by, prices, usage: rows }) => {
    if (rows.length === 0) return 'No usage.';
    const numbers = (row: Pick<UsageCard, 'input' | 'output' | 'cache_write' | 'cached' | 'total'>) =>
      [row.input, row.output, row.cache_write, row.cached, row.total].map(countText);
    const sum = (pick: (row: UsageCard) => number) => rows.reduce((total, row) => total + pick(row), 0);
    const whole = {
      input: sum((row) => row.input),
      output: sum((row) => row.output),
      cache_write: sum((row) => row.cache_write),
      cached: sum((row) => row.cached),
      total: sum((row) => row.total),
    };
    const models = (row: UsageCard) => (by === 'model' ? [] : [row.models.map(modelText).join(' ')]);
    const table = columns(
      [
        [
          by,
          'input',
          'output',
          'cache write',
          'cache read',
          'total',
          'cost',
          ...(by === 'model' ? [] : ['models']),
        ],
        ...rows.map((row) => [row.group, ...numbers(row), money(row.cost_usd), ...models(row)]),
        ['together', ...numbers(whole), money(sum((row) => row.cost_usd ?? 0))],
      ],
      [1, 2, 3, 4, 5, 6],
    );
    const unpriced = [...new Set(rows.flatMap((row) => row.unpriced ?? []))];
    const bound = rows.some((row) => row.lower_bound)
      ? '\noutput is a lower bound where the client never wrote the final count'
      : '';
    const missing = unpriced.length === 0 ? '' : `, without ${unpriced.join(', ')}: no price is known`;
    return `${table}\ncost: an estimate from list prices of ${prices}${missing}${bound}`;
  },
});

/** A model's name without its maker and its date. */
function modelText(model: string): string {
  return model.replace(/^claude-/, '').replace(/-\d{8}$/, '');
}

function money(dollars: number | undefined): string {
  return dollars === undefined ? '-' : `$${dollars.toFixed(2)}`;
}

function card(line: UsageLine): UsageCard {
  return {
    group: line.group,
    input: line.usage.input + line.usage.tool,
    output: line.usage.output,
    reasoning: line.usage.reasoning,
    cache_write: line.usage.cacheWrite,
    cached: line.usage.cached,
    total: line.total,
    responses: line.responses,
    models: line.models,
    lower_bound: line.lowerBounds > 0 ? true : undefined,
    cost_usd: line.unpriced.length === line.models.length ? undefined : Number(line.cost.toFixed(4)),
    unpriced: line.unpriced.length > 0 ? line.unpriced : undefined,
  };
}
