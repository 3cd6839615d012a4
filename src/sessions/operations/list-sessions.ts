import { z } from 'zod';
import { type Caller, isPerson } from '../../contract/caller.ts';
import { fail } from '../../contract/errors.ts';
import { columns, countOf, durationText, shortCount } from '../../contract/format.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { timeOf } from '../../contract/time.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callSessionSummary, callSessionsArchive } from '../calls.ts';
import { PROVIDERS } from '../providers/index.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { freshness } from './index-freshness.ts';
import { project, projectOf, provider, providerOf, since, until } from './session-inputs.ts';
import { clock, durationSeconds, iso, shortHash, snip } from './session-text.ts';

const sessionCardSchema = z.object({
  id: z.string(),
  provider: z.string(),
  project_hash: z.string().optional(),
  start_time: z.string(),
  snippet: z.string(),
  turn_count: z.int(),
  duration_seconds: z.int(),
  total_tokens: z.int(),
  failures: z.int().optional(),
  title: z.string().optional(),
  model: z.string().optional(),
  parent_id: z.string().optional(),
  link: z.string().optional(),
});

export type SessionCard = ReadonlyData<typeof sessionCardSchema>;

const deletedSoonSchema = z.object({ sessions: z.int(), first_at: z.string() });
type DeletedSoon = ReadonlyData<typeof deletedSoonSchema>;

export const sessionListSchema = z.object({
  sessions: z.array(sessionCardSchema.partial()),
  deleted_soon: deletedSoonSchema
    .optional()
    .describe('logs that agents delete within a week; only for people, while the archive is off'),
});
type SessionList = ReadonlyData<typeof sessionListSchema>;

const { link, ...chosen } = sessionCardSchema.shape;
const FIELDS = Object.keys(chosen);

const MAX_SNIPPET = 140;
const MAX_TITLE = 80;
const MAX_TITLE_IN_TEXT = 90;
const SOON_DAYS = 7;

export const listSessionsInput = z.strictObject({
  provider: provider.optional(),
  project: project.optional(),
  since: since.optional(),
  until: until.optional(),
  min_tokens: z.int().optional().describe('only sessions that used at least this many tokens'),
  failed: z.boolean().optional().describe('only sessions with failures'),
  // A list, or names separated by commas.
  fields: z
    .preprocess((given) => (Array.isArray(given) ? given.join(',') : given), z.string().optional())
    .describe('only these fields of each row, separated by commas'),
});

export const listSessions = operation<SessionServices>()({
  name: 'list_sessions',
  toolset: 'sessions',
  readOnly: true,
  summary: `Recent sessions of ${PROVIDERS.map(({ id }) => id).join(', ')}, newest first.`,
  input: listSessionsInput,
  data: sessionListSchema,
  limit: { default: 10, max: 50 },
  rows: 'sessions',
  rowLink: '/api/agent-sessions/{id}',
  aliases: { project_hash: 'project', project_root: 'project', project_path: 'project' },
  http: 'GET /api/agent-sessions',
  command: {
    words: 'sessions list',
    examples: ['pinhole sessions list --since 7d', 'pinhole sessions list --failed'],
  },

  async run(input, { sessions, after, limit, caller, now, url }) {
    const fields = fieldsOf(input.fields);
    const meta = await freshness(sessions);
    const filter = {
      provider: providerOf(sessions, input.provider),
      project: projectOf(input.project, caller),
      sinceMs: timeOf('since', input.since, now()),
      untilMs: timeOf('until', input.until, now()),
      minTokens: input.min_tokens,
      failed: input.failed,
      except: caller.session,
    };
    const rows = await sessions.list.page(filter, positionOf(after), limit + 1);
    const cards = await Promise.all(
      rows.map(async (row) => ({ row, card: await sessionCard(sessions, row) })),
    );
    const first = cards[0]?.card;
    const deleted_soon = await deletedSoon(sessions, caller, after);
    const next = [
      ...(first === undefined ? [] : [callSessionSummary({ session_id: first.id })]),
      ...(deleted_soon === undefined ? [] : [callSessionsArchive({ keep: 'on' })]),
    ];
    return page<{ row: SessionRow; card: SessionCard }, SessionList>({
      rows: cards,
      position: ({ row }) => [row.startMs, row.key],
      shape: (shown) => ({
        sessions: shown.map(({ card }) => pick(card, fields)),
        deleted_soon,
      }),
      next: next.length === 0 ? undefined : next,
      link: url(pageLinks.sessions()),
      meta,
    });
  },

  text: ({ sessions, deleted_soon }, { now }) =>
    sessions.length === 0
      ? 'No sessions.'
      : `${columns(
          sessions.map((card) => [
            card.id ?? '',
            (card.provider ?? '').replace('_code', ''),
            clock(card.start_time ?? 'unknown', now),
            durationText(card.duration_seconds ?? 0),
            countOf(card.turn_count ?? 0, 'turn'),
            `${shortCount(card.total_tokens ?? 0)} tok`,
            snip(card.title ?? card.snippet ?? '', MAX_TITLE_IN_TEXT),
          ]),
          [3, 4, 5],
        )}${deleted_soon === undefined ? '' : `\n${deletedSoonText(deleted_soon)}`}`,
});

async function deletedSoon(
  sessions: Sessions,
  caller: Pick<Caller, 'door'>,
  after: unknown,
): Promise<DeletedSoon | undefined> {
  if (!isPerson(caller) || after !== undefined || (await sessions.archive.state()).on) return undefined;
  const soon = await sessions.archive.expiring(SOON_DAYS);
  return soon[0] === undefined ? undefined : { sessions: soon.length, first_at: iso(soon[0].at) };
}

function deletedSoonText({ sessions, first_at }: DeletedSoon): string {
  return `${countOf(sessions, 'log')} will be deleted by the agent within ${SOON_DAYS} days, the first on ${first_at.slice(0, 10)}; the archive keeps copies`;
}

function positionOf(after: unknown): readonly [number, number] | undefined {
  return Array.isArray(after) ? [Number(after[0]), Number(after[1])] : undefined;
}

/** The fields that were asked for; an empty list means all. */
function fieldsOf(given: string | undefined): readonly string[] {
  const names = (given ?? '').split(',').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    fail('invalid_parameter', `Unknown field '${snip(unknown, 40)}'. Fields: ${FIELDS.join(', ')}.`);
  return names;
}

function pick(card: SessionCard, fields: readonly string[]): Partial<SessionCard> {
  if (fields.length === 0) return card;
  return Object.fromEntries(Object.entries(card).filter(([name]) => name === 'id' || fields.includes(name)));
}

async function sessionCard(sessions: Sessions, row: SessionRow): Promise<SessionCard> {
  return {
    id: await sessions.list.shortId(row.id),
    provider: row.provider,
    project_hash: row.projectHash === undefined ? undefined : shortHash(row.projectHash),
    start_time: iso(row.startMs),
    snippet: snip(row.snippet, MAX_SNIPPET),
    turn_count: row.turns,
    duration_seconds: durationSeconds(row),
    total_tokens: row.totalTokens,
    failures: row.failures || undefined,
    title: row.title === undefined ? undefined : snip(row.title, MAX_TITLE),
    model: row.model,
    parent_id: row.parentId === undefined ? undefined : await sessions.list.shortId(row.parentId),
  };
}
