import { defineConfig } from 'vitest/config';

/** Damage, kills, sizes and clocks, over and over: `npm run test:faults`. */
export default defineConfig({
  test: {
    include: ['test/faults/**/*.faults.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
