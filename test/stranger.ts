import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterAll } from 'vitest';

/** One request by someone without credentials. */
export interface Try {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface Reply {
  readonly status: number;
  readonly body: string;
}

/** Another account on this machine; if none can be made, this one without any credentials. */
export interface Stranger {
  /** Whether it is a separate account. */
  readonly isOther: boolean;
  /** Sends requests to a server on 127.0.0.1, one after the other. */
  ask(port: number, tries: readonly Try[]): Promise<Reply[]>;
  /** Runs a script until the tests of this file end; resolves at its first line of output. */
  begin(script: string, ...args: string[]): Promise<Running>;
}

export interface Running {
  readonly said: string[];
  /** Waits for a line of output. */
  line(): Promise<string>;
  end(): void;
}

/** Reads [port, tries] from its input, writes [{ status, body }]. A stream is read for a moment only. */
const ASK = `
const http = require('node:http');
let input = '';
process.stdin.on('data', (chunk) => { input += chunk; }).on('end', async () => {
  const [port, tries] = JSON.parse(input);
  const replies = [];
  for (const { method, path, headers = {}, body } of tries) {
    replies.push(await new Promise((resolve, reject) => {
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const type = payload === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
      const req = http.request({ host: '127.0.0.1', port, method, path, headers: { ...type, ...headers }, agent: false }, (res) => {
        let text = '';
        const done = () => { resolve({ status: res.statusCode, body: text }); res.destroy(); };
        res.on('data', (chunk) => { text += chunk; if (/event-stream/.test(res.headers['content-type'] ?? '')) done(); });
        res.on('end', done);
      });
      req.on('error', reject);
      req.end(payload);
    }));
  }
  process.stdout.write(JSON.stringify(replies));
});`;

/** Makes the account if this process may, and removes it after the tests of this file: call it outside of them. */
export function stranger(): Stranger {
  const children: ChildProcess[] = [];
  const account = makeAccount();
  // Runs before the account is removed: hooks run in reverse order.
  afterAll(async () => {
    for (const child of children) {
      if (child.kill('SIGKILL')) await once(child, 'exit');
    }
  });
  const ids = account === undefined ? {} : { uid: account.uid, gid: account.gid };
  const start = (script: string, args: readonly string[]) =>
    spawn(process.execPath, ['-e', script, '--', ...args], {
      ...ids,
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', HOME: '/' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
  return {
    isOther: account !== undefined,
    async ask(port, tries) {
      const child = start(ASK, []);
      child.stdin.end(JSON.stringify([port, tries]));
      let out = '';
      for await (const chunk of child.stdout) out += chunk;
      // Written by the script above.
      return JSON.parse(out) as Reply[];
    },
    async begin(script, ...args) {
      const child = start(script, args);
      const said: string[] = [];
      const waiting: ((line: string) => void)[] = [];
      let rest = '';
      child.stdout.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString()).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) {
          said.push(line);
          waiting.shift()?.(line);
        }
      });
      children.push(child);
      return {
        said,
        line: () => new Promise((resolve) => waiting.push(resolve)),
        end: () => child.kill('SIGKILL'),
      };
    },
  };
}

function makeAccount(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/sbin/useradd')) return undefined;
  const name = `pinhole-t${process.pid}`;
  try {
    execFileSync('/usr/sbin/useradd', ['--no-create-home', '--shell', '/bin/sh', name], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  afterAll(() => {
    execFileSync('/usr/sbin/userdel', [name], { stdio: 'ignore' });
  });
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
