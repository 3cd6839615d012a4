import { expect, it } from 'vitest';
import { emptyManifest } from './semantic-manifest.ts';
import { withBatch } from './semantic-manifest-change.ts';

const file = (path: string) => ({ path, size: 1, mtimeMs: 1, ctimeMs: 1, ino: 1, hidden: false });
const nothing = { files: 0, chunks: 0, bytes: 0, same: {} };

it('a file without text stays gone if segments have its old text', () => {
  const skipped = {
    'a.ts': { reason: 'binary', stamp: [1, 1] },
    'b.png': { reason: 'binary', stamp: [1, 1] },
  } as const;
  const batch = [file('a.ts'), file('b.png')];
  const result = { report: { ...nothing, skipped }, batch, segments: [] };
  const once = withBatch(emptyManifest('model'), result, false, (path) => path === 'a.ts');
  // b.png was never indexed, and thousands like it would be sent with every edit.
  expect(once.gone).toEqual(['a.ts']);
  // What is gone is no longer indexed.
  const twice = withBatch(once, result, false, () => false);
  expect(twice.gone).toEqual(['a.ts']);
  const again = withBatch(
    twice,
    { report: { ...nothing, files: 1, skipped: {} }, batch: [file('a.ts')], segments: ['1.seg'] },
    false,
    () => false,
  );
  expect(again.gone).toEqual([]);
  expect(Object.keys(again.skipped)).toEqual(['b.png']);
});
