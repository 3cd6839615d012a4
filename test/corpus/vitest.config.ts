import { defineConfig } from 'vitest/config';

/** Tests over real material that is not part of the project: PINHOLE_CORPUS names its folder. */
export default defineConfig({
  test: {
    include: ['test/corpus/**/*.corpus.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
  },
});
