#!/usr/bin/env node
// Runs the property tests over and over with new random cases: `npm run test:fuzz -- [rounds] [path …]`.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [rounds = '5', ...only] = process.argv.slice(2);
const files = ['src', 'test', 'web'].flatMap((top) =>
  readdirSync(top, { recursive: true })
    .map((path) => join(top, String(path)))
    .filter((path) => path.endsWith('.test.ts') && readFileSync(path, 'utf8').includes("from 'fast-check'"))
    .filter((path) => only.length === 0 || only.some((part) => path.includes(part))),
);
let failed = 0;
for (let round = 1; round <= Number(rounds); round++) {
  console.log(`round ${round} of ${rounds}: ${files.length} files`);
  const run = spawnSync('npx', ['vitest', 'run', ...files], {
    stdio: 'inherit',
    env: { ...process.env, PINHOLE_SEED: 'random' },
  });
  if (run.status !== 0) failed++;
}
console.log(failed === 0 ? `${rounds} rounds, all passed` : `${failed} of ${rounds} rounds failed`);
process.exitCode = failed === 0 ? 0 : 1;
