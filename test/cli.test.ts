import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from './support.ts';

const main = resolve('dist/main.js');
const home = temporaryFolder();
const root = await realpath(temporaryFolder());
mkdirSync(join(root, 'sub'));
writeFileSync(join(root, 'a.txt'), 'x'.repeat(2048));

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

afterAll(() => pinhole('stop'));

function pinhole(...args: string[]): Promise<Run> {
  return pipedInto('', ...args);
}

/** Runs a command with a text as its standard input. */
function pipedInto(text: string, ...args: string[]): Promise<Run> {
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      [main, ...args],
      { cwd: root, env: { ...process.env, PINHOLE_HOME: home, PINHOLE_PORT: '0' } },
      (error, out, err) => done({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
    child.stdin?.end(text);
  });
}

describe('commands', () => {
  test('help lists every command and its examples', async () => {
    const { code, out } = await pinhole('--help');
    expect(code).toBe(0);
    for (const word of [
      'mcp',
      'start',
      'status',
      'stop',
      'restart',
      'logs',
      'completion',
      'disk cd',
      'disk inspect',
      'stats',
    ])
      expect(out).toContain(`  ${word}`);
    expect(out).not.toContain('The background process itself');
    // What a command does cannot be said in one word.
    expect(out.match(/^ {2}\S.* {2,}\w+\.$/gm)).toBeNull();
    const cd = await pinhole('disk', 'cd', '--help');
    expect(cd.out).toContain('pinhole disk cd [PATH] [flags]');
    expect(cd.out).toContain('--sort VALUE');
    expect(cd.out).toContain('pinhole disk cd /var/log');
    const disk = (await pinhole('disk', '--help')).out;
    expect(disk).toContain('pinhole disk [UNDER] [flags]');
    expect(disk).toMatch(/^ {2}pinhole disk largest +The largest files below a folder\.$/m);
    expect((await pinhole('disk', 'selection', '--help')).out).toMatch(
      /^ {2}pinhole disk selection create /m,
    );
    expect((await pinhole('mcp', '--help')).out).toContain('--max-response-bytes N');
    expect((await pinhole('--version')).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test('starts the background process when needed and uses it', async () => {
    expect(await pinhole('status', '--json')).toMatchObject({
      code: 1,
      out: `{"data":{"running":false,"home":"${home}"}}\n`,
    });
    const text = await pinhole('disk', 'cd', '.');
    expect(text.code).toBe(0);
    expect(text.out.split('\n')[0]).toContain(root);
    expect(text.out).toContain('2.0 kB');
    expect(text.out).not.toContain('\u001b');
    const { data: status } = JSON.parse((await pinhole('status', '--json')).out);
    expect(status.running).toBe(true);
    expect((await pinhole('status', '--url')).out).toBe(`${status.url}\n`);
    const json = await pinhole('disk', 'cd', '--json');
    expect(JSON.parse(json.out).data.entries.map((entry: { name: string }) => entry.name)).toEqual([
      'sub',
      'a.txt',
    ]);
    expect((await pinhole('stats', '--days', '1')).out).toMatch(/cd +2 +0/);
    expect((await pinhole('restart')).out).toContain('Pinhole is running at');
    expect(JSON.parse((await pinhole('status', '--json')).out).data.pid).not.toBe(status.pid);
    expect((await pinhole('logs')).out).toContain('pinhole ended');
    expect((await pinhole('stop')).out).toBe('Pinhole stopped.\n');
    expect((await pinhole('stop')).out).toBe('Pinhole was not running.\n');
    expect(await pinhole('status', '--url')).toMatchObject({ code: 1, out: '' });
  });

  test('a query from a pipe is answered without a prompt', async () => {
    expect(await pipedInto('select 1 as a;\nselect 2 as b, 3 as c\n', 'sql')).toEqual({
      code: 0,
      out: 'a\n1\n\nb\tc\n2\t3\n',
      err: '',
    });
    expect(await pipedInto('select 1 as a', 'sql', '--csv')).toEqual({ code: 0, out: 'a\n1\n', err: '' });
    expect(await pipedInto('select nothing', 'sql')).toMatchObject({ code: 2, out: '' });
  });

  test('watching a session that is not there ends and says so', async () => {
    const { code, out, err } = await pinhole('watch', 'nope');
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe("pinhole: No session 'nope'.\nTry: pinhole sessions list\n");
  });

  test('flags have the other names that inputs have over MCP', async () => {
    const entries = async (...args: string[]) =>
      JSON.parse((await pinhole('disk', 'cd', ...args, '--json')).out).data.entries.length;
    expect(await entries('--page-size', '1')).toBe(1);
    expect(await entries('--directory', root, '--page-size=2')).toBe(2);
    expect((await pinhole('disk', 'cd', '--page-size', '0')).err).toBe('pinhole: --limit must be 1..100.\n');
    expect((await pinhole('disk', 'cd', '--help')).out).not.toContain('page-size');
  });

  test('exit codes: 1 for failures, 2 for wrong usage, messages on stderr', async () => {
    expect(await pinhole('disk', 'cd', 'nothing')).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('Nothing exists'),
    });
    expect(await pinhole('disk', 'cd', '--limit', '0')).toMatchObject({
      code: 2,
      err: 'pinhole: --limit must be 1..100.\n',
    });
    expect(await pinhole('sessions', 'export', 'last', '--format', 'doc')).toMatchObject({
      code: 2,
      err: 'pinhole: --format must be one of markdown, html, json.\n',
    });
    expect(await pinhole('disk', 'cd', '--nonsense')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--nonsense'),
    });
    expect(await pinhole('disk', 'cd', 'a', 'b')).toMatchObject({
      code: 2,
      err: expect.stringContaining("Unexpected argument 'b'"),
    });
    expect(await pinhole('nonsense')).toMatchObject({
      code: 2,
      err: expect.stringContaining("Unknown command 'nonsense'"),
    });
    expect(await pinhole('sessions', 'nonsense')).toMatchObject({
      code: 2,
      err: "pinhole: Unknown command 'sessions nonsense'. List its commands with: pinhole sessions --help\n",
    });
    expect(await pinhole('mcp', '--max-response-bytes', '10')).toMatchObject({
      code: 2,
      err: 'pinhole: --max-response-bytes must be a whole number from 2000 to 100000.\n',
    });
    expect(await pinhole('mcp', '--toolsets', 'everything')).toMatchObject({ code: 2 });
    const json = await pinhole('disk', 'cd', 'nothing', '--json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out).error.code).toBe('not_found');
  });

  test('a first look at a disk scans it', async () => {
    const file = await pinhole('disk', 'a.txt');
    expect(file).toMatchObject({ code: 2, err: expect.stringContaining("a.txt' is not a folder.") });
    const { code, out } = await pinhole('disk');
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toContain(`${root}  `);
    expect(out).toContain('a.txt');
    expect((await pinhole('disk', 'largest')).out).toContain('a.txt');
    // As find does, and as the help says; only pinhole grep has the exit codes of grep.
    expect(await pinhole('disk', 'find', '*.nothing')).toMatchObject({ code: 0, out: 'Nothing found.\n' });
    expect((await pinhole('grep', 'no such words', '.')).code).toBe(1);
    expect((await pinhole('--help')).out).toContain('0 success (even with no results), 1 failure,');
  });

  test('an unknown shell has no completion', async () => {
    expect((await pinhole('completion', 'tcsh')).code).toBe(2);
  });
});
