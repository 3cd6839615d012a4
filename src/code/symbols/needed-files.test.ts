import { expect, test } from 'vitest';
import { filesHolding, likelyFirst } from './needed-files.ts';

const paths = ['vendor/a.go', 'pkg/other.go', 'pkg/distributor.go', 'vendor/push.go'];

test('files that also hold the type of a member come first, vendored code last', () => {
  const withOwner = new Set(['vendor/push.go', 'pkg/distributor.go']);
  expect(likelyFirst(paths, withOwner)).toEqual([
    'pkg/distributor.go',
    'vendor/push.go',
    'pkg/other.go',
    'vendor/a.go',
  ]);
  expect(likelyFirst(paths, undefined)).toEqual([
    'pkg/other.go',
    'pkg/distributor.go',
    'vendor/a.go',
    'vendor/push.go',
  ]);
});

test('files that hold a name are looked for until a moment, also where none comes', async () => {
  async function* never(): AsyncGenerator<string> {
    yield 'a.go';
    await new Promise(() => undefined);
  }
  async function* all(): AsyncGenerator<string> {
    yield* ['a.go', 'b.go'];
  }
  const soon = () => performance.now() + 20;
  expect(await filesHolding({ name: 'Push' }, never, soon())).toEqual({
    paths: ['a.go'],
    withOwner: undefined,
    isCut: true,
  });
  expect(await filesHolding({ name: 'Push', owner: 'Pool' }, all, soon() + 10_000)).toEqual({
    paths: ['a.go', 'b.go'],
    withOwner: new Set(['a.go', 'b.go']),
    isCut: false,
  });
});
