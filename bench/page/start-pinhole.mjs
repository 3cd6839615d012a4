import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { note } from './report.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Starts a separate Pinhole; the returned function stops it. */
export async function startPinhole(home) {
  const env = { ...process.env, HOME: home, PINHOLE_HOME: join(home, 'data'), CLAUDE_CONFIG_DIR: '' };
  const child = spawn(process.execPath, [join(root, 'dist/main.js'), 'start', '--no-index', '--port', '0'], {
    cwd: home,
    env,
  });
  const [base, code] = await new Promise((found, failed) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const [, url, code] = /(http:\/\/127\.0\.0\.1:\d+)\/#sign-in=([\w-]+)/.exec(text) ?? [];
      if (code !== undefined) found([url, code]);
    });
    child.once('exit', () => failed(new Error(`pinhole did not start: ${text}`)));
  });
  const reply = await fetch(`${base}/api/sign-in`, {
    method: 'POST',
    headers: { origin: base, 'content-type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  const [cookie] = reply.headers.get('set-cookie').split(';');
  const api = async (method, path, body) => {
    const headers = { origin: base, cookie, 'content-type': 'application/json' };
    const answer = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  const [name, value] = cookie.split('=');
  const kept = {
    name,
    value,
    domain: '127.0.0.1',
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    expires: -1,
    secure: false,
  };
  const storageState = { cookies: [kept], origins: [] };
  /** A browser whose pages are signed in. */
  const signedIn = (browser) => ({
    newContext: (options) => browser.newContext({ ...options, storageState }),
    newPage: (options) => browser.newPage({ ...options, storageState }),
  });
  return { base, api, signedIn, stop: () => child.kill() };
}

/** Indexes a folder and returns the index's card. */
export async function indexFolder(api, folder) {
  await api('POST', '/api/allowed', { path: folder });
  const { job_id } = await api('POST', '/api/indexes', { root: folder });
  for (;;) {
    const job = await api('GET', `/api/jobs/${job_id}`);
    if (job.status === 'done') return api('GET', `/api/indexes/${job.index_id}`);
    if (job.status !== 'running' && job.status !== 'queued') throw new Error(JSON.stringify(job));
    await sleep(200);
  }
}

/** Waits until this many sessions are read, and reports how long that took. */
export async function readLogs(api, count) {
  const begun = performance.now();
  for (;;) {
    const { sessions } = await api('GET', '/api/agent-health');
    if (sessions >= count) break;
    await sleep(500);
  }
  note(
    `logs: ${count.toLocaleString('en')} sessions read`,
    `${((performance.now() - begun) / 1000).toFixed(1)} s`,
  );
}
