import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { openRemoteEmbedder, parseRemoteModel } from './remote-embedder.ts';

let server: Server | undefined;
afterEach(() => new Promise<void>((done) => (server === undefined ? done() : server.close(() => done()))));

/** An endpoint that answers with the length of each text as the first of two values. */
async function endpoint(
  reply: (vectors: number[][]) => unknown,
  status = 200,
): Promise<{ url: string; seen: unknown[] }> {
  const seen: unknown[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => {
      body += data.toString();
    });
    request.on('end', () => {
      const { input, model } = JSON.parse(body);
      seen.push({ path: request.url, model, input, key: request.headers.authorization });
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(reply(input.map((text: string) => [text.length, 1]))));
    });
  });
  await new Promise<void>((done) => server?.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen };
}

describe('a model behind an endpoint', () => {
  it('speaks with Ollama', async () => {
    const { url, seen } = await endpoint((embeddings) => ({ embeddings }));
    const embedder = await openRemoteEmbedder(parseRemoteModel(`ollama:nomic@${url}`));
    expect(embedder).toMatchObject({ name: 'ollama:nomic', dimensions: 2 });
    const [vector] = await embedder.passages('a.ts', ['xyz']);
    expect(vector?.[0]).toBeCloseTo(8 / Math.hypot(8, 1), 5);
    expect(seen[1]).toEqual({ path: '/api/embed', model: 'nomic', input: ['a.ts\nxyz'], key: undefined });
  });

  it('speaks with OpenAI-compatible endpoints, with a key, in batches', async () => {
    const { url, seen } = await endpoint((vectors) => ({
      data: vectors.map((embedding) => ({ embedding })),
    }));
    const embedder = await openRemoteEmbedder(parseRemoteModel(`openai:code-embed@${url}/v1`, 'k'));
    const vectors = await embedder.passages(
      'a.ts',
      Array.from({ length: 70 }, (_, at) => `text ${at}`),
    );
    expect(vectors.length).toBe(70);
    expect(seen.length).toBe(3);
    expect(seen[1]).toMatchObject({ path: '/v1/embeddings', model: 'code-embed', key: 'Bearer k' });
  });

  it('says what is wrong', async () => {
    const { url } = await endpoint(() => ({}), 404);
    await expect(openRemoteEmbedder(parseRemoteModel(`ollama:none@${url}`))).rejects.toThrow(
      'answered 404 for model none',
    );
    expect(() => parseRemoteModel('cohere:x')).toThrow('use ollama:MODEL[@URL] or openai:MODEL@URL');
  });
});
