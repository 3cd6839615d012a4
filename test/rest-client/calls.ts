import createClient from 'openapi-fetch';
// Generated from our OpenAPI file by the test.
import type { paths } from './schema.d.ts';

export interface Place {
  readonly base: string;
  readonly token: string;
  readonly folder: string;
  readonly session: string;
}

/** What a program with a generated client does: uses every answer by the names in its type. */
export async function callEverything({
  base,
  token,
  folder,
  session,
}: Place): Promise<Record<string, unknown>> {
  const api = createClient<paths>({ baseUrl: base, headers: { authorization: `Bearer ${token}` } });
  const started = await api.POST('/api/indexes', { body: { root: folder, wait_seconds: 20 } });
  const job_id = started.data?.data.job_id ?? '';
  const index_id = started.data?.data.index_id ?? '';
  const inIndex = { path: { index_id } };
  const ofSession = { path: { session_id: session } };
  const search = await api.GET('/api/code/search', {
    params: { query: { mode: 'regex', pattern: 'withRetries', path: folder } },
  });
  const cd = await api.GET('/api/cd', { params: { query: { path: folder } } });
  const created = await api.POST('/api/resource-sets', {
    body: { name: 'sources', node_ids: [cd.data?.data.entries[0]?.node_id ?? ''], index_id },
  });
  const selection_id = created.data?.data.selection_id ?? '';
  const sessions = await api.GET('/api/agent-sessions', { params: { query: { limit: 1 } } });
  const summary = await api.GET('/api/agent-sessions/{session_id}', { params: ofSession });
  const turns = await api.GET('/api/agent-sessions/{session_id}/turns', { params: ofSession });
  const event = await api.GET('/api/agent-sessions/{session_id}/events/{event_index}', {
    params: { path: { session_id: session, event_index: 0 } },
  });
  const answers = {
    indexes: (await api.GET('/api/indexes')).data?.data.indexes.some((index) => index.index_id === index_id),
    index: (await api.GET('/api/indexes/{index_id}', { params: inIndex })).data?.data.root === folder,
    job: (await api.GET('/api/jobs/{job_id}', { params: { path: { job_id } } })).data?.data.status,
    jobs: (await api.GET('/api/jobs')).data?.data.jobs.map((job) => job.job_id).includes(job_id),
    search: search.data?.data.matches !== undefined && search.data.data.matches.length > 0,
    symbol: (await api.GET('/api/code/symbol', { params: { query: { name: 'withRetries', path: folder } } }))
      .response.status,
    outline: (await api.GET('/api/code/outline', { params: { query: { path: `${folder}/retry.ts` } } }))
      .response.status,
    view: (await api.GET('/api/files/view', { params: { query: { path: `${folder}/retry.ts` } } })).response
      .status,
    cd: cd.data?.data.entries.map((entry) => entry.name),
    largest: (await api.GET('/api/indexes/{index_id}/reports/largest', { params: inIndex })).response.status,
    extensions: (await api.GET('/api/indexes/{index_id}/reports/extensions', { params: inIndex })).response
      .status,
    selection: (await api.GET('/api/resource-sets/{selection_id}', { params: { path: { selection_id } } }))
      .data?.data.name,
    removed: (await api.DELETE('/api/resource-sets/{selection_id}', { params: { path: { selection_id } } }))
      .response.status,
    sessions: sessions.data?.data.sessions.map(({ id }) => id),
    summary: summary.data?.data.id,
    turns: turns.data?.data.turns[0]?.turn_index,
    event: event.data?.data !== undefined,
    usage: (await api.GET('/api/usage')).response.status,
    projects: (await api.GET('/api/projects')).response.status,
    health: (await api.GET('/api/health')).data?.data.started_at !== undefined,
    stats: (await api.GET('/api/stats')).response.status,
    audit: (await api.GET('/api/audit', { params: { query: { limit: 2 } } })).data?.pagination?.total_in_page,
    matches: (
      await api.GET('/api/code/matches', {
        params: { query: { pattern: 'withRetries', path: folder } },
        parseAs: 'text',
      })
    ).data,
  };
  const missing = await api.GET('/api/indexes/{index_id}', { params: { path: { index_id: 'i999' } } });
  return { ...answers, missing: missing.error?.error.code };
}
