import { defineConfig } from 'vitest/config';

/** Beside their source and yet slow, because they watch files, run processes or scan trees. */
const SLOW = [
  'src/code/exact/{changed-files-search,hanging-patterns,many-hits,random-changes,ripgrep-comparison,too-expensive,verify-pool}.test.ts',
  'src/code/files/watched-tree.test.ts',
  'src/code/operations/{hybrid-search,regex-search,semantic-page}.test.ts',
  'src/code/semantic.test.ts',
  'src/code/symbols/{symbol-freshness,symbols,extract/any-text}.test.ts',
  'src/code/semantic/first-search.test.ts',
  'src/code/trigram/*.test.ts',
  'src/contract/{roots,redact/bomb}.test.ts',
  'src/daemon/**/*.test.ts',
  'src/disk/{browse,clean-up,indexes,operations,scan,watch}/**/*.test.ts',
  'src/disk/filter/compile-filter.test.ts',
  'src/disk/ncdu/ncdu-round-trip.test.ts',
  'src/http/{code-matches,http-app,live-events}.test.ts',
  'src/regex/matcher.test.ts',
  'src/sessions/{closing,cut-secrets,damage,odd-files,watch-logs}.test.ts',
  'src/sessions/archive/*.test.ts',
  'src/sessions/operations/answer-sizes.test.ts',
  'src/sql/{sql,sql-fuzz}.test.ts',
  'src/threads/remote.test.ts',
];

/** `npm test` runs both projects, `npm run test:unit` the first. */
export default defineConfig({
  test: {
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts'],
          exclude: SLOW,
          // Modules are loaded once for all files, which takes half the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'whole',
          include: [...SLOW, '{test,scripts,model}/**/*.test.ts'],
        },
      },
    ],
  },
});
