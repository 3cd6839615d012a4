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
});
afterEach(() => opened.close(false));

/** Where definitions with a name and an owner, or of a kind, are used for certain, and where perhaps. */
async function uses(
  wanted: { readonly name: string; readonly scope?: string; readonly kind?: string },
  files: Readonly<Record<string, string>>,
) {
  writeFiles(root, files);
  const { tree } = opened.code.trees.at(root);
  await opened.code.symbols.build(tree, never);
  const { value } = await opened.code.symbols.ask(
    tree,
    { files: () => true },
    never,
    async ({ rows, references }) => {
      const found = (await rows.definitionsNamed(wanted.name)).find(
        ({ scope, kind }) => scope === (wanted.scope ?? scope) && kind === (wanted.kind ?? kind),
      );
      if (found === undefined) throw new Error(`${wanted.name} is not defined`);
      return references.of(found);
    },
  );
  const places = (uses: readonly { readonly path: string; readonly line: number }[]) =>
    uses.map(({ path, line }) => `${path}:${line}`);
  return { certain: places(value.certain), possible: places(value.possible) };
}

const GO = {
  'go.mod': 'module example.com/web\n',
  'engine.go': `package web

type Engine struct {
	trees Trees
	name  string
}

type Trees struct{}

func (e *Engine) addRoute(path string) {}

func (t Trees) addRoute(path string) {}
`,
  'group.go': `package web

import "net/http"

type Group struct {
	engine *Engine \`json:"-"\`
	server http.Server // serves
	parent *Group
}

var main Group

func (group *Group) Handle(path string) {
	group.engine.addRoute(path)
	group.parent.engine.addRoute(path)
	group.engine.trees.addRoute(path)
	group.server.addRoute(path)
	main.engine.addRoute(path)
	group.other().addRoute(path)
}

func (group *Group) other() *Engine { return group.engine }
`,
};

test('Go: a method behind fields of fields belongs to the declared type of the last one', async () => {
  expect(await uses({ name: 'addRoute', scope: 'Engine' }, GO)).toEqual({
    certain: ['group.go:14', 'group.go:15', 'group.go:18'],
    possible: ['group.go:19'],
  });
  expect((await uses({ name: 'addRoute', scope: 'Trees' }, GO)).certain).toEqual(['group.go:16']);
});

test('Rust and Java: a method behind a field of the type itself', async () => {
  const files = {
    'src/lib.rs': `struct Pool;
impl Pool {
    fn take(&self) {}
}
struct Queue;
impl Queue {
    fn take(&self) {}
}
struct Server {
    pool: Arc<Pool>,
}
impl Server {
    fn run(&self) {
        self.pool.take();
    }
}
`,
    'java/Pool.java': `class Pool {
  void give() {}
}
`,
    'java/Queue.java': `class Queue {
  void give() {}
}
`,
    'java/Server.java': `class Server {
  private final Queue queue;
  void run() {
    this.queue.give();
  }
}
`,
  };
  expect(await uses({ name: 'take', scope: 'Pool' }, files)).toEqual({
    certain: ['src/lib.rs:14'],
    possible: [],
  });
  expect((await uses({ name: 'give', scope: 'Queue' }, files)).certain).toEqual(['java/Server.java:4']);
  expect(await uses({ name: 'give', scope: 'Pool' }, files)).toEqual({ certain: [], possible: [] });
});

test('Rust: `format!` is not the function `format`, nor the other way round', async () => {
  const files = {
    'src/lib.rs': `pub fn format(a: u32) -> String {
    format!("{}", a)
}
macro_rules! check {
    ($a:expr) => { $a };
}
pub fn check(a: u32) -> String {
    check!(a);
    println!("{}", format(a));
    std::format!("{}", check(a))
}
`,
  };
  expect(await uses({ name: 'format' }, files)).toEqual({ certain: ['src/lib.rs:9'], possible: [] });
  expect((await uses({ name: 'check', kind: 'macro' }, files)).certain).toEqual(['src/lib.rs:8']);
  expect((await uses({ name: 'check', kind: 'function' }, files)).certain).toEqual(['src/lib.rs:10']);
});
