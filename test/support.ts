import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type OpenApp, openApp } from '../src/app/open-app.ts';
import { OPERATIONS } from '../src/app/operations.ts';
import type { Caller } from '../src/contract/caller.ts';
import type { RawInput } from '../src/contract/input.ts';

// Registered once per file, so that folders made inside a test are removed too.
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed after the tests of this file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pinhole-test-'));
  folders.push(folder);
  return folder;
}

/** An app on an empty data folder; closed after the tests of this file. */
export async function temporaryApp(
  options: { now?: () => number; timeoutMs?: number; env?: NodeJS.ProcessEnv } = {},
): Promise<OpenApp & { home: string; logged: string[] }> {
  const logged: string[] = [];
  const home = temporaryFolder();
  const app = await openApp({
    home,
    log: (line) => logged.push(line),
    baseUrl: () => 'http://127.0.0.1:4747',
    // Not the logs of the user who runs the tests.
    env: { HOME: temporaryFolder() },
    ...options,
  });
  afterAll(() => app.close());
  return { ...app, home, logged };
}

export function caller(changes: Partial<Caller> = {}): Caller {
  return { door: 'mcp', client: 'test', id: 'test', roots: [], budget: 8_000, format: 'json', ...changes };
}

/** One call, parsed. Checks that its data is what the operation declares, with nothing undeclared. */
export async function ask(app: OpenApp, operation: string, input: RawInput, who: Partial<Caller> = {}) {
  const answer = await app.engine.run(operation, input, { caller: caller(who) });
  const declared = OPERATIONS.find(({ name }) => name === operation)?.data;
  if (answer.ok && declared !== undefined && who.explain !== true)
    expect(declared.parse(answer.envelope.data)).toEqual(answer.envelope.data);
  return {
    answer,
    body: answer.rendered.text.startsWith('{') ? JSON.parse(answer.rendered.text) : undefined,
  };
}
