import { defineConfig } from 'vitest/config';
import ReliabilityReporter from '../reliability/reporter.ts';

/** An attacker in a loop, for a bounded time: `npm run test:attacks`. */
export default defineConfig({
  test: {
    include: [
      'test/attacks/**/*.attacks.ts',
      // Attacks that are fast enough for every run of the suite.
      'test/{nobody-in,squatter,swapped-links,odd-files,code-secret-attacks,mcp-large,stranger}.test.ts',
      'src/sessions/{secrets,cut-secrets}.test.ts',
      'src/sql/sql-fuzz.test.ts',
      'src/contract/redact/bomb.test.ts',
    ],
    reporters: ['default', new ReliabilityReporter('attacks')],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
