import { defineConfig } from 'vitest/config';
import ReliabilityReporter from '../reliability/reporter.ts';

/** Attacks in a loop, for a limited time: `npm run test:attacks`. */
export default defineConfig({
  test: {
    include: [
      'test/attacks/**/*.{attacks,test}.ts',
      // Attacks that are fast enough for every run of the suite.
      'test/{nobody-in,route-access,private-files,squatter,swapped-links,odd-files}.test.ts',
      'test/{code-secrets,code-secret-attacks,mcp-large,links,disk-http,supply-chain,packed,packaging}.test.ts',
      'src/app/home.test.ts',
      'src/code/symbols/extract/any-text.test.ts',
      'src/code/exact/{hanging-patterns,many-hits}.test.ts',
      'src/connect/private-socket.test.ts',
      'src/contract/{engine,input,input-limits,open-file,rate,redact,roots}.test.ts',
      'src/contract/redact/{bomb,keep,lines}.test.ts',
      'src/daemon/background-address.test.ts',
      'src/disk/browse/download.test.ts',
      'src/disk/clean-up/clean-up-plans.test.ts',
      'src/disk/ncdu/{ncdu-round-trip,imported-index}.test.ts',
      'src/disk/filter/compile-filter.test.ts',
      'src/disk/operations/allowed-roots.test.ts',
      'src/glob/glob.test.ts',
      'src/http/{http-app,sign-in,code-matches}.test.ts',
      'src/sessions/{secrets,cut-secrets,odd-files}.test.ts',
      'src/sessions/read/{lines,document}.test.ts',
      'src/setup/{json,toml}-settings.test.ts',
      'src/sql/sql-fuzz.test.ts',
      'src/sql/process/sandbox.test.ts',
      'src/joins/touched-by.test.ts',
    ],
    // Longer than in `npm test`.
    env: {
      PINHOLE_SWAPS: process.env.PINHOLE_SWAPS ?? '10000',
      PINHOLE_FUZZ: process.env.PINHOLE_FUZZ ?? '150',
    },
    reporters: ['default', new ReliabilityReporter('attacks')],
    globalSetup: ['test/global-setup.ts'],
    setupFiles: ['test/seed.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
  },
});
