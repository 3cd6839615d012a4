import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const REVISIONS = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof REVISIONS)[number];

export interface Check {
  readonly scenario: string;
  readonly id: string;
  readonly status: string;
}

export interface SuiteRun {
  /** 0 when every scored scenario passes, or fails as the baseline says. */
  readonly exitCode: number | null;
  /** What the suite printed, for a failing test. */
  readonly output: string;
  readonly checks: readonly Check[];
}

const suite = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/dist/index.js');
const preload = fileURLToPath(new URL('./older-node.mjs', import.meta.url));

/** Runs the official suite against a server, with exactly the scenarios that an MCP revision requires. */
export async function runSuite(options: {
  readonly url: string;
  readonly revision: Revision;
  readonly results: string;
  readonly baseline?: string;
}): Promise<SuiteRun> {
  const { url, revision, results, baseline } = options;
  const args = [
    '--import',
    preload,
    suite,
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '-o',
    results,
  ];
  if (baseline !== undefined) args.push('--expected-failures', baseline);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
  }
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('close', resolve).on('error', reject);
  });
  return { exitCode, output: output.join(''), checks: readChecks(results) };
}

/** The suite leaves one folder per scenario: `server-NAME-TIME/checks.json`. */
function readChecks(results: string): Check[] {
  return readdirSync(results).flatMap((folder) => {
    const scenario = folder.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
    const checks = JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8')) as Omit<
      Check,
      'scenario'
    >[];
    return checks.map(({ id, status }) => ({ scenario, id, status }));
  });
}
