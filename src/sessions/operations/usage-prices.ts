import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { columns } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import type { SessionServices } from '../services.ts';
import { rate } from '../tokens/own-prices.ts';
import {
  LIST_PRICES,
  modelName,
  PRICES_DATE,
  type PriceTable,
  pricedAs,
  priceOf,
  type Rates,
} from '../tokens/prices.ts';

const ratesSchema = z.object({
  input: z.number(),
  cached: z.number(),
  cache_write: z.number(),
  output: z.number(),
});

const priceSchema = ratesSchema.extend({
  model: z.string(),
  used: z.literal(true).optional().describe('a model in your sessions has this price'),
  own: z.literal(true).optional().describe('you set it'),
  list: ratesSchema.optional().describe('the list price that yours replaces'),
});

const pricesSchema = z.object({
  listed_at: z.string().describe('the date of the list prices'),
  prices: z.array(priceSchema).describe('dollars per million tokens'),
  used: z.array(z.string()).describe('the models of your sessions'),
  unpriced: z.array(z.string()).describe('models without a price'),
});

type Prices = ReadonlyData<typeof pricesSchema>;

const RATES = ['input', 'cached', 'cache_write', 'output'] as const;

/** For people: what they pay is up to them. */
export const usagePrices = operation<SessionServices>()({
  name: 'usage_prices',
  toolset: undefined,
  readOnly: false,
  access: 'person',
  summary:
    'The prices that every cost is estimated with, in dollars per million tokens. Give a model and what it costs you to set its price; reset goes back to the list price.',
  input: z.strictObject({
    model: z.string().trim().min(1).max(200).optional().describe('the model, as the logs name it'),
    input: rate.optional().describe('dollars per million tokens of input'),
    cached: rate.optional().describe('of input read from the cache (default: as before, or as input)'),
    cache_write: rate.optional().describe('of input written to the cache (default: as before, or as input)'),
    output: rate.optional().describe('of output'),
    reset: z.boolean().optional().describe('back to list prices, for the model or for all'),
  }),
  data: pricesSchema,
  http: ['GET /api/prices', 'POST /api/prices'],
  command: {
    words: 'sessions prices',
    positional: ['model'],
    examples: [
      'pinhole sessions prices',
      'pinhole sessions prices claude-opus-5 --input 4 --output 20',
      'pinhole sessions prices claude-opus-5 --reset',
      'pinhole sessions prices --reset',
    ],
  },

  async run({ model, reset, ...given }, { sessions }) {
    const { prices } = sessions;
    const some = RATES.some((name) => given[name] !== undefined);
    if (reset && some) fail('invalid_parameter', 'Give prices or reset, not both.');
    if (some && model === undefined) fail('invalid_parameter', 'Give the model that these prices are for.');
    if (reset && !(await prices.reset(model)) && model !== undefined)
      fail('not_found', `You have not set a price for '${model}'. See yours with: pinhole sessions prices`);
    if (some && model !== undefined) await prices.set(model, ratesWith(model, given, prices.table()));
    const used = await sessions.usage.models();
    const own = prices.table();
    const priced = new Set(used.map((name) => pricedAs(name, own)));
    const names = Object.keys({ ...own, ...LIST_PRICES });
    const wanted =
      some || reset || model === undefined ? names : names.filter((name) => name === modelName(model));
    return single<Prices>({
      listed_at: PRICES_DATE,
      prices: wanted.map((name) => ({ ...priceLine(name, own), ...(priced.has(name) && { used: true }) })),
      used,
      unpriced: used.filter((name) => pricedAs(name, own) === undefined),
    });
  },

  text: ({ listed_at, prices, unpriced }) =>
    [
      columns(
        [
          ['model', 'input', 'cached', 'cache write', 'output', ''],
          ...prices.map((price) => [
            price.model,
            ...RATES.map((name) => String(price[name])),
            price.own ? 'yours' : '',
          ]),
        ],
        [1, 2, 3, 4],
      ),
      `dollars per million tokens; list prices of ${listed_at}`,
      ...(unpriced.length === 0 ? [] : [`without a price: ${unpriced.join(', ')}`]),
    ].join('\n'),
});

/** The given prices; the others stay unchanged, or default to the input price. */
function ratesWith(
  model: string,
  given: Partial<Record<(typeof RATES)[number], number | undefined>>,
  own: PriceTable,
): Rates {
  const before = priceOf(model, 0, own);
  const input = given.input ?? before?.input;
  const output = given.output ?? before?.output;
  if (input === undefined || output === undefined)
    fail('invalid_parameter', `'${model}' has no price yet. Give at least input and output.`);
  return [
    input,
    given.cached ?? before?.cached ?? input,
    given.cache_write ?? before?.cacheWrite ?? input,
    output,
  ];
}

function priceLine(model: string, own: PriceTable): Prices['prices'][number] {
  const ofTable = (table: PriceTable) => {
    const rates = table[model];
    if (rates === undefined) return undefined;
    const [input, cached, cache_write, output] = rates;
    return { input, cached, cache_write, output };
  };
  const [mine, list] = [ofTable(own), ofTable(LIST_PRICES)];
  const price = mine ?? list;
  if (price === undefined) throw new Error(`no price of ${model}`);
  return { model, ...price, ...(mine && { own: true, list }) };
}
