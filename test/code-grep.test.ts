import { execFile, type SpawnSyncOptionsWithStringEncoding, spawnSync } from 'node:child_process';
import { realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeLines, writeFiles } from './fixtures/code/made-tree.ts';
import { temporaryFolder } from './support.ts';

const main = resolve('dist/main.js');
const home = temporaryFolder();
const root = realpathSync(temporaryFolder());

const env = { ...process.env, PINHOLE_HOME: home, PINHOLE_PORT: '0' };

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function pinhole(...args: string[]): Promise<Run> {
  const options = { cwd: root, env, maxBuffer: 1e8 };
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
    'lib/deep/er/Makefile': 'foo: bar\n\tfoo x\n',
    'odd/no-newline.c': 'foo\nbar foo',
    'odd/windows.txt': 'foo\r\nbar\r\nbaz42 foo\r\n',
    'odd/broken.txt': Buffer.from([0x66, 0x6f, 0x6f, 0xff, 0x20, 0x66, 0x6f, 0x6f, 0x0a, 0xc3, 0x0a]),
    'odd/utf16.txt': Buffer.from('\ufefffoo one\nbar\n', 'utf16le'),
    'out/ignored.c': 'foo ignored\n',
    'local.txt': 'foo local\nbar\n',
    'empty.txt': '',
    'image.png': 'foo\n\0foo\n',
    '.git/config': 'foo\n',
    '.gitignore': 'out\nlocal.txt\n',
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
    [['-x', 'foo']],
    [['-Fx', '-e', 'foo', '-e', 'bar']],
    [['-F', 'foo.']],
    [['-l', 'foo']],
    [['-c', 'foo']],
    [['-l0', 'foo']],
    [['-c0', 'foo']],
    [['-n0', 'foo']],
    [['-v', '-n', 'o']],
    [['-vc', 'o']],
    [['-vl', 'o']],
    [['-v', '-n', '-A1', '[a-z]']],
    [['-vo', 'o', 'odd']],
    [['-o', 'fo+']],
    [['-on', '\\w+o\\b']],
    [['-on', 'x*']],
    [['-o', '-A1', 'foo', 'lib/deep']],
    [['-oi', 'É|σ']],
    [['--column', 'foo']],
    [['-n', '-A2', 'PM_RESUME']],
    [['-n', '-B', '1', '-A', '2', 'baz42']],
    [['-nC1', 'baz42', 'a.c']],
    [['-nC3', 'baz42']],
    [['-C2', 'foo', 'lib', 'a.c']],
    [['-n', '-m2', '-A3', 'foo']],
    [['-cm3', 'foo']],
    [['-nB2', '-m1', 'return']],
    [['-g', '*.py', 'foo']],
    [['-g', '!*.py', '-n', 'foo']],
    [['-g', '*.{c,ts}', '-g', '!lib/**', '-n', 'foo']],
    [['-t', 'py', 'foo']],
    [['-t', 'c', '-t', 'ts', '-l', 'foo']],
    [['-T', 'c', '-l', 'foo']],
    [['-t', 'make', 'foo']],
    [['-n', 'foo', 'lib', 'a.c']],
    [['foo', './lib']],
    [['foo', 'lib/']],
    [['-H', 'foo', 'a.c']],
    [['foo', 'local.txt']],
    [['-n', 'foo', 'local.txt', 'out/ignored.c', 'a.c']],
    [['-c', 'o+', 'local.txt']],
    [['--files', 'local.txt']],
    [['foo', 'image.png']],
    [['foo', 'image.png', 'a.c']],
    [['-c', 'foo', 'image.png']],
    [['-l', 'foo', 'image.png']],
    [['nothing_like_this', 'image.png']],
    [['-I', 'foo']],
    [['-IN', 'foo', 'a.c']],
    [['-e', 'foo', '-e', 'bar', '-c']],
    [['-c', '--', '->', 'a.c']],
    [['--hidden', '-c', 'foo']],
    [['-u', '-l', 'foo']],
    [['-uu', '-l', 'foo']],
    [['-uuu', '-c', 'foo']],
    [['-a', '-c', 'foo']],
    [['--files']],
    [['--files', 'lib']],
    [['--files', '--hidden']],
    [['--files', '-t', 'c']],
    [['--sort', 'path', '-l', 'foo']],
    [['-S', '-c', 'foo']],
    [['-S', '-c', 'Return']],
    [['-s', '-c', 'Return']],
    [['--heading', '-n', 'foo']],
    [['--heading', '-nC1', 'baz42']],
    [['--no-heading', 'foo']],
    [['--color', 'always', '-n', 'foo']],
    [['--color', 'always', '-nA1', 'foo|bar']],
    [['--color', 'always', '-o', 'fo+']],
    [['--color', 'always', '-l', 'foo']],
    [['--color', 'always', '-c', 'foo']],
    [['--color', 'always', '-v', 'foo', 'odd']],
    [['--color', 'always', '--column', '\\bx']],
    [['-p', 'foo']],
    [['--color', 'never', 'foo']],
    [['(?x) foo | bar']],
    [['-n', '(?-u:\\xff)']],
    [['-nA1', '\\Afoo']],
    [['^$']],
    [['-c', '.']],
    [['-b', 'foo']],
    [['-bo', 'fo+']],
    [['-nb', '--column', '-A1', 'baz42']],
    [['--color', 'always', '-nb', 'foo']],
    [['--byte-offset', '-c', 'foo']],
    [['--trim', '-n', 'foo']],
    [['--trim', '-nA1', 'foo']],
    [['--trim', '--column', 'x']],
    [['--trim', '-o', '\\s+\\w+x']],
    [['--trim', '--color', 'always', '\\s\\w']],
    [['--trim', '-v', 'foo', 'lib']],
    [['-A1', '--context-separator', 'x\\ty\\x41', 'baz42']],
    [['-A1', '--context-separator', '', 'baz42']],
    [['-A1', '--no-context-separator', 'baz42']],
    [['--max-filesize', '1K', '-l', 'foo']],
    [['--max-filesize', '40', '-l', 'foo']],
    [['--max-filesize', '5', '-l', 'foo', 'a.c']],
    [['--max-filesize', '1K', '--files']],
    [['--type-list']],
    [['-U', '--multiline-dotall', '-l', 'foo.bar']],
    [['-U', '--multiline-dotall', '-n', 'foo.bar', 'lib']],
    [['--multiline-dotall', '-c', 'foo.']],
    [['-q', 'foo']],
    [['-q', 'nothing_like_this']],
    [['nothing_like_this']],
    [['-c', 'nothing_like_this']],
  ])('%j', async (args) => {
    const ours = await pinhole('grep', ...args);
    // ripgrep looks into .git when it is asked for hidden files; here that takes -uu.
    const peer = ripgrep(...args, ...(args.includes('--hidden') ? ['-g', '!.git'] : []));
    expect({ code: ours.code, out: ours.out, err: ours.err }).toEqual({
      code: peer.code,
      out: peer.out,
      err: '',
    });
  });

  it.each([
    [['foo']],
    [['-A1', '-B2', 'baz42']],
    [['x*', 'odd']],
    [['-i', 'É|σ']],
    [['-m2', 'foo']],
    [['-v', 'o', 'odd']],
    [['(?x) foo | bar']],
    [['nothing_like_this']],
  ])('writes the messages of rg --json: %j', async (args) => {
    const ours = await pinhole('grep', '--json', ...args);
    const peer = ripgrep('--json', ...args);
    expect(ours.code).toBe(peer.code);
    expect(messages(ours.out)).toEqual(messages(peer.out));
  });

  it.each([
    [['-q', '--json', 'foo']],
    [['-q', '--json', 'nothing_like_this']],
    [['-q', '--stats', 'nothing_like_this']],
    [['--stats', 'nothing_like_this']],
    [['--files', '-g', '*.nothing_like_this']],
    [['-o', 'x*', 'odd']],
    [['-U', 'nothing\\nlike_this']],
    [['--multiline', '\\w\\n.*\\w']],
  ])('ends with the exit code of ripgrep: %j', async (args) => {
    expect((await pinhole('grep', ...args)).code).toBe(ripgrep(...args).code);
  });

  it.each([
    ['-P', /-P is not supported: .*rg -P/],
    ['--files-without-match', /--files/],
    ['--sort=modified', /--sort/],
    ['-tnope', /nope/],
    ['--nope', /--nope/],
    ['--debug', /--stats/],
    ['--crlf', /\\r\?\$/],
    ['--passthru', /rg --passthru/],
    ['--binary', /-a/],
    ['--max-filesize=5X', /--max-filesize/],
  ])('names the way for %s', async (flag, message) => {
    const { code, out, err } = await pinhole('grep', flag, 'foo');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
  });

  it.each([
    [['-g', 'deep/**', '-l', 'foo']],
    [['-g', '/deep/er/*', '-l', 'foo']],
    [['-g', '!deep/**', '-l', 'foo']],
    [['-g', '!lib', '-l', 'foo']],
    [['-g', '*.{c,py}', '-l', 'foo', '..']],
    [['-g', '!deep', '-l', 'foo', '.', '../odd']],
  ])('counts globs from the folder that it is called in: %j', (args) => {
    const inside: SpawnSyncOptionsWithStringEncoding = {
      cwd: join(root, 'lib'),
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    };
    const ours = spawnSync(process.execPath, [main, 'grep', ...args], inside);
    const peer = spawnSync(rgPath, ['--no-config', '--sort', 'path', ...args], inside);
    expect(ours.stderr).toBe('');
    expect(ours.stdout).toBe(peer.stdout);
    expect(peer.stdout).not.toBe('');
  });

  it('counts the files it searched in --json, and with --stats -q every match', async () => {
    for (const args of [
      ['-g', '*.nothing_like_this', 'foo'],
      ['-g', '*.py', 'foo'],
      ['foo', 'lib'],
    ]) {
      const last = (out: string) => JSON.parse(out.trim().split('\n').at(-1) ?? '').data.stats.searches;
      const ours = await pinhole('grep', '--json', ...args);
      expect(last(ours.out)).toBe(last(ripgrep('--json', ...args).out));
    }
    const { out } = await pinhole('grep', '-q', '--stats', 'foo', 'lib');
    const lines = ripgrep('-q', '--stats', 'foo', 'lib').out.match(/^\d+ matched lines$/m)?.[0];
    expect(out.split('\n')).toContain(lines);
  });

  it('says with --stats what was searched and what was not', async () => {
    const found = await pinhole('grep', '--stats', '-l', 'foo', 'odd', 'a.c');
    expect(found.out).toMatch(
      /^odd\/broken.txt\n(?:.+\n)*a\.c\n\n\d+ matched lines\n5 files contained matches\n5 files searched\n.* seconds total\nnot searched: nothing but ignored files\n$/,
    );
    const missed = await pinhole('grep', '--stats', 'nothing_like_this');
    expect(missed.code).toBe(1);
    expect(missed.out).toMatch(
      /^\n0 matched lines\n0 files contained matches\n9 files searched\n.*\nnot searched: 1 binary\n$/,
    );
  });

  it('searches the folder behind a pipe, and says so', () => {
    const script = 'echo foo | "$0" "$1" grep -c foo';
    const { stdout, stderr } = spawnSync('sh', ['-c', script, process.execPath, main], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    expect(stdout).toBe(ripgrep('-c', 'foo', './').out.replaceAll('./', ''));
    expect(stderr).toBe('pinhole: searching the current folder, not standard input. Use rg for that.\n');
  });

  it('looks into a minified file that is named', async () => {
    const packed = resolve(temporaryFolder(), 'packed.js');
    writeFileSync(packed, `${'x;'.repeat(20_000)}foo`);
    expect(await pinhole('grep', '-o', 'x;foo', packed)).toEqual({ code: 0, out: 'x;foo\n', err: '' });
    const { out } = await pinhole('code', 'search', 'foo', packed, '--output', 'count', '--json');
    expect(JSON.parse(out).data.count).toEqual({ hits: 1, files: 1 });
  });

  it('ends at once and in peace when the reader has enough', async () => {
    const script = `"$0" "$1" grep -c . >/dev/null; "$0" "$1" grep -n '' lib | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, main], {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^lib\/b\.py:1:.*\n0\n$/);
  });

  it('ends with 2 and a word on what is wrong', async () => {
    for (const args of [['('], ['-A', 'x', 'foo'], ['--nope', 'foo'], [], ['foo', 'gone'], ['foo', '-']]) {
      const { code, out, err } = await pinhole('grep', ...args);
      expect({ args, code, out }).toEqual({ args, code: 2, out: '' });
      expect(err).toMatch(/^pinhole: ./);
    }
  });
});

/** Messages without times, and without what depends on how many files were opened. */
function messages(out: string): unknown[] {
  return out
    .trim()
    .split('\n')
    .map((line) =>
      JSON.parse(line, (key, value) =>
        ['elapsed', 'elapsed_total'].includes(key) || (key === 'searches' && value !== 1) ? undefined : value,
      ),
    )
    .map((message) => {
      if (message.type === 'summary')
        for (const key of ['searches', 'bytes_searched']) delete message.data.stats[key];
      return message;
    });
}
