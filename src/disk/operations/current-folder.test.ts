import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { indexed } from '../../../test/disk/indexed.ts';
import { emptyFolder } from '../../../test/disk/made-tree.ts';
import { ask } from '../../../test/support.ts';
import { openApp } from '../../app/open-app.ts';

const house = await openApp({ home: emptyFolder(), log: () => {}, baseUrl: () => 'http://127.0.0.1:4747' });
afterAll(() => house.close());
const known = emptyFolder();
const other = emptyFolder();
mkdirSync(join(known, 'sub'));
for (const file of ['top.txt', 'sub/inner.txt']) writeFileSync(join(known, file), 'x'.repeat(5000));
await indexed(house, known, { roots: [known] });

test.each(['disk_summary', 'disk_largest', 'disk_find'])(
  'at a terminal, %s is about the folder that the person is in',
  async (operation) => {
    const at = async (cwd: string) =>
      (await ask(house, operation, {}, { door: 'cli', roots: [known, other], cwd })).body;
    const text = JSON.stringify((await at(known)).data);
    expect(text).toContain('top.txt');
    const below = JSON.stringify((await at(join(known, 'sub'))).data);
    expect(below).toContain('inner.txt');
    expect(below).not.toContain('top.txt');
    // Not about the only index there is, which is of another folder.
    expect((await at(other)).error).toMatchObject({
      code: 'index_not_found',
      message: `No index covers '${other}'.`,
    });
  },
);
