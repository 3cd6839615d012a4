import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, realpathSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { call, claude, codex, gemini, lines, resetClock, text, writeLog } from '../fixtures/sessions/logs.ts';

/** A machine as the guide assumes it: a home with agents' logs, a project, and `pinhole` on PATH. */
export interface Sandbox {
  readonly home: string;
  readonly project: string;
  /**
   * Runs a block of commands in the project and returns their output, with `/home/you` for the home folder.
   * Rejects with the output if one fails.
   */
  run(script: string): Promise<string>;
  stop(): void;
}

export function makeSandbox(folder: string, more: NodeJS.ProcessEnv = {}): Sandbox {
  const root = realpathSync(folder);
  const home = join(root, 'home');
  const project = join(home, 'app');
  makeProject(project);
  makeLogs(home, project);
  const bin = makePrograms(join(root, 'bin'));
  // Only what every user has: a block that needs another variable fails here, as it would for a reader.
  const env = { PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home, TZ: 'UTC', ...more };
  return {
    home,
    project,
    run: (script) =>
      new Promise((done, failed) =>
        execFile(
          'bash',
          ['--norc', '-euo', 'pipefail', '-c', script],
          { cwd: project, env, timeout: 120_000 },
          (error, out, err) =>
            error ? failed(new Error(`${script}\n${out}${err}`)) : done(out.replaceAll(home, '/home/you')),
        ),
      ),
    stop: () => void execFileSync(join(bin, 'pinhole'), ['stop'], { env, stdio: 'ignore' }),
  };
}

const SOURCES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "app", "type": "module" }\n',
  'README.md': '# app\n\nA small server.\n',
  'src/server.ts': `import { createServer } from 'node:http';
import { sessionOf } from './auth/session.ts';
import { settings } from './settings.ts';

/** Answers every request of a known session. */
export function startServer() {
  const server = createServer((request, response) => {
    const session = sessionOf(request.headers.authorization);
    response.statusCode = session === undefined ? 401 : 200;
    response.end();
  });
  return server.listen(settings.port);
}
`,
  'src/settings.ts': `/** Where settings come from: the environment, else these defaults. */
export const settings = {
  port: Number(process.env.PORT ?? 8080),
  retries: 3,
  backoffMs: 200,
};
`,
  'src/retry.ts': `import { settings } from './settings.ts';

/** Tries again with a growing pause; the last failure is thrown. */
export async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= settings.retries) throw error;
      await new Promise((done) => setTimeout(done, settings.backoffMs * 2 ** attempt));
    }
  }
}
`,
  'src/auth/session.ts': `const sessions = new Map<string, { user: string; until: number }>();

/** The session of a bearer token, when it exists and has not expired. */
export function sessionOf(header: string | undefined) {
  const token = header?.replace(/^Bearer /, '');
  const session = token === undefined ? undefined : sessions.get(token);
  return session !== undefined && session.until > Date.now() ? session : undefined;
}
`,
};

const TWO_YEARS_S = 2 * 365 * 86_400;

function makeProject(project: string): void {
  for (const [path, content] of Object.entries(SOURCES)) writeLog(join(project, path), content);
  mkdirSync(join(project, 'media'));
  writeFileSync(join(project, 'media/intro.mov'), Buffer.alloc(3_000_000, 1));
  writeFileSync(join(project, 'media/intro-copy.mov'), Buffer.alloc(3_000_000, 1));
  const old = join(project, 'media/2024.log');
  writeFileSync(old, 'x\n'.repeat(200_000));
  const then = Date.now() / 1000 - TWO_YEARS_S;
  utimesSync(old, then, then);
}

function makeLogs(home: string, project: string): void {
  resetClock();
  const id = '5e55a001-0000-4000-8000-000000000001';
  const c = claude({ id, cwd: project });
  const retry = join(project, 'src/retry.ts');
  writeLog(
    join(home, `.claude/projects/${project.replaceAll(/[^A-Za-z0-9]/g, '-')}/${id}.jsonl`),
    lines([
      c.prompt('why does the retry test hang?'),
      c.answer('m1', call('t1', 'Bash', { command: 'npm test' })),
      c.result('t1', 'Exit code 1\nError: listen EADDRINUSE: address already in use :::8080', {
        error: true,
      }),
      c.answer('m2', call('t2', 'Read', { file_path: retry })),
      c.result('t2', 'export async function withRetries'),
      c.answer('m3', text('The port is still taken, and the pause never ends.')),
      c.prompt('then make the pause grow'),
      c.answer(
        'm4',
        call('t3', 'Edit', {
          file_path: retry,
          old_string: 'backoffMs)',
          new_string: 'backoffMs * 2 ** attempt)',
        }),
      ),
      c.result('t3', 'The file has been updated.'),
      c.answer('m5', call('t4', 'Bash', { command: 'npm test' })),
      c.result('t4', 'ok 12 tests'),
      c.answer('m6', text('Done: the pause doubles with each attempt.')),
    ]),
  );
  writeLog(
    join(
      home,
      '.codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-c0de0001-0000-4000-8000-000000000002.jsonl',
    ),
    lines([
      codex.meta('c0de0001-0000-4000-8000-000000000002', { cwd: project }),
      codex.context(),
      codex.user('which settings does the server read?'),
      codex.call('k1', 'exec_command', { cmd: 'cat src/settings.ts' }),
      codex.output('k1', 'Process exited with code 0\nOutput:\nport: 8080'),
      codex.saidEvent('It reads the port and the retries.'),
      codex.said('It reads the port and the retries.'),
      codex.tokens(12_000, 12_000),
    ]),
  );
  writeLog(join(home, '.gemini/tmp/app/.project_root'), project);
  writeLog(
    join(home, '.gemini/tmp/app/chats/session-2026-03-03T08-00-6e313101.jsonl'),
    lines([
      gemini.header('6e313101-0000-4000-8000-000000000003'),
      gemini.user('u1', [{ text: 'list the sources' }]),
      gemini.answer('g1', { toolCalls: [gemini.tool('x1', 'list_directory', { path: 'src' }, 'server.ts')] }),
    ]),
  );
}

/** `pinhole` and `npx @pinhole-tools/pinhole` run the built command; `curl` exists even if it is not installed. */
function makePrograms(bin: string): string {
  const main = resolve('dist/main.js');
  const program = (name: string, script: string) => {
    writeLog(join(bin, name), script);
    chmodSync(join(bin, name), 0o755);
  };
  program(
    'pinhole',
    `#!/bin/sh\nexport PINHOLE_PORT=0 PINHOLE_IDLE_SECONDS=300\nexec "${process.execPath}" "${main}" "$@"\n`,
  );
  program(
    'npx',
    `#!/bin/sh\n[ "$1" = -y ] && shift\ncase "$1" in @pinhole-tools/pinhole*) shift ;; esac\nexec pinhole "$@"\n`,
  );
  program('curl', `#!/bin/sh\nexec "${process.execPath}" "${resolve('test/docs/curl.mjs')}" "$@"\n`);
  return bin;
}
