import { Readable } from 'node:stream';
import type { Hono } from 'hono';
import type { Services } from '../app/services.ts';
import { fail } from '../contract/errors.ts';
import { requestRoots } from './person.ts';

type Download = Awaited<ReturnType<Services['disk']['openContent']>>;

/** Downloads, for what is too large for an answer: the content of files, and whole indexes. */
export function diskFiles(
  app: Hono,
  services: Pick<Services, 'disk' | 'about' | 'allowed' | 'agentFolders'>,
): void {
  const { disk } = services;

  app.on(['GET', 'HEAD'], '/api/indexes/:index_id/nodes/:node_id/content', async (c) => {
    const { index_id, node_id } = c.req.param();
    // Ranges apply to GET only; HEAD describes the whole file.
    const asked =
      c.req.method === 'HEAD' ? {} : { range: c.req.header('range'), ifRange: c.req.header('if-range') };
    const file = await disk.openContent(index_id, node_id, await requestRoots(c, services), asked);
    const headers = contentHeaders(file);
    const unchanged = c.req.header('if-none-match') === file.etag;
    if (unchanged || file.part === 'outside' || c.req.method === 'HEAD' || file.size === 0) {
      await file.handle.close();
      const status = unchanged ? 304 : file.part === 'outside' ? 416 : 200;
      return new Response(null, { status, headers });
    }
    const stream = file.handle.createReadStream({ start: file.start, end: file.end });
    const body = Readable.toWeb(stream) as ReadableStream<Uint8Array>;
    return new Response(body, { status: file.part === 'partial' ? 206 : 200, headers });
  });

  app.get('/api/indexes/:index_id/export', async (c) => {
    if ((c.req.query('format') ?? 'ncdu') !== 'ncdu') fail('invalid_parameter', "format must be 'ncdu'.");
    const index = c.req.param('index_id');
    const pieces = await disk.exportNcdu(index, await requestRoots(c, services));
    return new Response(
      Readable.toWeb(Readable.from(pieces, { objectMode: false })) as ReadableStream<Uint8Array>,
      {
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'content-disposition': `attachment; filename="${index}.ncdu.json"`,
        },
      },
    );
  });
}

/** A file is data to be saved, whatever it contains: browsers must never show, run or sniff it. */
function contentHeaders({ name, size, start, end, part, modified, etag }: Download): Record<string, string> {
  const ranges: Record<string, string> = {
    whole: '',
    partial: `bytes ${start}-${end}/${size}`,
    outside: `bytes */${size}`,
  };
  return {
    'accept-ranges': 'bytes',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)}`,
    'content-length': String(part === 'outside' ? 0 : Math.max(0, end - start + 1)),
    'content-security-policy': "sandbox; default-src 'none'",
    'content-type': 'application/octet-stream',
    etag,
    'last-modified': modified.toUTCString(),
    ...(ranges[part] ? { 'content-range': ranges[part] } : {}),
  };
}
