import { realpathSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeFiles } from '../../../test/fixtures/code/made-tree.ts';
import { openedCode } from '../../../test/fixtures/code/open-code.ts';
import { temporaryFolder } from '../../../test/support.ts';
import { implementationsOf } from './implementations.ts';

test('objects without a name implement the type behind them', async () => {
  const root = realpathSync(temporaryFolder());
  writeFiles(root, {
    'clicks.kt': `interface Listener<T> { fun onClick(x: T) }
val top = object : Listener<Int> {
    override fun onClick(x: Int) {}
}
class Screen {
    fun make() = object : Base(1), Listener<Int>, Other {
        override fun onClick(x: Int) {}
    }
    fun take(listener: Listener<Int>) {}
}
`,
    'Use.java': `interface Sink { void put(int x); }
class Use {
    void run() {
        start(new Sink() {
            public void put(int x) {}
        });
        Sink other = null;
    }
}
`,
  });
  const opened = await openedCode({ home: temporaryFolder() });
  try {
    const { signal } = new AbortController();
    const { tree } = opened.code.trees.at(root);
    await opened.code.symbols.build(tree, signal);
    const { value } = await opened.code.symbols.ask(tree, { files: () => true }, signal, async (question) => {
      const found: string[] = [];
      for (const name of ['Listener', 'Sink']) {
        const [type] = await question.rows.definitionsNamed(name);
        if (type === undefined) throw new Error(`${name} is not defined`);
        const uses = await question.rows.referencesNamed(name);
        for (const each of await implementationsOf(question, type, uses))
          found.push(`${each.name} ${each.path}:${each.from}-${each.to}`);
      }
      return found;
    });
    expect(value).toEqual([
      'object in top clicks.kt:2-4',
      'object in Screen.make clicks.kt:6-8',
      'object in Use.run Use.java:4-6',
    ]);
  } finally {
    await opened.close(false);
  }
});
