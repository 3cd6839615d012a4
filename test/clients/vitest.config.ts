import { defineConfig } from 'vitest/config';

/** Real clients, installed from npm: `npm run test:clients`. */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.clients.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
  },
});
