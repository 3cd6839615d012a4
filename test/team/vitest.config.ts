import { defineConfig } from 'vitest/config';

/** The team server with kills, and with all planted secrets: `npm run test:team`; PINHOLE_TEAM_SECONDS=600 runs it for 10 minutes. */
export default defineConfig({
  test: {
    include: ['test/team/*.test.ts', 'test/team/*.faults.ts'],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
  },
});
