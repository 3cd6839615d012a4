import { useState } from 'preact/hooks';
import { call } from '../data/call.ts';
import { refreshAll } from '../data/client.ts';
import type { DataOf } from '../data/operations.ts';
import { useAnswer } from '../data/use-answer.ts';
import { Badge, Panel } from '../ui/basics.tsx';
import { Failure, Skeleton } from '../ui/states.tsx';

type Prices = DataOf<'usage_prices'>;
type Price = Prices['prices'][number];

const RATES = [
  ['input', 'Input'],
  ['cached', 'Cached'],
  ['cache_write', 'Cache write'],
  ['output', 'Output'],
] as const;

type Draft = Readonly<Record<'model' | (typeof RATES)[number][0], string>>;
const EMPTY: Draft = { model: '', input: '', cached: '', cache_write: '', output: '' };

/** The prices behind every cost estimate: list prices, and those set here. */
export function PricesPanel() {
  const { answer, error, reload } = useAnswer('usage_prices', {});
  const [draft, setDraft] = useState<Draft>();
  const [problem, setProblem] = useState<string>();
  const change = async (work: () => Promise<unknown>) => {
    setProblem(undefined);
    try {
      await work();
      setDraft(undefined);
      // Any figure on the page may include this model.
      refreshAll();
    } catch (failure) {
      setProblem(failure instanceof Error ? failure.message : String(failure));
    }
  };
  const save = (given: Draft) =>
    change(() => {
      const rates = RATES.flatMap(([name]) => (given[name] === '' ? [] : [[name, Number(given[name])]]));
      return call('usage_prices', { model: given.model, ...Object.fromEntries(rates) });
    });
  const data = answer?.data;
  return (
    <Panel title="Prices">
      {error && !data && <Failure error={error} retry={reload} />}
      {!data && !error && <Skeleton lines={5} />}
      {data && (
        <>
          <p class="hint-line">
            Dollars per million tokens, of the models in your sessions: list prices of {data.listed_at}, or
            what you pay. Plans and discounts are not known to Pinhole.
          </p>
          <PriceTable
            data={data}
            edit={setDraft}
            reset={(model) => change(() => call('usage_prices', { model, reset: true }))}
          />
          {draft === undefined ? (
            <p class="panel-body">
              <button type="button" class="button small" onClick={() => setDraft(EMPTY)}>
                Set a price…
              </button>
            </p>
          ) : (
            <PriceForm draft={draft} data={data} change={setDraft} save={() => void save(draft)} />
          )}
          {problem && (
            <p class="hint-line failed" role="alert">
              {problem}
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

const RATE = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  // Some prices are parts of a cent.
  maximumFractionDigits: 4,
});

/** `$5.00`, `$0.175`: a price per million tokens. */
function rateText(dollars: number): string {
  return RATE.format(dollars);
}

function PriceTable(props: {
  readonly data: Prices;
  readonly edit: (draft: Draft) => void;
  readonly reset: (model: string) => void;
}) {
  const { prices, unpriced } = props.data;
  const shown = prices.filter(({ used, own }) => used || own);
  return (
    <div class="scroll-x">
      <table class="table price-table">
        <thead>
          <tr>
            <th scope="col">Model</th>
            {RATES.map(([name, label]) => (
              <th key={name} scope="col" class={name === 'cache_write' ? 'num wide-only' : 'num'}>
                {label}
              </th>
            ))}
            <th scope="col">
              <span class="hidden-text">Change</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((price) => (
            <tr key={price.model}>
              <td>
                {price.model} {price.own && <Badge>yours</Badge>}
              </td>
              {RATES.map(([name]) => (
                <td
                  key={name}
                  class={name === 'cache_write' ? 'num wide-only' : 'num'}
                  title={price.list && `List price: ${rateText(price.list[name])}`}
                >
                  {rateText(price[name])}
                </td>
              ))}
              <td class="fit">
                <button
                  type="button"
                  class="button small plain"
                  aria-label={`Change the price of ${price.model}`}
                  onClick={() => props.edit(draftOf(price))}
                >
                  Change…
                </button>
                {price.own && (
                  <button
                    type="button"
                    class="button small plain"
                    aria-label={`${price.list ? 'List price of' : 'Remove the price of'} ${price.model}`}
                    onClick={() => props.reset(price.model)}
                  >
                    {price.list ? 'List price' : 'Remove'}
                  </button>
                )}
              </td>
            </tr>
          ))}
          {unpriced.map((model) => (
            <tr key={model}>
              <td>{model}</td>
              <td class="quiet" colSpan={RATES.length}>
                no price, so its cost is not counted
              </td>
              <td class="fit">
                <button
                  type="button"
                  class="button small plain"
                  aria-label={`Set a price for ${model}`}
                  onClick={() => props.edit({ ...EMPTY, model })}
                >
                  Set…
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PriceForm(props: {
  readonly draft: Draft;
  readonly data: Prices;
  readonly change: (draft: Draft | undefined) => void;
  readonly save: () => void;
}) {
  const { draft, data, change } = props;
  return (
    <form
      class="toolbar panel-body"
      onSubmit={(event) => {
        event.preventDefault();
        props.save();
      }}
    >
      <label class="price-field model">
        Model
        <input
          class="field mono"
          required
          maxLength={200}
          list="price-models"
          value={draft.model}
          onInput={(event) => change({ ...draft, model: event.currentTarget.value })}
        />
      </label>
      <datalist id="price-models">
        {[...new Set([...data.used, ...data.prices.map(({ model }) => model)])].map((model) => (
          <option key={model} value={model} />
        ))}
      </datalist>
      {RATES.map(([name, label]) => (
        <label key={name} class="price-field">
          {label}
          <input
            class="field"
            type="number"
            min="0"
            step="any"
            inputMode="decimal"
            value={draft[name]}
            onInput={(event) => change({ ...draft, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <button type="submit" class="button primary">
        Save
      </button>
      <button type="button" class="button" onClick={() => change(undefined)}>
        Cancel
      </button>
    </form>
  );
}

function draftOf(price: Price): Draft {
  const { model, input, cached, cache_write, output } = price;
  return {
    model,
    input: String(input),
    cached: String(cached),
    cache_write: String(cache_write),
    output: String(output),
  };
}
