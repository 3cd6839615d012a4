import type { Hono } from 'hono';
import { matchStream } from '../app/match-stream.ts';
import type { Services } from '../app/services.ts';
import { fail } from '../contract/errors.ts';
import { requestRoots } from './person.ts';
import { restCaller } from './rest.ts';
import { streamed } from './streamed.ts';

const FLAGS = ['word', 'fixed', 'hidden', 'everything'] as const;

/** All matches of a pattern, for when they are too many for an answer: as lines, or as the JSON messages of ripgrep. */
export function codeMatches(
  app: Hono,
  services: Pick<Services, 'code' | 'about' | 'allowed' | 'agentFolders' | 'streams'>,
): void {
  app.get('/api/code/matches', async (c) => {
    const query = c.req.query();
    const form = query.format ?? 'lines';
    if (form !== 'json' && form !== 'lines')
      fail('invalid_parameter', 'format must be lines or json.', {
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
