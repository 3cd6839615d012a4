import { realpathSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { ask, temporaryApp, temporaryFolder } from '../../../test/support.ts';
import type { OpenApp } from '../../app/open-app.ts';

let app: OpenApp;
let root = '';
beforeAll(async () => {
  app = await temporaryApp();
  root = realpathSync(temporaryFolder());
  writeFiles(root, {
    'src/pool.ts': `import type { Socket } from './socket.ts';

/** Keeps sockets. */
export class Pool {
  readonly #free: Socket[] = [];

  acquire(): Socket | undefined {
    this.#count();
    return this.#free.pop();
  }

  #count(): number {
    return this.#free.length;
  }
}

export class Lock {
  acquire(): void {}
}
`,
    'src/socket.ts': 'export interface Socket {\n  readonly port: number;\n}\n',
    'src/use.ts': `import { Lock, Pool } from './pool.ts';

export function work(pool: Pool, anything: any) {
  pool.acquire();
  new Pool().acquire();
  new Lock().acquire();
  anything.acquire();
}
export const token = '${`ghp_${'A1b2C3d4E5f6'.repeat(3)}`}';
`,
    'src/pool.test.ts': "import { Pool } from './pool.ts';\nnew Pool().acquire();\nnew Pool().acquire();\n",
    'lib/a.c': '#include "a.h"\nint twice(int n)\n{\n  return 2 * n;\n}\n',
    'lib/a.h': 'int twice(int n);\n',
    'lib/b.c': '#include "a.h"\nint four(void)\n{\n  return twice(twice(1));\n}\n',
    'lib/c.c': '#include "b.h"\nint eight(void)\n{\n  return 2 * four();\n}\n',
    'go/store.go': 'package store\ntype Store struct{}\n',
    'go/get.go': 'package store\n\nfunc (s *Store) Get() int { return 1 }\n',
    'go/both.go': 'package store\ntype A struct{}\ntype B struct{}\nfunc (a A) first() {}\n',
    'rust/disk.rs': 'pub struct Disk;\n',
    'rust/read.rs': 'impl Disk {\n    pub fn read(&self) {}\n}\n',
    'shapes/a.ts':
      'export interface Shape {\n  area(): number;\n}\nexport class Tile implements Shape {\n  area() {\n    return 1;\n  }\n}\nexport const any: Shape = new Tile();\n',
    'shapes/b.ts': "import type { Shape } from './a.ts';\nexport interface Round extends Shape {}\n",
    'shapes/draw.rs':
      'pub trait Draw {\n    fn draw(&self);\n}\npub struct Circle;\nimpl Draw for Circle {\n    fn draw(&self) {}\n}\npub struct Plate<T>(T);\nimpl<T> Draw\n    for Plate<T>\nwhere\n    T: Copy,\n{\n    fn draw(&self) {}\n}\npub fn round() -> Circle {\n    todo!()\n}\n',
    'calls/given.py': `def given():
    pass
class Box:
    def put(self):
        pass
class Bag:
    def put(self):
        pass
handlers = [given]
def run(thing):
    thing.put()
`,
    'calls/only.ts': `export class Near {
  only() {}
}
export class Far {
  only() {}
}
new Near().only();
`,
    'calls/chain.ts': `import type { Shape } from '../shapes/a.ts';
export function first() {
  second();
}
function second() {
  const inner = () => third(undefined as never);
  return inner();
}
function third(shape: Shape) {
  return shape.area();
}
export function apart() {}
`,
    'calls/open.js': `let current = null;
export class Batch {
  schedule(effect) {}
  flush() {}
}
export function plan(effect) {
  current.schedule(effect);
  current.flush();
  current.forEach(plan);
  measure(effect);
}
`,
    'many/save.ts': `export class Doc {
  save() {
${'    // A body that is worth more than its callers.\n'.repeat(50)}  }
}
export class Page {
  save() {}
  update() {
${'    // Another one, which has to be whole as well.\n'.repeat(50)}  }
}
${Array.from({ length: 60 }, (_, n) => `export function maybe${n}(any: any) {\n  any.save();\n}\n`).join('')}${Array.from({ length: 60 }, (_, n) => `export function sure${n}(doc: Doc) {\n  doc.save();\n}\n`).join('')}`,
    'many/save.test.ts': 'export function check(any: any) {\n  any.save();\n  any.save();\n}\n',
    'lib/long.ts': `export function long() {\n${"  step('a line that fills the page');\n".repeat(400)}}\n`,
  });
});

const text = async (name: string, input: object) => {
  const { answer } = await ask(app, name, { ...input }, { roots: [root], cwd: root, format: 'text' });
  return answer.rendered.text;
};
const symbol = (name: string | readonly string[], input: object = {}) => text('symbol', { name, ...input });

describe('symbol', () => {
  it('shows a definition whole, then who calls it; what may mean another one is apart', async () => {
    expect(await symbol('Pool.acquire')).toBe(
      `Pool.acquire  method  src/pool.ts:7-10
7    acquire(): Socket | undefined {
8      this.#count();
9      return this.#free.pop();
10    }
callers (2): src/use.ts:4, 5 in work
possible (1): src/use.ts:7 in work
tests (2): src/pool.test.ts:2 ×2`,
    );
  });

  it('takes the definition with a body, and calls through a prototype are its calls', async () => {
    expect(await symbol('twice')).toBe(
      `twice  function  lib/a.c:2-5
2  int twice(int n)
3  {
4    return 2 * n;
5  }
callers (2): lib/b.c:4 in four`,
    );
  });

  it('shows a shortest chain of calls between two names, through what implements an interface', async () => {
    expect(await symbol('first -> Tile.area')).toBe(
      `calls/chain.ts:3 in first calls second  function  :5-8
calls/chain.ts:6 in second calls third  function  :9-11
calls/chain.ts:10 in third calls Tile.area  method  shapes/a.ts:5-7
A shortest chain of certain calls; there may be others.`,
    );
    expect(await symbol('apart -> third')).toBe(
      'No chain of calls leads from apart to third; calls through values are not followed.',
    );
    expect(await symbol('first -> nowhere')).toContain('Nothing here defines nowhere.');
  });

  it('takes chains and names in one call', async () => {
    expect(await symbol('first -> second, Lock.acquire')).toBe(
      `Shortened: one space per level, no lone brackets.
calls/chain.ts:3 in first calls second  function  :5-8
A shortest chain of certain calls; there may be others.

Lock.acquire  method  src/pool.ts:18
18 acquire(): void {}
callers (1): src/use.ts:6 in work
possible (1): src/use.ts:7 in work`,
    );
  });

  it('several definitions: the best one whole, the others in a line each', async () => {
    const shown = await symbol('acquire', { show: 'body' });
    expect(shown).toContain('Pool.acquire  method  src/pool.ts:7-10\n7    acquire()');
    expect(shown).toContain('also: Lock.acquire  method  src/pool.ts:18');
    for (const show of ['refs', 'callers', 'callees'])
      expect(await symbol('acquire', { show })).toContain('also: Lock.acquire  method  src/pool.ts:18');
  });

  it.each([
    ['src/pool.ts:8', 'Pool.acquire  method  src/pool.ts:7-10'],
    ['src/pool.ts:13', 'Pool.#count  method  src/pool.ts:12-14'],
    ['Pool::acquire', 'Pool.acquire  method  src/pool.ts:7-10'],
    ['pool.Lock', 'Lock  class  src/pool.ts:17-19'],
    ['count', 'Pool.#count  method  src/pool.ts:12-14'],
  ])('finds %s', async (name, head) => {
    expect((await symbol(name)).split('\n')[0]).toBe(head);
  });

  it('shows one part: callers with the next call, callees, references', async () => {
    expect(await symbol('Lock.acquire', { show: 'callers' })).toBe(
      `Lock.acquire  method  src/pool.ts:18
acquire(): void
callers (1): src/use.ts:6 in work
possible (1): src/use.ts:7 in work
next: symbol name=work show=callers`,
    );
    expect(await symbol('Pool.acquire', { show: 'callees' })).toBe(
      `Pool.acquire  method  src/pool.ts:7-10
acquire(): Socket | undefined
callees (1): Pool.#count :12 at 8
not found here: 1 common name`,
    );
    expect(await symbol('Socket', { show: 'refs' })).toBe(
      `Socket  interface  src/socket.ts:1-3
interface Socket
refs (3): src/pool.ts:1 import; 5 in Pool.#free; 7 in Pool.acquire`,
    );
  });

  it('names what a call may mean where nothing says so, and who is given the function', async () => {
    expect(await symbol('plan', { show: 'callees' })).toBe(
      `plan  function  calls/open.js:6-11
function plan(effect)
callees (1): Batch.schedule :3 at 7
possible callees: Batch.flush :4 at 8
not found here: measure at 10 and 1 more`,
    );
    expect(await symbol('plan', { show: 'callers' })).toBe(
      `plan  function  calls/open.js:6-11
function plan(effect)
callers: none certain; 1 other reference (show=refs)
refs (1): calls/open.js:9 in plan`,
    );
  });

  it('who calls the callers, in one call', async () => {
    expect(await symbol('twice', { show: 'callers2' })).toBe(
      `twice  function  lib/a.c:2-5
int twice(int n)
callers (2): lib/b.c:4 in four
callers of four (1): lib/c.c:4 in eight`,
    );
  });

  it('uses in one folder of what is defined in another', async () => {
    expect(await symbol('twice', { show: 'refs', path: 'lib/b.c' })).toBe(
      `twice  function  lib/a.c:2-5
int twice(int n)
refs (2): lib/b.c:4 in four`,
    );
  });

  it('methods belong to their type, wherever it is defined', async () => {
    expect((await symbol('Store.Get')).split('\n')[0]).toBe('Store.Get  method  go/get.go:3');
    expect((await symbol('Disk.read')).split('\n')[0]).toBe('Disk.read  method  rust/read.rs:2');
    expect(await text('outline', { path: 'go/get.go' })).toBe('3  Store.Get');
    expect(await text('outline', { path: 'go/both.go' })).toBe('2  A struct\n3  B struct\n4  A.first');
  });

  it('answers several names in one call, with the heads of long bodies', async () => {
    const both = await symbol('Lock.acquire, no_such_name_here, long');
    expect(both).toMatch(
      /^Shortened: one space per level, no lone brackets, no comments\.\nLock\.acquire {2}method {2}src\/pool\.ts:18\n18 acquire\(\): void \{\}\ncallers \(1\): src\/use\.ts:6 in work\n/,
    );
    expect(both).toContain(
      '\n\nNothing here defines no_such_name_here.\n\nlong  function  lib/long.ts:1-402\n1 export',
    );
    // Both ends of it, and the lines between them by number.
    const [, from, to] = /\n… lines (\d+)-(\d+) left out\n/.exec(both) ?? [];
    expect(both).toContain(`\n${Number(from) - 1}  step('a line`);
    expect(both).toContain(`left out\n${Number(to) + 1}  step('a line`);
    expect(both).toMatch(/\n402 \}/);
    // One call shows the rest.
    expect(both.split('\n').at(-1)).toBe(`next: symbol name=lib/long.ts:${from}-${to}`);
    expect(await symbol(`lib/long.ts:${from}-${to}`)).toContain(`\n${from}    step('a line`);
    expect(both.length).toBeLessThan(8_000);
    expect(both.length).toBeGreaterThan(6_500);
  });

  it('beside a body, names a few of the uses that are not certain, and counts those in tests', async () => {
    const uses = (await symbol('Page.save')).split('\n').slice(2);
    expect(uses).toEqual([
      'callers: none certain; 62 possible; 60 uses of the name taken for something else',
      'possible (62; 2 in tests): many/save.ts:111 in maybe0; 114 in maybe1; 117 in maybe2; 120 in maybe3; 123 in maybe4; … show=callers',
    ]);
    const asked = await symbol('Page.save', { show: 'callers' });
    expect(asked).toContain('\npossible (62):');
    expect(asked).toContain(' in maybe59');
  });

  it('of several names, all bodies are whole before the callers of the first', async () => {
    const input = { name: 'Doc.save, Page.update' };
    const caller = { roots: [root], cwd: root, format: 'text' as const, budget: 5_600 };
    const { answer } = await ask(app, 'symbol', input, caller);
    const shown = answer.rendered.text;
    expect(shown).not.toContain('left out');
    expect(shown.match(/\d {2}\/\/ /g)).toHaveLength(100);
    expect(shown).toMatch(/\ncallers \(60\): many\/save\.ts:291 in sure0; /);
    const { answer: second } = await ask(
      app,
      'symbol',
      { cursor: /cursor[ =](\S+)/.exec(shown)?.[1] },
      caller,
    );
    expect(second.rendered.text).toMatch(/^Doc\.save {2}method {2}many\/save\.ts:2-53\ncallers \(60\): /);
  });

  it('leaves the middle of a body out on request', async () => {
    const shown = await symbol('long', { show: 'body', lines: 3 });
    expect(shown.split('\n')).toEqual([
      'long  function  lib/long.ts:1-402',
      '1  export function long() {',
      "2    step('a line that fills the page');",
      '… lines 3-401 left out',
      '402  }',
    ]);
  });

  it('shows lines of files, several in one call', async () => {
    expect(await symbol('src/pool.ts:8-9, lib/a.h:1-9')).toBe(
      `Shortened: one space per level, no lone brackets.
Pool.acquire  lines  src/pool.ts:8-9
8 this.#count();
9 return this.#free.pop();

a.h  lines  lib/a.h:1
1 int twice(int n);`,
    );
    expect(await symbol('src/use.ts:9-9')).toContain('[redacted:');
    expect(await symbol('lib/a.h:7-9')).toBe('lib/a.h has lines 1-1, not 7-9.');
  });

  it('shows lines of a file that is named by its end, further lines of it, and those around a lone line', async () => {
    const shown = await symbol('pool.ts:8-9, 13-13, a.h:1-1');
    expect(shown).toContain('Pool.acquire  lines  src/pool.ts:8-9\n8 ');
    expect(shown).toContain('Pool.#count  lines  src/pool.ts:13\n13 ');
    expect(shown).toContain('a.h  lines  lib/a.h:1\n1 ');
    expect(await symbol(['pool.ts:8-8', 'nowhere.ts:1-2'])).toMatch(
      /src\/pool\.ts:8[\s\S]*No file nowhere\.ts here\./,
    );
    expect(await symbol('src/pool.ts:1')).toMatch(/lines {2}src\/pool\.ts:1-6/);
  });

  it('says what a body calls, and where that is', async () => {
    expect(await symbol('Pool.acquire', { show: 'body' })).toBe(
      `Pool.acquire  method  src/pool.ts:7-10
7    acquire(): Socket | undefined {
8      this.#count();
9      return this.#free.pop();
10    }
callees (1 of 2): Pool.#count :12 at 8`,
    );
  });

  it('lists callers in the asked folder, and how many are outside', async () => {
    const shown = await symbol('Shape', { path: 'shapes', show: 'refs' });
    expect(shown).toContain('refs (4; 2 outside this path): shapes/');
    expect(await symbol('area', { path: 'shapes/a.ts', show: 'callers' })).toContain('calls/chain.ts:10');
    expect(await symbol('Shape.area', { path: 'shapes', show: 'callers' })).toContain(
      'callers: none certain; 1 outside this path',
    );
  });

  it('looks in several folders', async () => {
    const shown = await symbol('twice, acquire', { path: ['lib', 'src'], show: 'body' });
    expect(shown).toContain('twice  function  lib/a.c:2-5');
    expect(shown).toContain('Pool.acquire  method  src/pool.ts:7-10');
    expect(await symbol('twice', { path: ['go', 'src'], show: 'body' })).toContain('Nothing here defines');
  });

  it('lists what extends or implements a type', async () => {
    expect(await symbol('Shape', { path: 'shapes' })).toContain(
      'implementations (2): Tile shapes/a.ts:4; Round shapes/b.ts:2',
    );
    expect(await symbol('Draw', { path: 'shapes' })).toContain(
      'implementations (2): Circle shapes/draw.rs:5; Plate<T> shapes/draw.rs:9',
    );
  });

  it('a type that nothing calls has uses, and does not implement itself', async () => {
    const shown = await symbol('Circle', { path: 'shapes' });
    expect(shown).not.toContain('implementations');
    expect(shown).not.toContain('callers');
    expect(shown).toContain('refs (2): shapes/draw.rs:5; 16 in round');
    expect(await symbol('Circle', { path: 'shapes', show: 'callers' })).toContain('refs (2): ');
  });

  it('says what there is where no caller is certain, and `none` only for a name without uses', async () => {
    const last = async (name: string) => (await symbol(name, { show: 'callers' })).split('\n').slice(2);
    expect(await last('apart')).toEqual(['callers: none']);
    expect(await last('given')).toEqual([
      'callers: none certain; 1 other reference (show=refs)',
      'refs (1): calls/given.py:9 in handlers',
    ]);
    expect(await last('Box.put')).toEqual([
      'callers: none certain; 1 possible',
      'possible (1): calls/given.py:11 in run',
    ]);
    expect(await last('Far.only')).toEqual([
      'callers: none certain; 1 use of the name taken for something else',
    ]);
  });

  it('narrows to a path', async () => {
    expect(await symbol('acquire', { path: 'lib' })).toBe(
      'Nothing here defines acquire.\nnext: symbol name=acquire',
    );
  });

  it('says what a name could be that nothing defines', async () => {
    expect(await symbol('aquire')).toBe(
      'Nothing here defines aquire. Did you mean acquire?\nnext: regex_search pattern=aquire word=true',
    );
  });

  it('looks into the other folders of a caller, not into the folders around', async () => {
    const other = realpathSync(temporaryFolder());
    writeFiles(other, { 'far.ts': 'export function farAway() {}\n' });
    const { body } = await ask(app, 'symbol', { name: 'farAway' }, { roots: [root, other], cwd: root });
    expect(body.data.symbol.path).toBe(`${other}/far.ts`);
    const { body: nowhere } = await ask(app, 'symbol', { name: 'nowhere' }, { roots: ['/'], cwd: root });
    expect(nowhere.data).toEqual({ root: undefined, unknown: 'nowhere' });
  });

  it('a body that does not fit goes on with a cursor, and no line is shown twice', async () => {
    const seen: number[] = [];
    let input: Record<string, unknown> = { name: 'long' };
    for (let pages = 0; pages < 9; pages++) {
      const { body } = await ask(app, 'symbol', input, { roots: [root], cwd: root });
      seen.push(...(body.data.body ?? []).map(({ line }: { line: number }) => line));
      expect(body.meta.bytes).toBeLessThanOrEqual(8_000);
      if (body.pagination.next_cursor === undefined) break;
      input = { cursor: body.pagination.next_cursor };
    }
    expect(seen).toEqual(Array.from({ length: 402 }, (_, at) => at + 1));
  });

  it('shows no secret', async () => {
    expect(await symbol('token')).toContain('[redacted:');
  });
});

describe('outline', () => {
  it('of a file: definitions with their lines, fields behind their type', async () => {
    expect(await text('outline', { path: 'src/pool.ts' })).toBe(
      `4-15  Pool class: #free
  7-10  acquire
  12-14  #count
17-19  Lock class
  18  acquire`,
    );
  });

  it('of several files and folders', async () => {
    const shown = await text('outline', { path: ['go/get.go', 'src', 'go/both.go'], name: 'A|Get|work' });
    expect(shown).toBe(
      `go/get.go:
3  func (s *Store) Get() int

src:
src/use.ts  work:3

go/both.go:
2  type A struct
4  func (a A) first()`,
    );
  });

  it('of a folder: a line for each file', async () => {
    expect(await text('outline', { path: 'src' })).toBe(
      `src/pool.ts  Pool:4 Lock:17
src/socket.ts  Socket:1
src/use.ts  work:3 token:9`,
    );
  });

  it('only names that match', async () => {
    expect(await text('outline', { path: 'src/pool.ts', name: 'acq' })).toBe(
      '7-10  acquire(): Socket | undefined\n18  acquire(): void',
    );
    expect(await text('outline', { path: '.', name: '^(tw|fo)' })).toBe(
      'lib/a.c  twice:2\nlib/a.h  twice:1\nlib/b.c  four:2',
    );
  });
});
