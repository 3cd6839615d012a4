import { afterAll, describe, expect, test, vi } from 'vitest';
import { ALIASES, withoutAliases } from '../src/cli/aliases.ts';
import { runCli } from '../src/cli/cli.ts';
import { commandWords } from '../src/cli/command-specs.ts';
import { commandGroups } from '../src/cli/help.ts';
import { twoColumns } from '../src/cli/terminal.ts';
import { makeSandbox } from './docs/sandbox.ts';
import { temporaryFolder } from './support.ts';

const sandbox = makeSandbox(temporaryFolder());
afterAll(() => sandbox.stop());

/** What a command prints, also if it fails. */
const typed = (line: string) => sandbox.run(`${line} 2>&1 || echo "exit $?"`);

describe('what people type first', () => {
  test('a question is searched for in the code', async () => {
    expect(await typed('pinhole "where are failed calls retried"')).toContain('src/retry.ts');
    expect(await typed('pinhole search "where are failed calls retried"')).toContain('src/retry.ts');
  });

  test.each([
    ['pinhole rg -l createServer', 'src/server.ts\n'],
    ["pinhole find '*.mov'", 'intro.mov'],
    ['pinhole du media', '/home/you/app/media  '],
    ['pinhole ls media', 'intro.mov'],
    ['pinhole sessions ls', '6e313101 gemini'],
    ['pinhole sessions --since 2026-03-01', '6e313101 gemini'],
    ['pinhole session --since "1 day ago"', 'No sessions'],
    ['pinhole sessions list --project app', '5e55a001'],
    ['pinhole show last', '6e313101'],
    ['pinhole sessions list --limit 2 | tail -1', 'more: '],
    ['pinhole sessions list --limit 2 --all | tail -1', '5e55a001 claude'],
    ['pinhole usage monthly', '2026-03 '],
    ['pinhole usage weekly --project app', '2026-02-23'],
    ['pinhole help disk', 'pinhole disk [UNDER] [flags]'],
    ['pinhole help sessions list', 'pinhole sessions list [flags]'],
    ['pinhole -v', '0.1.0'],
    ['pinhole serve --help', 'pinhole start [FOLDER]'],
  ])('%s', async (line, expected) => {
    expect(await typed(line)).toContain(expected);
  });

  test('code search takes the letters of ripgrep', async () => {
    expect(await typed('pinhole code search -i CREATESERVER')).toContain('src/server.ts');
    expect(await typed('pinhole code search -w -i creates')).toContain('No match');
    expect(await typed('pinhole code search -l sessionOf')).toMatch(
      /^src\/auth\/session.ts: 1\nsrc\/server.ts: 2\n/,
    );
    expect(await typed("pinhole code search -g '*.json' app")).toContain('package.json');
    expect(await typed('pinhole code search -t ts "a small server"')).toContain('No match');
    expect(await typed('pinhole code search -C 1 "throw error"')).toContain('catch (error)');
  });

  test('index waits if it is asked to', async () => {
    expect(await typed('pinhole index . --wait')).toContain('9 files, 3 folders');
    expect(await typed('pinhole disk cd .')).not.toContain('not indexed');
  });
});

test.each([
  ['session list', 'sessions list'],
  ['session ls', 'sessions list'],
  ['sessions --failed', 'sessions list --failed'],
  ['sessions show last', 'sessions show last'],
  ['usage daily', 'sessions usage daily'],
  ['help usage', 'sessions usage --help'],
  ['help', '--help'],
  ['serve --port 5000', 'start --port 5000'],
  ['code index src', 'index --what code src'],
])('%s means %s', (line, meant) => {
  expect(withoutAliases(line.split(' '))).toEqual(meant.split(' '));
});

test('no alias hides a command, and each leads to one', () => {
  const words = commandWords();
  for (const { typed: name, means, beforeFlag } of ALIASES) {
    expect(words).not.toContain(name);
    const [command = ''] = means.split(' --');
    const known = words.includes(command) || words.some((each) => each.startsWith(`${command} `));
    expect(known, `${name} means ${means}`).toBe(true);
    if (beforeFlag) expect(withoutAliases([name, '--help'])).toEqual([name, '--help']);
  }
});

/** Runs a command line in this process: for mistakes that are found before anything is asked. */
async function refused(line: string): Promise<{ code: number; out: string; err: string }> {
  const written = { out: '', err: '' };
  const keep = (to: 'out' | 'err') => (text: unknown) => {
    written[to] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep('err')),
  ];
  const code = await runCli(line.split(' ').slice(1)).finally(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return { code, ...written };
}

test.each([
  ['pinhole sesions', "Unknown command 'sesions'. Did you mean: pinhole sessions? "],
  ['pinhole usaeg', 'Did you mean: pinhole usage?'],
  ['pinhole Router', "Unknown command 'Router'. Search the code here with: pinhole grep Router. List all"],
  ['pinhole where is it', `Unknown command 'where'. Search the code here with: pinhole "where is it". List`],
  ['pinhole sessions lst', "Unknown command 'sessions lst'. Did you mean: pinhole sessions list?"],
  ['pinhole disk larget', "Unknown command 'disk larget'. Did you mean: pinhole disk largest?"],
  ['pinhole sessions list --sinse 7d', "Unknown option '--sinse'. Did you mean --since?"],
  ['pinhole code search', 'PATTERN is missing. Usage: pinhole code search PATTERN [PATH] [flags]'],
  ['pinhole disk preferences', 'SHELL is missing. Usage: pinhole disk preferences SHELL [flags]'],
  ['pinhole stop --bogus', "Unknown option '--bogus'."],
  ['pinhole stop extra', "Unexpected argument 'extra'."],
  ['pinhole restart --bogus', "Unknown option '--bogus'."],
  ['pinhole status foo', "Unexpected argument 'foo'."],
  ['pinhole sessions list --max-bytes 10', '--max-bytes must be a whole number from 2000 to 50000000.'],
])('%s is refused', async (line, expected) => {
  const { code, out, err } = await refused(line);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(expected);
});

test.each([
  ['pinhole ls medai', "Nothing exists at '/home/you/app/medai'. Did you mean '/home/you/app/media'?"],
  ['pinhole code search x scr', "Did you mean '/home/you/app/src'?"],
  ['pinhole code index scr', "Did you mean '/home/you/app/src'?"],
])('%s names the nearest path', async (line, expected) => {
  expect(await typed(line)).toContain(expected);
});

test('an error is JSON with --json, also for what is not a command', async () => {
  expect(JSON.parse((await refused('pinhole sesions --json')).out)).toMatchObject({
    error: { code: 'invalid_parameter' },
  });
  expect(JSON.parse((await refused('pinhole status --jsn --json')).out).error.message).toContain(
    'Did you mean --json?',
  );
});

test.each([60, 80])('help fits in %i columns', (width) => {
  const rows = commandGroups().flatMap((group) => group.rows);
  const lines = twoColumns(rows, width).split('\n');
  expect(lines.filter((line) => line.length > width)).toEqual([]);
  expect(lines.length).toBeGreaterThan(rows.length);
});

test('in a pipe, no help is wider than 80 columns but for examples', async () => {
  for (const words of ['', ...commandWords()]) {
    const { out } = await refused(`pinhole ${words} --help`.replace('  ', ' '));
    expect(out).toContain('Usage');
    const wide = out
      .split('\n')
      .filter((line) => line.length > 80 && !/^ {2}(?:pinhole|claude|curl) /.test(line));
    expect(wide, words).toEqual([]);
  }
});

describe('the size of an answer', () => {
  const bytes = async (line: string) => Buffer.byteLength(await sandbox.run(line));

  test('--max-bytes and PINHOLE_MAX_BYTES hold for text, JSON, tables and grep', async () => {
    await sandbox.run("seq 1 5000 | sed 's/$/ some words to find/' > long.txt");
    for (const line of [
      'pinhole code search words',
      'pinhole code search words --json',
      "pinhole sql 'select path, size from files' ",
      'pinhole grep words',
    ]) {
      expect(await bytes(`${line} --max-bytes 3000 || true`), line).toBeLessThanOrEqual(3000);
      expect(await bytes(`PINHOLE_MAX_BYTES=3000 ${line} || true`), line).toBeLessThanOrEqual(3000);
    }
    expect(await bytes('pinhole grep words')).toBeGreaterThan(100_000);
  });
});

test('reset deletes what Pinhole wrote, and nothing else', async () => {
  const data = '~/.local/share/pinhole';
  await sandbox.run(`pinhole health; mkdir -p ${data}/archive; touch ${data}/archive/log ${data}/mine`);
  expect(await typed('pinhole reset < /dev/null')).toContain('Nothing was deleted. Use --yes');
  expect(await sandbox.run(`ls ${data}`)).toContain('pinhole.db');
  await sandbox.run('pinhole reset --yes');
  expect(await sandbox.run(`ls ${data}`)).toBe('archive\nmine\n');
});

describe('on a terminal', () => {
  const onTerminal = (line: string, settings = 'LC_ALL=C.UTF-8') =>
    sandbox.run(`script -qec "stty cols 60; export ${settings} TERM=xterm; ${line}" /dev/null`);

  test('there are colours, bars and hints; in a pipe there is nothing but the answer', async () => {
    await sandbox.run('pinhole disk');
    const shown = await onTerminal('pinhole disk');
    expect(shown).toContain('█');
    expect(shown).toContain('\u001b[');
    const piped = await sandbox.run('pinhole disk');
    expect(piped).not.toMatch(/[█▏▎▍▌▋▊▉]|https?:/);
    expect(piped).not.toContain('\u001b');
    expect(await onTerminal('pinhole sessions list')).toContain('next: pinhole sessions show');
    expect(await sandbox.run('pinhole sessions list')).not.toContain('next: pinhole sessions show');
  });

  test('a terminal of the C locale gets no block characters', async () => {
    const shown = await onTerminal('pinhole disk', 'LC_ALL=C');
    expect(shown).toMatch(/####/);
    expect(shown).not.toMatch(/[█▏▎▍▌▋▊▉]/);
  });

  test('lists are as wide as the terminal, and aligned', async () => {
    const lines = (await onTerminal('NO_COLOR=1 pinhole sessions list'))
      .split(/\r?\n/)
      .filter((line) => /^[0-9a-f]{8} /.test(line));
    expect(lines.length).toBe(3);
    expect(lines.filter((line) => line.length > 60)).toEqual([]);
    expect(new Set(lines.map((line) => line.indexOf('2026') < 0 && line.search(/03-0\d/))).size).toBe(1);
  });
});
