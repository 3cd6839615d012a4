import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { McpExtension } from '../../src/mcp/server.ts';
import { temporaryFolder } from '../support.ts';
import { fixtures } from './fixtures.ts';
import { startServer } from './server.ts';
import { REVISIONS, type Revision, runSuite } from './suite.ts';

const baseline = fileURLToPath(new URL('./baseline.yml', import.meta.url));
const results = temporaryFolder();

async function runOn(revision: Revision, options: { extension?: McpExtension; baseline?: string }) {
  const server = await startServer(options.extension);
  onTestFinished(() => server.close());
  return runSuite({
    url: server.url,
    revision,
    results: mkdtempSync(join(results, revision)),
    ...(options.baseline === undefined ? {} : { baseline: options.baseline }),
  });
}

// The suite gives some answers half a second: a busy machine may need another try.
describe.each(REVISIONS)('the conformance suite for MCP %s', { retry: 2 }, (revision) => {
  it('finds every required scenario right on the app with its fixtures', async () => {
    const run = await runOn(revision, { extension: fixtures });
    expect(run.exitCode, run.output).toBe(0);
    const failing = run.checks.filter(({ status }) => status === 'FAILURE').map(({ scenario }) => scenario);
    // Tasks are an extension that is not scored, and that Pinhole does without: it has jobs.
    expect(failing.filter((scenario) => !scenario.startsWith('tasks-'))).toEqual([]);
    expect(run.checks.filter(({ status }) => status === 'SUCCESS').length).toBeGreaterThan(80);
  });

  it('finds only the fixtures missing on the plain app', async () => {
    const run = await runOn(revision, { baseline });
    expect(run.exitCode, run.output).toBe(0);
  });
});
