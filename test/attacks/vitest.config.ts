import { defineConfig } from 'vitest/config';

/** An attacker in a loop, for a bounded time: `npm run test:attacks`. */
export default defineConfig({
  test: {
    include: ['test/attacks/**/*.attacks.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
