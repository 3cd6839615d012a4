import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Compares Pinhole's exact search with ripgrep on whole trees; takes minutes, so it is not part of the unit tests. */
export default defineConfig({
  root: resolve(import.meta.dirname, '../..'),
  test: {
    include: ['test/differential/**/*.differential.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
  },
});
