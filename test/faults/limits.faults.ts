import { execFile, execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { logFile } from '../../src/connect/background-log.ts';
import { claude, lines, writeLog } from '../fixtures/sessions/logs.ts';
import { MAIN, type ProcessHome, processHome } from '../processes.ts';
import { counted, tries } from '../reliability/counted.ts';
import { temporaryFolder } from '../support.ts';

/* A machine that gives little: descriptors, watches, memory, room on the disk. And trees that want much. */

const PATIENCE_MS = 60_000;
const SESSION = 'aaaaaaaa-1111-4111-8111-111111111111';

interface Ended {
  readonly code: number;
  readonly out: string;
}

/** Runs commands of Pinhole in a shell, after some of the shell's own, which limit what they get. */
function shell(
  place: ProcessHome,
  root: string,
  before: string,
  commands: readonly string[],
): Promise<Ended[]> {
  const each = commands.map((words) => `"$NODE" "$MAIN" ${words} 2>&1; echo "ended: $?"`);
  return new Promise((resolve, reject) => {
    execFile(
      'sh',
      ['-c', [before, ...each].filter((line) => line !== '').join('\n')],
      {
        cwd: root,
        env: { ...place.env, NODE: process.execPath, MAIN },
        timeout: PATIENCE_MS * commands.length,
      },
      (error, stdout, stderr) => {
        const ended = stdout.split(/(?<=ended: \d+\n)/).flatMap((out) => {
          const code = /ended: (\d+)\n$/.exec(out)?.[1];
          return code === undefined ? [] : [{ code: Number(code), out }];
        });
        if (ended.length === commands.length) resolve(ended);
        else reject(new Error(`${error?.message} ${stdout} ${stderr}`));
      },
    );
  });
}

function project(place: ProcessHome, files = 200): string {
  const root = realpathSync(temporaryFolder());
  for (let n = 0; n < files; n++) {
    mkdirSync(join(root, `d${n % 20}`), { recursive: true });
    writeFileSync(join(root, `d${n % 20}`, `f${n}.ts`), `export const needle${n} = ${n};\n`);
  }
  writeLog(
    join(place.home, '.claude/projects/p', `${SESSION}.jsonl`),
    lines([claude({ id: SESSION, cwd: root }).prompt('the needle in a session')]),
  );
  return root;
}

const WORK = [
  'code search needle1 --output count',
  'sessions list',
  'disk cd .',
  'index .',
  'code find needle',
  'allow .',
  'disk largest',
];

test('128 descriptors are enough for all work', async ({ task }) => {
  const place = processHome();
  const ended = await shell(place, project(place), 'ulimit -n 128', WORK);
  const log = readFileSync(logFile(place.home), 'utf8').slice(-2_000);
  expect(
    ended.filter(({ code }) => code !== 0),
    log,
  ).toEqual([]);
  counted(task, WORK.length, WORK.length);
});

test('with 64 or 40 descriptors every command ends, and with more everything works again', async ({
  task,
}) => {
  for (const limit of [64, 40]) {
    const place = processHome();
    const root = project(place);
    const few = await shell(place, root, `ulimit -n ${limit}`, [...WORK, 'stop']);
    if (limit === 64)
      for (const { code, out } of few)
        if (code !== 0) expect(out).toMatch(/Too many files are open|The scan of index \w+ never finished/);
    const ended = await shell(place, root, '', WORK);
    expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
  }
  counted(task, WORK.length * 4, WORK.length * 4);
});

test('where no more folders can be watched, changes are found all the same', async (context) => {
  const place = processHome();
  const root = project(place);
  const limited = `unshare -Ur sh -c 'echo 20 > /proc/sys/user/max_inotify_watches && echo 3 > /proc/sys/user/max_inotify_instances'`;
  try {
    execFileSync('sh', ['-c', limited], { stdio: 'ignore' });
  } catch {
    context.skip('watches cannot be limited here');
  }
  const script = [
    'echo 20 > /proc/sys/user/max_inotify_watches; echo 3 > /proc/sys/user/max_inotify_instances',
    '"$NODE" "$MAIN" code search needle --output count',
    'echo "export const later = 1;" >> d3/f3.ts; mkdir new; echo "export const later = 2;" > new/f.ts; rm d4/f4.ts',
    '"$NODE" "$MAIN" code search "later|needle4 " --output files',
    '"$NODE" "$MAIN" stop',
  ];
  const out = execFileSync('unshare', ['-Ur', 'sh', '-c', script.join('\n')], {
    cwd: root,
    env: { ...place.env, NODE: process.execPath, MAIN },
    encoding: 'utf8',
    timeout: PATIENCE_MS * 2,
  });
  expect(out).toContain('d3/f3.ts');
  expect(out).toContain('new/f.ts');
  expect(out).not.toContain('d4/f4.ts');
});

interface InMemory {
  readonly ended: readonly Ended[];
  /** How many processes the system killed. */
  readonly killed: number;
  readonly log: string;
}

/** Runs work of every kind with so much memory for all of its processes; undefined where it cannot be limited. */
async function inMemory(megabytes: number): Promise<InMemory | undefined> {
  const group = `/sys/fs/cgroup/memory/pinhole-${process.pid}-${megabytes}`;
  const place = processHome();
  const root = project(place, 1_500);
  try {
    mkdirSync(group);
    writeFileSync(join(group, 'memory.limit_in_bytes'), String(megabytes << 20));
  } catch {
    process.stderr.write('SKIPPED: memory cannot be limited here.\n');
    return undefined;
  }
  onTestFinished(() => rmdirSync(group));
  const ended = await shell(place, root, `echo $$ > ${group}/cgroup.procs`, [...WORK, ...WORK, 'stop']);
  const [, killed] = /oom_kill (\d+)/.exec(readFileSync(join(group, 'memory.oom_control'), 'utf8')) ?? [];
  return { ended, killed: Number(killed), log: readFileSync(logFile(place.home), 'utf8') };
}

test('in 300 MB of memory 1,500 files are searched and indexed', async () => {
  const run = await inMemory(300);
  if (run === undefined) return;
  expect(run.ended.filter(({ code }) => code !== 0)).toEqual([]);
  expect(run.killed).toBe(0);
});

test('in 150 MB of memory every call is answered, or says that the process ended and is started again', async () => {
  const run = await inMemory(150);
  if (run === undefined) return;
  const { ended } = run;
  for (const { code, out } of ended)
    if (code !== 0)
      expect(out).toMatch(/background process ended during this call; the next call starts it again/);
  // It is not killed over and over.
  const failed = ended.filter(({ code }) => code !== 0);
  expect(failed.length).toBeLessThanOrEqual(WORK.length / 2);
  if (run.killed > 0) expect(run.log).toContain('it may have been killed for memory: Pinhole gets 150 MB');
});

/** A small file system, or undefined where none can be mounted. */
function smallDisk(size: string): string | undefined {
  const disk = temporaryFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', disk], { stdio: 'ignore' });
  } catch {
    process.stderr.write('SKIPPED: a small file system cannot be mounted here (needs root).\n');
    return undefined;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', disk]));
  return disk;
}

const on = (place: ProcessHome, disk: string): ProcessHome => ({
  ...place,
  env: { ...place.env, PINHOLE_HOME: disk },
});

test('on a full disk commands say so, and nothing is lost when there is room again', async ({ task }) => {
  const disk = smallDisk('20m');
  if (disk === undefined) return;
  const home = processHome();
  const place = on(home, disk);
  const root = project(home);
  const seeded = await shell(place, root, '', [
    'allow .',
    'index .',
    'disk query --filter \'{"ext":"ts"}\' --save-as mine',
    'sessions archive on',
    'stop',
  ]);
  expect(seeded.filter(({ code }) => code !== 0)).toEqual([]);
  const filler = join(disk, 'filler');
  writeFileSync(filler, '');
  for (let size = 16 << 20; size > 0; size >>= 1)
    try {
      appendFileSync(filler, Buffer.alloc(size));
    } catch {
      // Full: what is left takes a smaller piece.
    }
  const full = await shell(place, root, '', [...WORK, 'sessions archive off', 'stop']);
  for (const { code, out } of full)
    if (code !== 0) expect(out).toMatch(/disk is full|no space|ENOSPC|cannot be written/i);
  rmSync(filler);
  const after = await shell(place, root, '', ['allow', 'disk queries', 'sessions archive', ...WORK, 'stop']);
  expect(after.filter(({ code }) => code !== 0)).toEqual([]);
  expect(after[0]?.out).toContain(root);
  expect(after[1]?.out).toContain('mine');
  // Either was answered before; a file that is cut off would be a third.
  expect(after[2]?.out).toMatch(/on|off/);
  counted(task, full.length + after.length, full.length + after.length);
});

test('a data folder that cannot be written is named, and works when it can be again', async ({ task }) => {
  const disk = smallDisk('40m');
  if (disk === undefined) return;
  const home = processHome();
  const place = on(home, disk);
  const root = project(home);
  await shell(place, root, '', ['allow .', 'stop']);
  const mode = (words: string) => execFileSync('mount', ['-o', `remount,${words}`, disk]);
  mode('ro');
  const [search] = await shell(place, root, '', ['code search needle1 --output count']);
  expect(search?.out).toMatch(/cannot be written|read-only|EROFS/);
  mode('rw');
  const after = await shell(place, root, '', ['allow', ...WORK, 'stop']);
  expect(after.filter(({ code }) => code !== 0)).toEqual([]);
  expect(after[0]?.out).toContain(root);
  counted(task, after.length + 1, after.length + 1);
});

test('a tree of very many files is searched, indexed and followed', { timeout: 600_000 }, async ({
  task,
}) => {
  const FILES = tries('PINHOLE_FILES', 300_000);
  const place = processHome();
  const root = realpathSync(temporaryFolder());
  for (let n = 0; n < FILES; n++) {
    if (n % 500 === 0) mkdirSync(join(root, `d${n / 500}`));
    writeFileSync(join(root, `d${Math.floor(n / 500)}`, `f${n}.ts`), n % 1_000 === 0 ? `needle ${n}\n` : '');
  }
  const [count] = await shell(place, root, '', ['code search needle --output count']);
  expect(count?.out).toMatch(new RegExp(`\\b${FILES / 1_000}\\b`));
  appendFileSync(join(root, 'd1/f501.ts'), 'needle again\n');
  const more = ['code search "needle again" --output files', 'index .', 'disk largest', 'disk cd .', 'stop'];
  const ended = await shell(place, root, '', more);
  expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
  expect(ended[0]?.out).toContain('d1/f501.ts');
  counted(task, more.length + 1, more.length + 1);
});

test('1,000 folders inside each other are searched and indexed', async ({ task }) => {
  const place = processHome();
  const root = realpathSync(temporaryFolder());
  // Paths longer than the system takes are reached step by step.
  execFileSync(
    'sh',
    [
      '-c',
      'for n in $(seq 1000); do mkdir d && cd -P d || exit 1; if [ $((n % 100)) = 0 ]; then echo needle > f.ts; fi; done',
    ],
    { cwd: root },
  );
  const work = ['code search needle --output count', 'index .', 'disk cd .', 'disk largest', 'stop'];
  const ended = await shell(place, root, '', work);
  expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
  expect(ended[0]?.out).toMatch(/\b10\b/);
  counted(task, work.length, work.length);
});
