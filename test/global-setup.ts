import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAll } from '../scripts/build.mjs';
import { stopSharedPostgres } from './team/postgres.ts';

/**
 * Tests that start processes or workers use the built files: this updates them first. Servers that all test files share
 * are recorded in a folder for this run, and stopped after it.
 */
export default async function setup(): Promise<() => void> {
  await buildAll({ tolerant: process.env.CI !== 'true' });
  const run = mkdtempSync(join(tmpdir(), 'pinhole-run-'));
  process.env.PINHOLE_TEST_RUN = run;
  return () => stopSharedPostgres(run);
}
