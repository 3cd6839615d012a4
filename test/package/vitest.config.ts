import { defineConfig } from 'vitest/config';

/** Packs, installs and runs the package as a stranger would: `npm run test:package`. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.package.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
