import type { Hono } from 'hono';
import { matchStream } from '../app/match-stream.ts';
import type { Services } from '../app/services.ts';
import { fail } from '../contract/errors.ts';
import { createRoots } from '../contract/roots.ts';
import { connectionOf } from './connection.ts';
import { requestRoots } from './page-caller.ts';
import { restCaller } from './rest.ts';

const FLAGS = ['word', 'fixed', 'hidden', 'everything'] as const;

/** All matches of a pattern, too many for an answer: as lines, or as ripgrep's JSON messages. */
export function codeMatches(
  app: Hono,
  services: Pick<Services, 'code' | 'allowed' | 'brought' | 'streams'>,
): void {
  // For the commands of this machine's user, who may read what they may read.
  app.post('/internal/grep', async (c) => {
    const request: unknown = await c.req.json();
    const caller = { door: 'cli', client: 'cli', id: `cli#${connectionOf(c)}` } as const;
    const roots = await createRoots(['/']);
    return await streamed(matchStream(services, request, caller, roots, c.req.raw.signal), {});
  });

  app.get('/api/code/matches', async (c) => {
    const query = c.req.query();
    const form = query.format ?? 'lines';
    if (form !== 'json' && form !== 'lines')
      fail('invalid_parameter', 'format must be one of lines, json.', {
        details: { formats: ['lines', 'json'] },
      });
    const request = {
      pattern: query.pattern ?? query.q ?? '',
      case: query.case ?? 'smart',
      ...Object.fromEntries(FLAGS.map((name) => [name, query[name] === 'true'])),
      globs: c.req.queries('glob') ?? [],
      language: query.language,
      form,
      numbers: true,
      names: 'inline',
      paths: [{ folder: query.path ?? '', lead: '' }],
    };
    const roots = await requestRoots(c, services);
    const pieces = matchStream(services, request, restCaller(c, 'text'), roots, c.req.raw.signal);
    return await streamed(pieces, {
      'content-disposition': `attachment; filename="matches.${form === 'json' ? 'jsonl' : 'txt'}"`,
      'content-security-policy': "sandbox; default-src 'none'",
    });
  });
}

/** The first piece is awaited, so that what is wrong with the question becomes an error and not a broken stream. */
async function streamed(
  pieces: AsyncGenerator<Uint8Array>,
  headers: Record<string, string>,
): Promise<Response> {
  let first: IteratorResult<Uint8Array> | undefined = await pieces.next();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const step = first ?? (await pieces.next());
      first = undefined;
      if (step.done) controller.close();
      else controller.enqueue(step.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/plain; charset=utf-8', ...headers } });
}
