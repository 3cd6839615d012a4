import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { claude, lines, writeLog } from '../fixtures/sessions/logs.ts';
import { MAIN, processHome } from '../processes.ts';
import { temporaryFolder } from '../support.ts';

/** Work of every kind, one command after the other; the first starts the background process. */
const WORK = [
  'health',
  'index .',
  'index . --what code',
  'code search needle',
  'code find "what finds a needle"',
  'symbol needle',
  'grep needle',
  'sessions list',
  'sessions search needle',
  'sessions usage',
  'disk cd .',
  'disk largest',
  'disk ages',
  'sql "select count(*) from files"',
  'sql "select count(*) from sessions"',
  'allow .',
  'token',
  'open --print',
  'doctor',
  'logs',
  'stop',
];

const hasStrace = (() => {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write(
      'SKIPPED: strace cannot be used here, so nothing shows that no connection is made.\n',
    );
    return false;
  }
})();

/** What strace saw of all work, and what the work printed; made once. */
let traced: ReturnType<typeof trace> | undefined;
async function trace(): Promise<{ readonly calls: readonly string[]; readonly stdout: string }> {
  const place = processHome();
  const root = temporaryFolder();
  mkdirSync(join(root, 'src'));
  writeFileSync(join(root, 'src/a.ts'), '/** Finds it. */\nexport function needle() {}\n');
  const id = 'aaaaaaaa-1111-4111-8111-111111111111';
  writeLog(
    join(place.home, '.claude/projects/p', `${id}.jsonl`),
    lines([claude({ id, cwd: root }).prompt('a needle')]),
  );
  const file = join(temporaryFolder(), 'trace');
  const script = WORK.map(
    (words) => `"$NODE" "$MAIN" ${words} || echo "failed: ${words.replaceAll('"', '')}"`,
  );
  const { stdout } = await promisify(execFile)(
    'strace',
    [
      '-f',
      '-qq',
      '-s',
      '2000',
      '-e',
      'trace=connect,sendto,sendmsg,execve',
      '-o',
      file,
      'sh',
      '-c',
      script.join('\n'),
    ],
    { cwd: root, env: { ...place.env, NODE: process.execPath, MAIN }, maxBuffer: 1 << 26 },
  );
  return { calls: readFileSync(file, 'utf8').split('\n'), stdout };
}

test.skipIf(!hasStrace)('no work makes a connection to another machine', { timeout: 300_000 }, async () => {
  traced ??= trace();
  const { calls, stdout } = await traced;
  const reached = calls.filter((line) => /sa_family=AF_INET6?\b/.test(line));
  // Whether this machine can be reached at all is tried on itself.
  const away = reached.filter((line) => !/inet_addr\("127\.0\.0\.1"\)|"::1"/.test(line));
  expect(away).toEqual([]);
  // It was watched: programs reached the background process through its socket.
  expect(calls.some((line) => line.includes('AF_UNIX') && line.includes('background.sock'))).toBe(true);
  const failed = stdout.split('\n').filter((line) => line.startsWith('failed: '));
  expect(failed.filter((line) => line !== 'failed: doctor')).toEqual([]);
});

test.skipIf(!hasStrace)(
  'no command line, which every account can see, has the token',
  { timeout: 300_000 },
  async () => {
    traced ??= trace();
    const { calls, stdout } = await traced;
    const [token = ''] = /^[\w-]{30,}$/m.exec(stdout) ?? [];
    expect(token).not.toBe('');
    const started = calls.filter((line) => line.includes('execve('));
    expect(started.length).toBeGreaterThan(WORK.length);
    expect(started.filter((line) => line.includes(token))).toEqual([]);
  },
);
