import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readBackgroundRecord } from '../src/connect/background-record.ts';
import { connectClient, MAIN, onlyText, processHome } from './processes.ts';
import { stranger } from './stranger.ts';
import { temporaryFolder } from './support.ts';

/** Says of every request what it was given, and answers as the background process would. */
const SQUAT = `
const answer = { ok: true, text: '{"data":{"status":"made up"}}', bytes: 1, tokens: 1 };
const server = require('node:http').createServer((req, res) => {
  console.log(req.method + ' ' + req.url + ' ' + (req.headers.authorization ?? 'no token'));
  res.end(JSON.stringify(req.url.includes('hello') ? { version: '0.1.0', pid: process.pid, idle: false } : answer));
});
const listen = () => server.listen({ port: Number(process.argv[1]), host: '127.0.0.1' });
server.on('listening', () => console.log('listening'));
// A killed process may hold its port for another moment.
server.on('error', () => setTimeout(listen, 20));
listen();`;

const run = promisify(execFile);
const other = stranger();

test('what takes the port of a dead process gets no token, and nobody believes it', async () => {
  const place = processHome();
  const health = () => run(process.execPath, [MAIN, 'health', '--json'], { env: place.env });
  await health();
  const dead = place.background();
  process.kill(dead.pid, 'SIGKILL');
  const squatter = await other.begin(SQUAT, String(dead.port));
  expect(await squatter.line()).toBe('listening');

  const { stdout } = await health();
  expect(JSON.parse(stdout).data).toMatchObject({ status: 'ok', pid: place.background().pid });
  expect(place.background().port).not.toBe(dead.port);
  const client = await connectClient(place, { cwd: temporaryFolder() });
  expect(onlyText(await client.callTool({ name: 'list_sessions', arguments: {} }))).not.toContain('made up');
  await client.close();
  expect(squatter.said).toEqual(['listening']);
  squatter.end();
});

test('a socket that another account made in a folder of its own is not believed', async () => {
  const place = processHome();
  const open = temporaryFolder();
  chmodSync(open, 0o777);
  const path = join(open, 'socket');
  const server = await other.begin(
    SQUAT.replace("{ port: Number(process.argv[1]), host: '127.0.0.1' }", 'process.argv[1]'),
    path,
  );
  expect(await server.line()).toBe('listening');
  mkdirSync(place.home, { recursive: true });
  const record = {
    pid: 1,
    host: '127.0.0.1',
    port: 1,
    socket: path,
    version: '0.1.0',
    token: 't',
    started_at: 1,
  };
  writeFileSync(join(place.home, 'background.json'), JSON.stringify(record), { mode: 0o600 });
  const { stdout } = await run(process.execPath, [MAIN, 'health', '--json'], { env: place.env });
  expect(JSON.parse(stdout).data).toMatchObject({ status: 'ok', pid: readBackgroundRecord(place.home)?.pid });
  expect(server.said).toEqual(['listening']);
  server.end();
});
