import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startBackground } from '../../src/daemon/background.ts';
import { counted } from '../reliability/counted.ts';
import { personHeaders, scriptHeaders } from '../sign-in.ts';
import { temporaryFolder } from '../support.ts';

/* Requests that no well-behaved client sends, byte by byte. */

const home = temporaryFolder();
const background = await startBackground({
  home,
  host: '127.0.0.1',
  port: 0,
  strictPort: true,
  idleMs: undefined,
});
if (background === undefined) throw new Error('no background process');
afterAll(() => background.stop());
const { port } = background;
const proof = `Authorization: ${scriptHeaders(background).authorization}`;
const good = `Host: 127.0.0.1:${port}`;
/** Only health answers with this. */
const DATA = '"version"';

/** Everything that comes back to some bytes until the server closes, or nothing came for this long. */
function reply(bytes: string | Buffer, silence = 1_500): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    socket.setTimeout(silence, () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
const lines = (...parts: readonly string[]) => [...parts, '', ''].join('\r\n');
const end = 'Connection: close';

test('host names that are not ours are refused, also with the token', async ({ task }) => {
  const heads = [
    [`GET /api/health HTTP/1.1`, 'Host: evil.com', proof, end],
    [`GET /api/health HTTP/1.1`, `Host: evil.com:${port}`, proof, end],
    [`GET /api/health HTTP/1.1`, `Host: 127.0.0.1.nip.io:${port}`, proof, end],
    [`GET /api/health HTTP/1.1`, `Host: localhost.:${port}`, proof, end],
    [`GET /api/health HTTP/1.1`, `Host: 127.0.0.2:${port}`, proof, end],
    [`GET /api/health HTTP/1.1`, 'Host: ', proof, end],
    [`GET /api/health HTTP/1.1`, `Host: 0x7f000001:${port}`, proof, end],
    [`GET /api/health HTTP/1.1`, `Host: [::ffff:127.0.0.1]:${port}`, proof, end],
    [`GET /api/health HTTP/1.1`, `Host: 127.0.0.1:${port}@evil.com`, proof, end],
    ['GET /api/health HTTP/1.1', proof, end],
    ['GET /api/health HTTP/1.0', proof],
    ['GET /api/health HTTP/1.1', good, 'Host: evil.com', proof, end],
    ['GET /api/health HTTP/1.1', 'Host: evil.com', good, proof, end],
    [`GET http://evil.com/api/health HTTP/1.1`, 'Host: evil.com', proof, end],
  ];
  for (const head of heads) {
    const text = await reply(lines(...head));
    expect(text, head.join(' | ')).not.toContain(DATA);
    expect([400, 403], head.join(' | ')).toContain(statusesOf(text)[0]);
  }
  expect(await reply(lines('GET /api/health HTTP/1.1', good, proof, end))).toContain(DATA);
  counted(task, heads.length, heads.length);
});

test('methods that no route has reach nothing, with the token and without', async ({ task }) => {
  const methods = [
    'TRACE',
    'CONNECT',
    'TRACK',
    'PROPFIND',
    'PUT',
    'PATCH',
    'LOCK',
    'PURGE',
    'NONSENSE',
    'get',
  ];
  for (const method of methods)
    for (const known of [[], [proof]]) {
      const text = await reply(lines(`${method} /api/health HTTP/1.1`, good, ...known, end));
      expect(text, method).not.toContain(DATA);
      // CONNECT is closed without a word.
      for (const status of statusesOf(text)) expect([400, 401, 403, 404, 405], method).toContain(status);
      if (known.length > 0) expect(text.toLowerCase(), method).not.toContain(proof.toLowerCase());
    }
  counted(task, methods.length * 2, methods.length * 2);
});

test('heads of any size are answered or refused', async () => {
  const long = 'a'.repeat(20_000);
  expect(statusesOf(await reply(lines(`GET /api/health?x=${long} HTTP/1.1`, good, proof, end)))).toEqual([
    431,
  ]);
  expect(statusesOf(await reply(lines('GET /api/health HTTP/1.1', good, proof, `X: ${long}`, end)))).toEqual([
    431,
  ]);
  const many = Array.from({ length: 1_900 }, (_, n) => `h${n}:`);
  const [status] = statusesOf(await reply(lines('GET /healthz HTTP/1.1', good, ...many, end)));
  expect([200, 431]).toContain(status);
});

test('one request is never taken for two', async ({ task }) => {
  const hidden = lines('GET /api/health HTTP/1.1', good, proof);
  const length = `Content-Length: ${hidden.length}`;
  const tries: Readonly<Record<string, string>> = {
    'both lengths': `${lines('POST /healthz HTTP/1.1', good, length, 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
    'two lengths': `${lines('POST /healthz HTTP/1.1', good, 'Content-Length: 0', length)}${hidden}`,
    'an unknown encoding': `${lines('POST /healthz HTTP/1.1', good, 'Transfer-Encoding: xchunked')}${hidden}`,
    'an encoding in disguise': `${lines('POST /healthz HTTP/1.1', good, 'Transfer-Encoding: chunked, identity')}0\r\n\r\n${hidden}`,
    'a space before the colon': `${lines('POST /healthz HTTP/1.1', good, `Content-Length : ${hidden.length}`)}${hidden}`,
    'bare line feeds': `POST /healthz HTTP/1.1\n${good}\n${length}\n\n${hidden}`,
    'a negative length': `${lines('POST /healthz HTTP/1.1', good, 'Content-Length: -1')}${hidden}`,
    'a length with a sign': `${lines('POST /healthz HTTP/1.1', good, 'Content-Length: +0')}${hidden}`,
    'a folded header': `${lines('POST /healthz HTTP/1.1', good, `X: a\r\n ${length}`, 'Content-Length: 0', 'Content-Length: 1')}${hidden}`,
  };
  for (const [name, bytes] of Object.entries(tries)) {
    const text = await reply(bytes);
    expect(text, name).not.toContain(DATA);
    expect(statusesOf(text), name).toEqual([400]);
  }
  counted(task, Object.keys(tries).length, Object.keys(tries).length);
});

test('what our own programs use is not on the network, however it is spelled', async ({ task }) => {
  const paths = [
    '/internal/hello',
    '//internal/hello',
    '/./internal/hello',
    '/%69nternal/hello',
    '/internal%2fhello',
    '/api/../internal/hello',
    '/api/..%2finternal/hello',
    '/INTERNAL/hello',
    '/internal/hello/',
    '/internal/hello?x=/api/health',
    `http://127.0.0.1:${port}/internal/hello`,
    '/internal\\hello',
    '/api/health/../../internal/hello',
  ];
  const origins = [
    [],
    [`Origin: http://127.0.0.1:${port}`],
    [proof],
    [proof, `Origin: http://127.0.0.1:${port}`],
  ];
  for (const path of paths)
    for (const more of origins) {
      const text = await reply(lines(`GET ${path} HTTP/1.1`, good, ...more, end));
      const [status = 0] = statusesOf(text);
      // A path of the page is answered with the bare page.
      const isPage = status === 200 && /<!doctype html/i.test(text);
      expect(isPage || [400, 401, 404].includes(status), `${path} ${status}`).toBe(true);
      expect(text, path).not.toContain('"idle"');
    }
  counted(task, paths.length * origins.length, paths.length * origins.length);
});

test('an upgrade to another protocol is not made', async () => {
  const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
  for (const path of ['/api/live', '/mcp', '/'])
    for (const upgrade of ['websocket', 'h2c'])
      expect(
        statusesOf(
          await reply(
            lines(
              `GET ${path} HTTP/1.1`,
              good,
              'Connection: Upgrade',
              `Upgrade: ${upgrade}`,
              key,
              'HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA',
            ),
            400,
          ),
        ),
        `${upgrade} ${path}`,
      ).not.toContain(101);
});

test('a thousand guesses at the token and at a link open nothing', async ({ task }) => {
  const origin = `http://127.0.0.1:${port}`;
  const guesses = 1_000;
  let refused = 0;
  for (let n = 0; n < guesses; n += 50)
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const guess = `${background.token.slice(0, (n + i) % background.token.length)}${n + i}`;
        const response = await fetch(`${origin}/api/sign-in`, {
          method: 'POST',
          headers: { origin, 'content-type': 'application/json' },
          body: JSON.stringify(i % 2 === 0 ? { token: guess } : { code: guess }),
        });
        await response.arrayBuffer();
        if (response.status === 403 && response.headers.get('set-cookie') === null) refused++;
      }),
    );
  expect(refused).toBe(guesses);
  counted(task, guesses, refused);
});

test('neither token nor cookie is in the log or in the address of an answer', async () => {
  const { cookie } = await personHeaders(background);
  const answers = await Promise.all(
    ['/api/health', '/api/cd?path=/', '/api/nothing', '/api/agent-sessions?limit=1'].map(async (path) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
      return `${response.url} ${JSON.stringify([...response.headers])} ${await response.text()}`;
    }),
  );
  const written = readdirSync(home)
    .filter(
      (name) => name.startsWith('background.') && name !== 'background.json' && name !== 'background.lock',
    )
    .map((name) => readFileSync(join(home, name), 'utf8'));
  for (const text of [...answers, ...written]) {
    expect(text).not.toContain(background.token);
    expect(text).not.toContain(cookie.split('=')[1]);
  }
});
