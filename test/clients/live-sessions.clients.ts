import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFailed, onTestFinished, test } from 'vitest';
import type { EventType } from '../../src/sessions/model/event.ts';
import { openSessions } from '../../src/sessions/sessions.ts';
import type { Agent } from './agents/agent.ts';
import { claudeCode } from './agents/claude-code.ts';
import { codex } from './agents/codex.ts';
import { geminiCli } from './agents/gemini-cli.ts';
import { install } from './install.ts';
import { MARK } from './model/conversation.ts';
import { startModel } from './model/server.ts';
import { makePlace } from './place.ts';

const PATIENCE_MS = 240_000;
/** Enough for the session to go on while it is looked for. */
const CALLS = 20;
const WORD = 'needle-in-a-running-session';

/** Follows the logs of a client that runs, and says when its prompt and the answer of a tool were found. */
async function follow(agent: Agent) {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const data = mkdtempSync(join(tmpdir(), 'pinhole-live-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const installed = install(agent.package);
  const model = await startModel(agent.api, (results) =>
    results.length < CALLS
      ? { ...agent.named('regex_search'), input: { pattern: 'ne+dle', limit: results.length + 1 } }
      : undefined,
  );
  onTestFinished(() => model.close());
  const sessions = await openSessions({ home: data, log: () => {}, env: { HOME: place.home } });
  onTestFinished(() => sessions.close());

  const prompt = `${MARK}: ${WORD}`;
  const launch = agent.prepare({
    home: place.home,
    modelUrl: model.url,
    server: place.server,
    installed,
    prompt,
  });
  const child = spawn(launch.command, launch.args, {
    cwd: place.folder,
    env: { ...place.env, ...launch.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
  });
  const said: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk.toString()));
  onTestFailed(() => console.error(said.join('').slice(-4000)));
  let running = true;
  const ended = new Promise<void>((done) => {
    child.once('close', () => {
      running = false;
      done();
    });
  });

  const find = async (query: string, type: EventType) => {
    for await (const _ of sessions.search.find(
      { text: query, regex: false },
      { types: [type] },
      AbortSignal.timeout(10_000),
    ))
      return running;
    return false;
  };
  const found = { prompt: false, result: false };
  while (running && !(found.prompt && found.result)) {
    found.prompt ||= await find(WORD, 'user');
    found.result ||= await find('a needle, ', 'tool_result');
    await sleep(50);
  }
  const asked = model.requests.length;
  await ended;
  await sessions.reading.refresh();
  const [session] = await sessions.list.page({}, undefined, 1);
  return { found, asked, session };
}

describe('a session that a client is writing is found by search while it runs', () => {
  test.each([claudeCode, codex, geminiCli])('$title', async (agent) => {
    const { found, asked, session } = await follow(agent);
    expect(found).toEqual({ prompt: true, result: true });
    expect(asked).toBeLessThanOrEqual(CALLS + 1);
    expect(session).toMatchObject({ turns: 1, toolCalls: CALLS, failures: 0 });
    expect(session?.steps).toBe(CALLS + 1);
    expect(session?.unknownRecords).toBe(0);
  });
});
