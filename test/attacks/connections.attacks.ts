import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { connectClient, processHome } from '../processes.ts';
import { counted, tries } from '../reliability/counted.ts';

/* Somebody holds as many connections as they can; everybody else is served. */

const CONNECTIONS = tries('PINHOLE_CONNECTIONS', 2_000);
const place = processHome();
const sockets: Socket[] = [];
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

test('thousands of connections, unfinished heads, slow bodies and streams hold up nobody', {
  timeout: 180_000,
}, async ({ task }) => {
  const starter = await connectClient(place, { cwd: place.home });
  await starter.callTool({ name: 'list_sessions', arguments: {} });
  const { port, token } = place.background();
  const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n`;
  const starts = [
    '',
    'GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ',
    `POST /api/sql HTTP/1.1\r\n${head}Content-Length: 100000\r\n\r\n{"query":"`,
    `GET /api/live HTTP/1.1\r\n${head}\r\n`,
  ];
  let refused = 0;
  for (let n = 0; n < CONNECTIONS; n++) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => refused++);
    socket.resume();
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(starts[n % starts.length] ?? '');
    if (n % 200 !== 199) continue;
    // A new connection, and a kept one of a client.
    const response = await fetch(`http://127.0.0.1:${port}/api/health`, {
      headers: { ...place.script(), connection: 'close' },
      signal: AbortSignal.timeout(10_000),
    });
    expect(response.status).toBe(200);
    const answer = await starter.callTool({ name: 'list_sessions', arguments: {} });
    expect(answer.isError).toBeFalsy();
  }
  expect(refused).toBe(0);
  await starter.close();
  counted(task, CONNECTIONS, CONNECTIONS);
});
