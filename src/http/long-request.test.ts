import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { answerLongRequests } from './long-request.ts';

test('a request whose address is too long gets an error that says how to ask instead', async () => {
  const server = createServer((_request, response) => response.end('ok'));
  answerLongRequests(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A checked boundary: a server that listens on a port has an address with one.
  const { port } = server.address() as AddressInfo;
  const get = (path: string) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request({ host: '127.0.0.1', port, path }, (response) => {
        let body = '';
        response.on('data', (part: Buffer) => {
          body += String(part);
        });
        response.on('end', () => resolve({ status: response.statusCode, body }));
      })
        .on('error', reject)
        .end();
    });
  expect(await get('/api/code/search?query=a')).toEqual({ status: 200, body: 'ok' });
  const { status, body } = await get(`/api/code/search?query=${'a'.repeat(40_000)}`);
  expect(status).toBe(431);
  expect(JSON.parse(body).error).toMatchObject({ code: 'invalid_parameter', retryable: false });
  expect(JSON.parse(body).error.message).toContain('MCP');
  server.close();
});
