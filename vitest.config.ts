import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/**/*.test.ts',
      'web/**/*.test.ts',
      'test/**/*.test.ts',
      'scripts/**/*.test.ts',
      'model/**/*.test.ts',
    ],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
