import { z } from 'zod';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { OPTIONAL_TOKENS, type OptionalTokens } from '../providers/provider.ts';
import type { UsageServices } from '../services.ts';
import { PRICES_ASSUME, PRICES_DATE } from '../tokens/prices.ts';
import { USAGE_GROUPS, type UsageGroup, type UsageLine } from '../tokens/totals.ts';
import { recorded } from '../tokens/unrecorded.ts';
import { machine, person, project, provider, sessionScope, since, until } from './session-inputs.ts';
import { snip } from './session-text.ts';
import { usageText } from './usage-text.ts';

const MAX_TITLE_LENGTH = 140;

const usagePartSchema = z.object({
  group: z.string(),
  input: z.int(),
  output: z.int(),
  cache_write: z.int().optional(),
  cached: z.int().optional(),
  total: z.int(),
  responses: z.int(),
  lower_bound: z.literal(true).optional(),
  cost_usd: z.number().optional(),
});

const usageCardSchema = z.object({
  group: z.string(),
  title: z.string().optional().describe('of a session, or how its first prompt begins'),
  input: z.int(),
  output: z.int(),
  reasoning: z
    .int()
    .optional()
    .describe('absent, like other kinds of tokens, if no agent of the group records it'),
  cache_write: z.int().optional(),
  cache_write_1h: z.int().optional().describe('the part of cache_write that is kept for an hour'),
  cached: z.int().optional(),
  total: z.int(),
  responses: z.int(),
  models: z.array(z.string()),
  lower_bound: z.literal(true).optional(),
  cost_usd: z.number().optional(),
  long_context: z.int().optional().describe('responses to prompts so long that their tokens cost more'),
  unpriced: z.array(z.string()).optional().describe('models without a known price'),
  parts: z.array(usagePartSchema).optional().describe('the same tokens by what split names'),
});

const usageSchema = z.object({
  by: z.string(),
  zone: z.string().optional().describe('the time zone of the days'),
  prices: z.string().describe('the date of the prices'),
  own_prices: z.array(z.string()).optional().describe('models whose price you set'),
  assumed: z.string().describe('what the estimate assumes'),
  groups: z.int().optional().describe('how many there are in all, if these are not all'),
  unrecorded: z
    .array(z.object({ kind: z.enum(['cached', 'cache_write', 'reasoning']), agents: z.array(z.string()) }))
    .optional()
    .describe('kinds of tokens that these sums lack, and the agents that never record them'),
  without_tokens: z
    .array(z.object({ agent: z.string(), sessions: z.int() }))
    .optional()
    .describe('sessions in this range whose logs have no tokens at all'),
  usage: z.array(usageCardSchema),
});

export type UsageCard = ReadonlyData<typeof usageCardSchema>;
export type UsageData = ReadonlyData<typeof usageSchema>;

const DAYS: readonly UsageGroup[] = ['day', 'week', 'month'];
/** Words that users of other programs type. */
const OTHER_WORDS = new Map<unknown, UsageGroup>([
  ['daily', 'day'],
  ['weekly', 'week'],
  ['monthly', 'month'],
]);

/** For people: agents see tokens in the sessions themselves. */
export const usage = operation<UsageServices>()({
  name: 'usage',
  toolset: undefined,
  readOnly: true,
  // Exact totals require reading every unread log, however long that takes.
  timeoutMs: 600_000,
  summary:
    'Tokens and estimated cost by day, week, month, project, model, agent, session, machine or person; every response counted once.',
  input: z.strictObject({
    by: z
      .preprocess((given) => OTHER_WORDS.get(given) ?? given, z.enum(USAGE_GROUPS).default('day'))
      .describe('what to group by'),
    since: since.optional(),
    until: until.optional(),
    provider: provider.optional(),
    project: project.optional(),
    machine: machine.optional(),
    person: person.optional(),
    model: z.string().optional().describe('only responses of this model'),
    split: z
      .enum(['project', 'model', 'agent'])
      .optional()
      .describe('also shows what each group consists of, by this'),
    sort: z
      .enum(['group', 'total', 'input', 'output', 'cached', 'cost'])
      .optional()
      .describe('what comes first: the newest day, week or month (group), or the largest of a column'),
  }),
  data: usageSchema,
  limit: { default: 50, max: 1000 },
  rows: 'usage',
  http: 'GET /api/usage',
  command: {
    words: 'sessions usage',
    positional: ['by'],
    examples: [
      'pinhole sessions usage',
      'pinhole sessions usage model --since 30d',
      'pinhole sessions usage monthly --project .',
      'pinhole sessions usage session --sort output',
      'pinhole sessions usage project --json',
    ],
  },

  async run(input, ctx) {
    const { sessions, after, zone, caller } = ctx;
    const filter = { ...sessionScope(input, ctx), model: input.model, split: input.split };
    const {
      lines: found,
      withoutTokens,
      ...meta
    } = await sessions.usage.now(input.by, zone, filter, caller.door === 'page');
    const lines = [...found];
    const own = Object.keys(sessions.prices.table());
    if (input.sort !== undefined) lines.sort(orderOf(input.sort));
    const start = typeof after === 'string' ? lines.findIndex((line) => line.group === after) + 1 : 0;
    return page<UsageLine, UsageData>({
      rows: lines.slice(start),
      position: (line) => line.group,
      total: lines.length,
      shape: (rows) => ({
        by: input.by,
        zone: DAYS.includes(input.by) ? zone : undefined,
        prices: PRICES_DATE,
        own_prices: own.length > 0 ? own : undefined,
        assumed: PRICES_ASSUME,
        groups: rows.length < lines.length ? lines.length : undefined,
        unrecorded: unrecordedBy(rows),
        without_tokens: withoutTokens.length > 0 ? withoutTokens : undefined,
        usage: rows.map(usageCard),
      }),
      meta,
    });
  },

  text: usageText,
});

const KINDS: Readonly<Record<OptionalTokens, 'cached' | 'cache_write' | 'reasoning'>> = {
  cached: 'cached',
  cacheWrite: 'cache_write',
  reasoning: 'reasoning',
};

/** The kinds of tokens that some agents of these lines never record. */
function unrecordedBy(lines: readonly UsageLine[]): UsageData['unrecorded'] {
  const found = OPTIONAL_TOKENS.flatMap((kind) => {
    const agents = lines.flatMap(({ unrecorded }) =>
      unrecorded.filter((one) => one.kind === kind).flatMap((one) => one.agents),
    );
    return agents.length === 0 ? [] : [{ kind: KINDS[kind], agents: [...new Set(agents)].sort() }];
  });
  return found.length === 0 ? undefined : found;
}

/** Undefined if no model has a known price. */
function dollarsOf(line: UsageLine): number | undefined {
  return line.unpriced.length === line.models.length ? undefined : Number(line.cost.toFixed(4));
}

function usageCard(line: UsageLine): UsageCard {
  return {
    group: line.group,
    title: line.title === undefined ? undefined : snip(line.title, MAX_TITLE_LENGTH),
    input: line.usage.input + line.usage.tool,
    output: line.usage.output,
    reasoning: recorded(line.usage, line.unrecorded, 'reasoning'),
    cache_write: recorded(line.usage, line.unrecorded, 'cacheWrite'),
    cache_write_1h: line.usage.cacheWriteHour || undefined,
    cached: recorded(line.usage, line.unrecorded, 'cached'),
    total: line.total,
    responses: line.responses,
    models: line.models,
    lower_bound: line.lowerBounds > 0 ? true : undefined,
    cost_usd: dollarsOf(line),
    long_context: line.longResponses || undefined,
    unpriced: line.unpriced.length > 0 ? line.unpriced : undefined,
    parts: line.parts?.map((part) => ({
      group: part.group,
      input: part.usage.input + part.usage.tool,
      output: part.usage.output,
      cache_write: recorded(part.usage, part.unrecorded, 'cacheWrite'),
      cached: recorded(part.usage, part.unrecorded, 'cached'),
      total: part.total,
      responses: part.responses,
      lower_bound: part.lowerBounds > 0 ? true : undefined,
      cost_usd: dollarsOf(part),
    })),
  };
}

type Sort = 'group' | 'total' | 'input' | 'output' | 'cached' | 'cost';

function orderOf(sort: Sort): (a: UsageLine, b: UsageLine) => number {
  if (sort === 'group') return (a, b) => (a.group < b.group ? 1 : -1);
  const size = (line: UsageLine) =>
    sort === 'total' ? line.total : sort === 'cost' ? line.cost : line.usage[sort];
  return (a, b) => size(b) - size(a) || (a.group < b.group ? -1 : 1);
}
