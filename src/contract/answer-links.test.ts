import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller } from './caller.ts';
import { memoryCursors } from './cursor.ts';
import { createEngine } from './engine.ts';
import type { RawInput } from './input.ts';
import { operation, page } from './operation.ts';
import { createResultSets } from './result-sets.ts';

interface Jobs {
  readonly self_url: string;
  readonly jobs: readonly { readonly id: number; readonly status_url: string }[];
}

const jobsOf = operation()({
  name: 'jobs_of',
  toolset: 'disk',
  readOnly: true,
  summary: 'Jobs of an index.',
  input: z.strictObject({ index_id: z.string().optional(), kind: z.string().optional() }),
  data: z.custom<Jobs>(),
  limit: { default: 2, max: 10 },
  http: 'GET /api/indexes/{index_id}/jobs?mode=all',
  run: (_input, { after, url }) =>
    page<number, Jobs>({
      rows: [1, 2, 3, 4, 5].filter((id) => id > (typeof after === 'number' ? after : 0)),
      position: (id) => id,
      shape: (rows) => ({
        self_url: url('/api/jobs'),
        jobs: rows.map((id) => ({ id, status_url: url(`/api/jobs/${id}`) })),
      }),
      link: url('/activity'),
      links: { all: url('/api/jobs') },
    }),
  text: ({ jobs }) => jobs.map(({ id }) => id).join('\n'),
});

interface Asked {
  readonly http?: readonly string[];
  readonly input?: RawInput;
}

async function ask(base: string, changes: Partial<Caller> = {}, asked: Asked = {}) {
  const { http = jobsOf.http, input = { index_id: 'i 1', kind: 'scan' } } = asked;
  const engine = createEngine({
    operations: [{ ...jobsOf, http }],
    services: {},
    cursors: memoryCursors(),
    results: createResultSets(Date.now),
    audit: { record: () => {} },
    allowed: async () => [],
    baseUrl: () => base,
    log: () => {},
  });
  const caller: Caller = {
    ...{ door: 'rest', client: 'test', id: 'test', roots: [], budget: 8_000, format: 'json' },
    ...changes,
  };
  const answer = await engine.run('jobs_of', input, { caller });
  if (!answer.ok) throw new Error(answer.error.message);
  return answer;
}

test('a page links to the next one, with what its path needs and the cursor alone', async () => {
  const { envelope } = await ask('http://here');
  expect(envelope.links).toEqual({
    all: 'http://here/api/jobs',
    next: `http://here/api/indexes/i%201/jobs?mode=all&cursor=${envelope.pagination?.next_cursor}`,
  });
  expect((await ask('http://here', { door: 'page' })).envelope.links).not.toHaveProperty('next');
});

test('of two routes, the next page is at the one whose path the call can fill', async () => {
  const http = ['GET /api/indexes/{index_id}/jobs', 'GET /api/jobs'];
  const { envelope } = await ask('http://here', {}, { http, input: {} });
  expect(envelope.links?.next).toBe(`http://here/api/jobs?cursor=${envelope.pagination?.next_cursor}`);
});

test('where no server answers, nothing leads there', async () => {
  const { envelope, rendered } = await ask('', { door: 'mcp' });
  expect(envelope.data).toEqual({ jobs: [{ id: 1 }, { id: 2 }] });
  expect(envelope).not.toHaveProperty('link');
  expect(envelope).not.toHaveProperty('links');
  expect(rendered.text).not.toContain('/api/');
});

test('text has the cursor and no address', async () => {
  const { rendered, envelope } = await ask('http://here', { door: 'mcp', format: 'text' });
  expect(rendered.text).toBe(`1\n2\nmore: cursor=${envelope.pagination?.next_cursor}`);
});
