// What the soak and the growth bench share: a tree of files, a Pinhole that serves it, and edits.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';

const FILES = 2000;
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export function makeTree(tree) {
  for (let n = 0; n < FILES; n++) {
    mkdirSync(join(tree, `dir${n % 50}`), { recursive: true });
    writeFileSync(fileOf(tree, n), `export const value${n} = ${n};\n`.repeat(n % 40));
  }
  return tree;
}
export const fileOf = (tree, n) => join(tree, `dir${n % 50}`, `file${n}.ts`);

/** Changes, adds and deletes files. */
export function edit(tree, n) {
  const file = fileOf(tree, (n * 37) % FILES);
  writeFileSync(file, `export const edited${n} = ${n};\n`.repeat(1 + (n % 7)));
  if (n % 5 === 0) writeFileSync(`${file}.new.ts`, `export const added${n} = ${n};\n`);
  if (n % 5 === 4) rmSync(`${fileOf(tree, ((n - 4) * 37) % FILES)}.new.ts`, { force: true });
}

/** What client number `i` asks. */
export function routesOf(tree, i) {
  const path = encodeURIComponent(join(tree, `dir${i % 50}`));
  return [
    ['cd', `/api/cd?path=${path}`],
    ['inspect', `/api/files/inspect?path=${encodeURIComponent(fileOf(tree, i % FILES))}`],
    ['regex_search', `/api/code/search?mode=regex&pattern=value${i}&path=${path}`],
    ['hybrid_search', `/api/code/search?mode=hybrid&query=value+${i}&path=${path}`],
    ['list_sessions', '/api/agent-sessions'],
    ['index_list', '/api/indexes'],
  ];
}

/** Starts the command and finds the process that serves: the command restarts itself with its memory settings. */
export async function start({ env, home, tree, port }) {
  const before = record(home)?.pid;
  const child = spawn(process.execPath, [resolve('dist/main.js'), 'start', tree, '--port', String(port)], {
    env,
    stdio: 'ignore',
  });
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    const pid = record(home)?.pid;
    if (response?.ok && pid !== undefined && pid !== before) return { child, pid };
    if (child.exitCode !== null) throw new Error(`pinhole start ended with ${child.exitCode}`);
    await pause(100);
  }
}

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

export function record(home) {
  try {
    return JSON.parse(readFileSync(join(home, 'background.json'), 'utf8'));
  } catch {
    return undefined;
  }
}

export const memory = (pid) => {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
};
