import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';

const all = temporaryFolder();
for (const name of ['one', 'two']) {
  mkdirSync(join(all, name, '.git'), { recursive: true });
  mkdirSync(join(all, name, 'src'));
  writeFileSync(join(all, name, 'src/hello.ts'), `export function hello() {\n  return '${name}';\n}\n`);
  writeFileSync(
    join(all, name, 'use.ts'),
    "import { hello } from './src/hello';\nexport const said = hello();\n",
  );
}
writeFileSync(join(all, 'one/only.ts'), 'export function onlyInOne() {}\n');
const house = await temporaryApp();

test('in a repository of a folder that is indexed whole, a symbol is that of the repository', async () => {
  const index = { path: all, pattern: 'hello' };
  await ask(house, 'regex_search', index, { roots: [all], cwd: all });
  for (const cwd of [join(all, 'two'), join(all, 'two/src')]) {
    const symbol = async (name: string) =>
      (await ask(house, 'symbol', { name }, { roots: [all], cwd })).body.data;
    const paths = JSON.stringify(await symbol('hello'));
    expect(paths).toContain('two/src/hello.ts');
    expect(paths).toContain('two/use.ts');
    expect(paths).not.toContain('one/');
    expect(JSON.stringify(await symbol('onlyInOne'))).not.toContain('export function onlyInOne');
  }
  const both = await ask(house, 'symbol', { name: 'hello' }, { roots: [all], cwd: all });
  expect(JSON.stringify(both.body.data)).toContain('one/src/hello.ts');
});
