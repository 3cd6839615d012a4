import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** A Pinhole of its own; ends with the returned function. */
export async function startPinhole(home) {
  const env = { ...process.env, HOME: home, PINHOLE_HOME: join(home, 'data'), CLAUDE_CONFIG_DIR: '' };
  const child = spawn(process.execPath, [join(root, 'dist/main.js'), 'start', '--no-index', '--port', '0'], {
    cwd: home,
    env,
  });
  const base = await new Promise((found, failed) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (url !== undefined) found(url);
    });
    child.once('exit', () => failed(new Error(`pinhole did not start: ${text}`)));
  });
  const api = async (method, path, body) => {
    const headers = { origin: base, 'content-type': 'application/json' };
    const answer = await fetch(base + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
    return (await answer.json()).data;
  };
  return { base, api, stop: () => child.kill() };
}

/** Indexes a folder and gives the card of the index. */
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
