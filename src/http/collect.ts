import { gunzipSync } from 'node:zlib';
import type { Context, Hono } from 'hono';
import type { Services } from '../app/services.ts';
import { type ErrorCode, fail, PinholeError } from '../contract/errors.ts';
import { restCaller } from './rest.ts';

/** Most bytes of a message, unpacked: a record of the largest size, with the texts it names. */
const MAX_UNPACKED_BYTES = 64 << 20;

/** Takes what collectors send. */
export function collectRoute(app: Hono, { team, audit }: Pick<Services, 'team' | 'audit'>): void {
  app.post('/api/collect', async (c) => {
    const at = Date.now();
    const { client } = restCaller(c, 'json');
    let bytes = 0;
    const record = (outcome: 'ok' | ErrorCode) =>
      audit.record({
        at,
        client,
        door: 'rest',
        operation: 'collect',
        bytes_in: bytes,
        bytes_out: 0,
        tokens: 0,
        ms: Date.now() - at,
        outcome,
        paged: false,
      });
    try {
      if (team === undefined)
        fail(
          'not_found',
          'This Pinhole collects nothing: it was started without a database (pinhole start --database URL).',
        );
      const body = Buffer.from(await c.req.arrayBuffer());
      bytes = body.length;
      const answer = await team.receive(messageIn(c, body));
      record('ok');
      return c.json(answer);
    } catch (error) {
      record(error instanceof PinholeError ? error.code : 'internal_error');
      throw error;
    }
  });
}

function messageIn(c: Context, body: Buffer): unknown {
  try {
    const packed = c.req.header('content-encoding') === 'gzip';
    return JSON.parse(
      (packed ? gunzipSync(body, { maxOutputLength: MAX_UNPACKED_BYTES }) : body).toString('utf8'),
    );
  } catch {
    return fail(
      'invalid_parameter',
      `The body must be JSON of at most ${MAX_UNPACKED_BYTES >> 20} MB, plain or packed with gzip.`,
    );
  }
}
