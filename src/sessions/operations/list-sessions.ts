import { z } from 'zod';
import { type Caller, isPerson } from '../../contract/caller.ts';
import { countOf } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callProjectInfo, callSessionSummary, callSessionsArchive } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionSize } from '../store/session-list.ts';
import type { SessionRow } from '../store/session-row.ts';
import { freshness } from './index-freshness.ts';
import { check, status, tool } from './search-scope.ts';
import { fieldsOf, type ListedCard, listedSessionSchema, sessionCard, sessionLines } from './session-card.ts';
import { machine, person, project, provider, sessionScope, since, until } from './session-inputs.ts';
import { type Clock, dayOf, iso } from './session-text.ts';

const deletedSoonSchema = z.object({ sessions: z.int(), first_at: z.string() });
type DeletedSoon = ReadonlyData<typeof deletedSoonSchema>;

const sessionListSchema = z.object({
  sessions: z.array(listedSessionSchema),
  deleted_soon: deletedSoonSchema
    .optional()
    .describe('logs that agents delete within a week; only for people, while the archive is off'),
});
type SessionList = ReadonlyData<typeof sessionListSchema>;

const SOON_DAYS = 7;
/** More sessions than anyone sorts. */
const MAX_SORTED_SESSIONS = 20_000;
const SORTS = ['newest', 'tokens', 'cost', 'failed'] as const;

/** A list, or names separated by commas. */
const names = (what: string) =>
  z
    .preprocess((given) => (Array.isArray(given) ? given.join(',') : given), z.string().optional())
    .describe(what);

export const listSessionsInput = z.strictObject({
  provider: provider.optional(),
  project: project.optional(),
  machine: machine.optional(),
  person: person.optional(),
  since: since.optional(),
  until: until.optional(),
  min_tokens: z.int().optional().describe('only sessions that used at least this many tokens'),
  failed: z.boolean().optional().describe('only sessions with failures'),
  starred: z.boolean().optional().describe('only sessions that a person starred'),
  ids: names('only these sessions'),
  status: status.optional(),
  tool: tool.optional(),
  check: check.optional(),
  sort: z.enum(SORTS).optional().describe('what comes first (default newest)'),
  per_project: z.boolean().optional().describe('only the last session of each project'),
  fields: names('only these fields, such as project,last_prompt,last_message,cost_usd'),
});

export const listSessions = operation<SessionServices>()({
  name: 'list_sessions',
  toolset: 'sessions',
  unlisted: [
    'provider',
    'machine',
    'person',
    'until',
    'min_tokens',
    'failed',
    'starred',
    'ids',
    'per_project',
    'tool',
    'check',
  ],
  readOnly: true,
  summary: 'Recent sessions of coding agents, newest first.',
  input: listSessionsInput,
  data: sessionListSchema,
  limit: { default: 10, max: 50 },
  rows: 'sessions',
  rowLink: '/api/agent-sessions/{id}',
  aliases: { project_hash: 'project', project_root: 'project', project_path: 'project' },
  http: 'GET /api/agent-sessions',
  command: {
    words: 'sessions list',
    glance: true,
    examples: [
      'pinhole sessions list --since 7d',
      'pinhole sessions list --sort cost',
      'pinhole sessions list --failed',
    ],
  },

  async run(input, ctx) {
    const { sessions, after, limit, caller, url } = ctx;
    const { sort = 'newest' } = input;
    const fields = fieldsOf(input.fields, SHOWN_WITH[sort]);
    const meta = await freshness(sessions);
    const filter = {
      ...sessionScope(input, ctx),
      minTokens: input.min_tokens,
      failed: input.failed,
      calls: { status: input.status, tool: input.tool, check: input.check },
      perProject: input.per_project,
      ids: await idsOf(input, sessions),
      // A session that the caller names is listed even if it is a subagent.
      subagents: input.ids === undefined ? undefined : true,
      except: caller.session,
    };
    const sorted = sort !== 'newest';
    const priced = fields.includes('cost_usd');
    // Computing the costs of thousands of sessions is slow, and only sorting by cost needs all of them.
    const costs = priced && sort === 'cost' ? await sessions.usage.costs() : undefined;
    const costOf = async (row: SessionRow) => {
      if (costs !== undefined) return costs.get(row.id);
      if (!priced) return undefined;
      const { cost, responses, unpriced } = await sessions.usage.ofSession(row);
      return responses === 0 || (cost === 0 && unpriced.length > 0) ? undefined : cost;
    };
    const rows = sorted
      ? [...(await sessions.list.sizes(filter, MAX_SORTED_SESSIONS))].sort(
          (a, b) => sizeOf(b, sort, costs) - sizeOf(a, sort, costs),
        )
      : await sessions.list.page(filter, positionOf(after), limit + 1);
    async function* cards(): AsyncGenerator<ListedSession> {
      for (const found of rows) {
        // Out of thousands of sorted sessions, only those on the page are read.
        const row = 'startMs' in found ? found : await sessions.list.withKey(found.key);
        if (row === undefined) continue;
        yield { row, card: await sessionCard(sessions, row, fields, await costOf(row)) };
      }
    }
    const first = rows[0];
    const deleted_soon = await deletedSoon(sessions, caller, after);
    const unknownProject = first === undefined && input.project !== undefined;
    const next = [
      ...(unknownProject ? [callProjectInfo({})] : []),
      ...(first === undefined
        ? []
        : [callSessionSummary({ session_id: await sessions.list.shortId(first.id) })]),
      ...(deleted_soon === undefined ? [] : [callSessionsArchive({ keep: 'on' })]),
    ];
    return page<ListedSession, SessionList>({
      rows: cards(),
      position: ({ row }) => [row.startMs, row.key],
      ...(sorted ? { keep: {} } : {}),
      total: sorted ? rows.length : isPerson(caller) ? await sessions.list.count(filter) : undefined,
      shape: (shown) => ({ sessions: shown.map(({ card }) => card), deleted_soon }),
      next: next.length === 0 ? undefined : next,
      link: url(pageLinks.sessions()),
      meta,
    });
  },

  text: ({ sessions, deleted_soon }, style) =>
    sessions.length === 0
      ? 'No sessions.'
      : [
          ...sessionLines(sessions, style),
          ...(deleted_soon === undefined ? [] : [deletedSoonText(deleted_soon, style)]),
        ].join('\n'),
});

interface ListedSession {
  readonly row: SessionRow;
  readonly card: ListedCard;
}

type Sort = (typeof SORTS)[number];

/** The fields that a sorted list shows in addition. */
const SHOWN_WITH: Readonly<Record<Sort, readonly string[]>> = {
  newest: [],
  tokens: ['total_tokens'],
  cost: ['cost_usd'],
  failed: ['failures'],
};

function sizeOf(row: SessionSize, sort: Sort, costs: ReadonlyMap<string, number> | undefined): number {
  if (sort === 'cost') return costs?.get(row.id) ?? 0;
  return sort === 'failed' ? row.failures : row.totalTokens;
}

/** The ids of the requested sessions; undefined for all. */
async function idsOf(
  { ids, starred }: { readonly ids?: string | undefined; readonly starred?: boolean | undefined },
  { list, marks }: Sessions,
): Promise<readonly string[] | undefined> {
  if (ids === undefined) return starred ? marks.starred() : undefined;
  const given = ids.split(',').filter((name) => name.trim() !== '');
  return Promise.all(given.map(async (name) => (await list.find(name)).id));
}

async function deletedSoon(
  sessions: Sessions,
  caller: Pick<Caller, 'door'>,
  after: unknown,
): Promise<DeletedSoon | undefined> {
  if (!isPerson(caller) || after !== undefined || (await sessions.archive.state()).on) return undefined;
  const soon = await sessions.archive.expiring(SOON_DAYS);
  return soon[0] === undefined ? undefined : { sessions: soon.length, first_at: iso(soon[0].at) };
}

function deletedSoonText({ sessions, first_at }: DeletedSoon, style: Clock): string {
  return `${countOf(sessions, 'log')} will be deleted by the agent within ${SOON_DAYS} days, the first on ${dayOf(first_at, style)}; the archive keeps copies`;
}

function positionOf(after: unknown): readonly [number, number] | undefined {
  return Array.isArray(after) ? [Number(after[0]), Number(after[1])] : undefined;
}
