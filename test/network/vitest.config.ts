import { defineConfig } from 'vitest/config';

/** Every operation through every door under strace: `npm run test:network`. Fails where strace cannot be used. */
export default defineConfig({
  test: {
    include: ['test/network/**/*.network.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 900_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
  },
});
