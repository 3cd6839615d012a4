import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

/** A test beside its source that uses one of these starts a process or opens an app, an index or a server. */
const STARTS = [
  'node:child_process',
  'startBackground',
  'openSessions',
  'createQueryProcesses',
  'temporaryApp',
  'test/disk/indexed.ts',
  'test/fixtures/client-logs/',
  'test/fixtures/code/open-code.ts',
  'test/fixtures/sessions/harness.ts',
  'test/fixtures/sessions/sample.ts',
  'test/git.ts',
  'test/processes.ts',
  'test/world.ts',
];

/** Slow for other reasons: workers of the build, grammars, watchers, or very many cases. */
const SLOW = [
  'src/code/exact/verify-pool.test.ts',
  'src/code/files/watched-tree.test.ts',
  'src/code/semantic.test.ts',
  'src/code/symbols/extract/{any-text,languages/languages}.test.ts',
  'src/code/trigram/*.test.ts',
  'src/contract/{roots,redact/bomb}.test.ts',
  'src/disk/{browse,clean-up,indexes,operations,scan,watch}/**/*.test.ts',
  'src/disk/filter/compile-filter.test.ts',
  'src/disk/ncdu/ncdu-round-trip.test.ts',
  'src/disk/tree/save-and-load.test.ts',
  'src/joins/touched-by.test.ts',
  'src/regex/{automaton,matcher}.test.ts',
  'src/threads/remote.test.ts',
  'src/tokens/estimate.test.ts',
];

const starting = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => join('src', name))
  .filter(
    (path) => path.endsWith('.test.ts') && STARTS.some((one) => readFileSync(path, 'utf8').includes(one)),
  );

/** `npm test` runs both projects, `npm run test:unit` the first. */
export default defineConfig({
  test: {
    setupFiles: ['test/seed.ts', 'test/fresh-file.ts'],
    // Modules are loaded once for all files of a worker, which takes half the time.
    isolate: false,
    // Far more than anything takes: a busy machine must not fail a test.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: [...SLOW, ...starting],
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          globalSetup: ['test/global-setup.ts'],
          include: [...SLOW, ...starting, '{test,scripts,model}/**/*.test.ts'],
        },
      },
    ],
  },
});
