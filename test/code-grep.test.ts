import { execFile, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeLines, writeFiles } from './fixtures/code/made-tree.ts';
import { temporaryFolder } from './support.ts';

const main = resolve('dist/main.js');
const home = temporaryFolder();
const root = realpathSync(temporaryFolder());

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function pinhole(...args: string[]): Promise<Run> {
  const options = {
    cwd: root,
    env: { ...process.env, PINHOLE_HOME: home, PINHOLE_PORT: '0' },
    maxBuffer: 1e8,
  };
  return new Promise((done) => {
    execFile(process.execPath, [main, ...args], options, (error, out, err) =>
      done({ code: typeof error?.code === 'number' ? error.code : 0, out, err }),
    );
  });
}

function ripgrep(...args: string[]): Run {
  const { status, stdout, stderr } = spawnSync(rgPath, ['--no-config', '--sort', 'path', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { code: status ?? 2, out: stdout, err: stderr };
}

beforeAll(() => {
  const text = (seed: number, count: number) => `${madeLines(seed, count).join('\n')}\n`;
  writeFiles(root, {
    'a.c': text(1, 80),
    'lib/b.py': text(2, 60),
    'lib/c.ts': text(3, 300),
    '.hid/d.c': text(4, 20),
  });
});
afterAll(() => pinhole('stop'));

describe('pinhole grep beside ripgrep', () => {
  it.each([
    [['foo']],
    [['-n', 'mutex_lock']],
    [['-in', 'RETURN']],
    [['-w', 'x']],
    [['-F', 'foo.']],
    [['-l', 'foo']],
    [['-c', 'foo']],
    [['-n', '-A2', 'PM_RESUME']],
    [['-n', '-B', '1', '-A', '2', 'baz42']],
    [['-nC1', 'baz42', 'a.c']],
    [['-g', '*.py', 'foo']],
    [['-g', '!*.py', '-n', 'foo']],
    [['-t', 'py', 'foo']],
    [['-n', 'foo', 'lib', 'a.c']],
    [['-e', 'foo', '-e', 'bar', '-c']],
    [['--hidden', '-c', 'foo']],
    [['-m', '2', '-n', 'foo']],
    [['-S', '-c', 'foo']],
    [['-S', '-c', 'Return']],
    [['nothing_like_this']],
  ])('%j', async (args) => {
    const ours = await pinhole('grep', ...args);
    const peer = ripgrep(...args);
    expect({ code: ours.code, out: ours.out }).toEqual({ code: peer.code, out: peer.out });
  });

  it('ends with 2 and a word on what is wrong', async () => {
    for (const args of [['('], ['-A', 'x', 'foo'], ['--nope', 'foo'], [], ['foo', 'gone']]) {
      const { code, out, err } = await pinhole('grep', ...args);
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
      expect(err).toMatch(/^pinhole: ./);
    }
  });

  it('writes JSON messages and, when asked, colours', async () => {
    const { out } = await pinhole('grep', '--json', 'PM_RESUME', 'a.c');
    const types = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types[0]).toBe('begin');
    expect(types.slice(-2)).toEqual(['end', 'summary']);
    expect(types.filter((type) => type === 'match')).toHaveLength(
      Number(ripgrep('-c', 'PM_RESUME', 'a.c').out),
    );
    const coloured = await pinhole('grep', '--color', 'always', '-i', 'pm_resume', 'a.c');
    expect(coloured.out).toContain('\u001b[1;31mPM_RESUME\u001b[0m');
  });
});
