import { defineConfig } from 'vitest/config';
import ReliabilityReporter from '../reliability/reporter.ts';

/** Damage, kills, sizes and clocks, over and over: `npm run test:faults`. */
export default defineConfig({
  test: {
    include: [
      'test/faults/**/*.faults.ts',
      // Faults that are fast enough for every run of the suite.
      'test/{many-clients,stopping,unreachable,background-calls,daemon,watchdog}.test.ts',
      'src/store/{durable-database,private-files,sqlite}.test.ts',
      'src/sessions/{damage,odd-logs}.test.ts',
      'src/sessions/archive/archive.test.ts',
      'src/disk/indexes/{huge-sizes,killed-process-and-full-disk,index-catalog}.test.ts',
      'src/disk/scan/raw-names.test.ts',
      'src/jobs/queue.test.ts',
    ],
    reporters: ['default', new ReliabilityReporter('faults')],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
  },
});
