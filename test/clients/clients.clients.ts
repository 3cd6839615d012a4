import { resolve } from 'node:path';
import { afterAll, describe, expect, onTestFailed, onTestFinished, test } from 'vitest';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { opencode } from './agents/opencode.ts';
import { CALLS } from './calls.ts';
import { type Row, writeMatrix } from './matrix.ts';
import { holdsWhole, type Observed } from './observed.ts';
import { makePlace, type Place } from './place.ts';
import { runAgent } from './run-agent.ts';
import { LIBRARIES, runLibrary } from './run-library.ts';

const AGENTS = [claudeCode, codex, geminiCli, opencode];
const BUDGET = 8_000;

const rows: Row[] = [];
afterAll(() => {
  if (rows.length === AGENTS.length + LIBRARIES.length) writeMatrix(resolve('docs/clients.md'), rows);
});

async function check(
  client: { readonly title: string; readonly package: string },
  run: (place: Place) => Promise<Observed>,
) {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const { version, wire, shown, visible, output } = await run(place);
  onTestFailed(() => console.error(output));

  expect(wire.tools).toContain('regex_search');
  expect(visible).toEqual(wire.tools);
  expect(wire.calls.map(({ tool }) => tool)).toEqual(CALLS.map(({ tool }) => tool));
  expect(shown).toHaveLength(CALLS.length);
  for (const [n, { text, isError }] of wire.calls.entries()) {
    expect(text).toContain(CALLS[n]?.says);
    expect(isError).toBe(CALLS[n]?.fails === true);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(BUDGET);
    expect(holdsWhole(shown[n] ?? '', text), `what was shown: ${shown[n]}`).toBe(true);
  }
  const largest = Math.max(...wire.calls.map(({ text }) => Buffer.byteLength(text)));
  expect(largest).toBeGreaterThan(BUDGET * 0.9);
  rows.push({
    title: client.title,
    package: client.package,
    version,
    protocol: wire.protocol,
    tools: wire.tools.length,
    largest,
  });
}

describe('agents show their model every answer whole', () => {
  test.each(AGENTS)('$title', (agent) => check(agent, (place) => runAgent(agent, place)));
});

describe('libraries give every answer whole', () => {
  test.each(LIBRARIES)('$title', (library) => check(library, (place) => runLibrary(library, place)));
});
