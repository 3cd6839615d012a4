import { defineConfig } from 'vitest/config';

/** `npm run screenshots`: pictures of every page in `.screenshots`; those that the docs show in `docs/screenshots`. */
export default defineConfig({
  test: {
    include: ['test/browser/*.shots.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 300_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
