import { realpathSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeFiles } from '../../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../../../test/support.ts';

const never = new AbortController().signal;
let root = '';
let opened: OpenedCode;
beforeEach(async () => {
  root = realpathSync(temporaryFolder());
  opened = await openedCode({ home: temporaryFolder() });
  writeFiles(root, {
    'lib/shop.ex': 'defmodule Shop do\n  def open, do: :ok\nend\n',
    'lib/shop/cart.ex': `defmodule Shop.Cart do
  def put(cart, item), do: [item | cart]

  defmodule Line do
    def put(line), do: line
  end

  def nested(line), do: Line.put(line)
end
`,
    'lib/shop/store.ex': `defmodule Shop.Store do
  defmacro __using__(_) do
    quote do
      def insert_all(rows), do: rows
    end
  end
end
`,
    'lib/my_store.ex': 'defmodule MyStore do\n  use Shop.Store\nend\n',
    'lib/multi.ex': 'defmodule Multi do\n  def insert_all(rows), do: rows\nend\n',
    'test/cart_test.exs': `defmodule Shop.CartTest do
  alias Shop.Cart
  alias Shop.Cart, as: Basket
  import Shop.Cart

  def first(cart) do
    cart |> Shop.Cart.put(1)
    cart |> Cart.put(2)
    Basket.put(cart, 3)
    put(cart, 4)
    Cart.Line.put(cart)
    Map.put(cart, :a, 5)
    cart.put(6)
  end

  def second(store, rows) do
    MyStore.insert_all(rows)
    Multi.insert_all(rows)
    store.insert_all(rows)
  end
end
`,
  });
});
afterEach(() => opened.close(false));

async function uses(owner: string, name: string) {
  const { value } = await opened.code.symbols.ask(
    opened.code.trees.at(root).tree,
    { files: () => true },
    never,
    async ({ rows, references }) => {
      const found = (await rows.definitionsNamed(name)).find(({ scope }) => scope === owner);
      if (found === undefined) throw new Error(`${owner}.${name} is not defined`);
      return references.of(found);
    },
  );
  const places = (list: typeof value.certain) => list.map(({ path, line }) => `${path}:${line}`);
  return { certain: places(value.certain), possible: places(value.possible) };
}

test('a function is called by the name of its module, an alias of it, or after an import', async () => {
  expect(await uses('Shop.Cart', 'put')).toEqual({
    certain: [7, 8, 9, 10].map((line) => `test/cart_test.exs:${line}`),
    possible: ['test/cart_test.exs:13'],
  });
  expect(await uses('Shop.Cart.Line', 'put')).toEqual({
    certain: ['lib/shop/cart.ex:8', 'test/cart_test.exs:11'],
    possible: ['test/cart_test.exs:13'],
  });
});

test('a module has what `use` writes into it; a module in a variable may be any', async () => {
  expect(await uses('Shop.Store.__using__', 'insert_all')).toEqual({
    certain: ['test/cart_test.exs:17'],
    possible: ['test/cart_test.exs:19'],
  });
  expect(await uses('Multi', 'insert_all')).toEqual({
    certain: ['test/cart_test.exs:18'],
    possible: ['test/cart_test.exs:19'],
  });
});
