import { realpathSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeFiles } from '../../../../test/fixtures/code/made-tree.ts';
import { type OpenedCode, openedCode } from '../../../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../../../test/support.ts';

let root = '';
let opened: OpenedCode;
beforeAll(async () => {
  root = realpathSync(temporaryFolder());
  opened = await openedCode({ home: temporaryFolder() });
  writeFiles(root, {
    'web-kit/src/lib.rs': 'pub mod layers;\nfn own() {\n    layers::wrap(1);\n}\n',
    'web-kit/src/layers/mod.rs': 'mod make;\npub use make::wrap;\n',
    'web-kit/src/layers/make.rs': 'pub fn wrap(n: i32) -> i32 { n }\n',
    'app/src/main.rs': 'use web_kit::{layers::{self, Next}, Router};\nfn main() {\n    layers::wrap(2);\n}\n',
    'app/src/plain.rs': 'use web_kit::layers;\nfn plain() {\n    layers::wrap(3);\n}\n',
    'app/src/far.rs': 'use other::layers;\nfn far() {\n    layers::wrap(4);\n}\n',
  });
});
afterAll(() => opened.close(false));

test('a function of Rust is called through its module, in its crate and in others of the tree', async () => {
  const { value } = await opened.code.symbols.ask(
    opened.code.trees.at(root).tree,
    { files: () => true },
    new AbortController().signal,
    async ({ rows, references }) => {
      const [found] = await rows.definitionsNamed('wrap');
      if (found === undefined) throw new Error('wrap is not defined');
      return references.of(found);
    },
  );
  const calls = value.certain.filter(({ kind }) => kind === 'call');
  expect(calls.map(({ path, line }) => `${path}:${line}`)).toEqual([
    'app/src/main.rs:3',
    'app/src/plain.rs:3',
    'web-kit/src/lib.rs:3',
  ]);
});
