import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { workerFile } from '../../threads/worker-file.ts';
import { ctimeMs, FACT, factReader, isFolder, toFacts } from './file-facts.ts';

const read = factReader();

test('facts are those of lstat, however they are read', () => {
  for (const folder of ['/', '/usr', '/usr/bin', '/etc']) {
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      const stats = lstatSync(path);
      for (const facts of [read(path), toFacts(stats)]) {
        expect(facts[FACT.ino]).toBe(stats.ino);
        expect(facts[FACT.size]).toBe(stats.size);
        expect(facts[FACT.blocks]).toBe(stats.blocks);
        expect(facts[FACT.mode]).toBe(stats.mode);
        expect(facts[FACT.nlink]).toBe(stats.nlink);
        expect(facts[FACT.uid]).toBe(stats.uid);
        expect(facts[FACT.mtimeS]).toBe(Math.floor(stats.mtimeMs / 1000));
        expect(isFolder(facts)).toBe(stats.isDirectory());
      }
      // Read once more and not as an object: to the last digit, else every rescan would see changes.
      expect(ctimeMs(read(path))).toBe(stats.ctimeMs);
    }
  }
});

test('what is not there is an error with its code', () => {
  expect(() => read('/nothing/of/that/name')).toThrow(expect.objectContaining({ code: 'ENOENT' }));
});

test.each(['22.20.0', '24.1.0', '31.0.0'])('on Node %s the public way is taken', (version) => {
  vi.stubGlobal('process', {
    ...process,
    versions: { ...process.versions, node: version },
    binding: undefined,
  });
  const plain = factReader();
  vi.unstubAllGlobals();
  expect([...plain('/usr').slice(FACT.ino, FACT.ino + 2)]).toEqual([
    lstatSync('/usr').ino,
    lstatSync('/usr').size,
  ]);
});

test('no warning reaches the terminal', () => {
  const file = workerFile(new URL('./scanner.worker.ts', import.meta.url));
  const start = { op: 'start', index: 0, options: { exclude: [], root: '/', allowed: [] } };
  const { status, stderr } = spawnSync(process.execPath, [file], {
    input: `${JSON.stringify(start)}\n${JSON.stringify({ op: 'end' })}\n`,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
