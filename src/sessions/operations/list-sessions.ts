import { z } from 'zod';
import type { Caller } from '../../contract/caller.ts';
import { fail } from '../../contract/errors.ts';
import { columns, countOf, durationText, shortCount } from '../../contract/format.ts';
import { operation, page } from '../../contract/operation.ts';
import { timeOf } from '../../contract/time.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callSessionSummary } from '../calls.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import {
  clock,
  durationSeconds,
  freshness,
  iso,
  projectOf,
  provider,
  providerOf,
  rowLink,
  type SessionServices,
  shortHash,
  snip,
  timeInput,
} from './shared.ts';

export interface SessionCard {
  readonly id: string;
  readonly provider: string;
  readonly project_hash?: string | undefined;
  readonly start_time: string;
  readonly snippet: string;
  readonly turn_count: number;
  readonly duration_seconds: number;
  readonly total_tokens: number;
  readonly failures?: number | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly parent_id?: string | undefined;
  readonly link?: string | undefined;
}

const SNIPPET = 140;

export const listSessionsInput = z.strictObject({
  provider: provider.optional(),
  project: z.string().optional(),
  since: timeInput.optional(),
  until: timeInput.optional(),
  min_tokens: z.int().optional(),
  failed: z.boolean().optional(),
  // A list, or names with commas between.
  fields: z.preprocess((given) => (Array.isArray(given) ? given.join(',') : given), z.string().optional()),
});

export const listSessions = operation<SessionServices>()({
  name: 'list_sessions',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Recent sessions of claude_code, codex, gemini, newest first.',
  input: listSessionsInput,
  limit: { default: 10, max: 50 },
  rows: 'sessions',
  columns: [
    'id',
    'provider',
    'project_hash',
    'start_time',
    'snippet',
    'turn_count',
    'duration_seconds',
    'total_tokens',
    'failures',
    'title',
    'model',
    'parent_id',
    'link',
  ],
  aliases: { project_hash: 'project', project_root: 'project', project_path: 'project' },
  http: 'GET /api/agent-sessions',
  command: {
    words: 'sessions list',
    examples: ['pinhole sessions list --since 7d', 'pinhole sessions list --provider codex --failed'],
  },

  async run(input, { sessions, after, limit, caller, now, url }) {
    const fields = fieldsOf(input.fields);
    const meta = await freshness(sessions);
    const filter = {
      provider: providerOf(input.provider),
      project: projectOf(input.project, caller),
      sinceMs: timeOf('since', input.since, now()),
      untilMs: timeOf('until', input.until, now()),
      minTokens: input.min_tokens,
      failed: input.failed,
      except: caller.session,
    };
    const rows = await sessions.list.page(filter, positionOf(after), limit + 1);
    const cards = await Promise.all(
      rows.map(async (row) => {
        const card = await sessionCard(sessions, row);
        return { ...card, link: rowLink({ caller, url }, card.id) };
      }),
    );
    const first = cards[0];
    const deleted_soon = await deletedSoon(sessions, caller, after);
    return page<{ row: SessionRow; card: SessionCard }, SessionList>({
      rows: rows.flatMap((row, index) => (cards[index] === undefined ? [] : [{ row, card: cards[index] }])),
      position: ({ row }) => [row.startMs, row.key],
      shape: (shown) => ({
        sessions: shown.map(({ card }) => pick(card, fields)),
        deleted_soon,
      }),
      next: first && [callSessionSummary({ session_id: first.id })],
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
            snip(card.title ?? card.snippet ?? '', 90),
          ]),
          [3, 4, 5],
        )}${deleted_soon === undefined ? '' : warning(deleted_soon)}`,
});

interface DeletedSoon {
  readonly sessions: number;
  readonly first_at: string;
}

interface SessionList {
  readonly sessions: readonly Partial<SessionCard>[];
  /** Logs that their clients delete within a week, told to people while the archive is off. */
  readonly deleted_soon?: DeletedSoon | undefined;
}

const SOON_DAYS = 7;

async function deletedSoon(
  sessions: Sessions,
  { door }: Pick<Caller, 'door'>,
  after: unknown,
): Promise<DeletedSoon | undefined> {
  if (door === 'mcp' || after !== undefined || (await sessions.archive.state()).on) return undefined;
  const soon = await sessions.archive.expiring(SOON_DAYS);
  return soon[0] === undefined ? undefined : { sessions: soon.length, first_at: iso(soon[0].at) };
}

function warning({ sessions, first_at }: DeletedSoon): string {
  return `\n${countOf(sessions, 'log')} will be deleted by the client within ${SOON_DAYS} days, the first on ${first_at.slice(0, 10)}; pinhole sessions archive on keeps them`;
}

function positionOf(after: unknown): readonly [number, number] | undefined {
  return Array.isArray(after) ? [Number(after[0]), Number(after[1])] : undefined;
}

const FIELDS: readonly (keyof SessionCard)[] = [
  ...(['id', 'provider', 'project_hash', 'start_time', 'snippet', 'turn_count', 'duration_seconds'] as const),
  ...(['total_tokens', 'failures', 'title', 'model', 'parent_id'] as const),
];

/** The names that were asked for; none means all. */
function fieldsOf(given: string | undefined): readonly string[] {
  const names = (given ?? '').split(',').flatMap((name) => name.trim() || []);
  const wrong = names.find((name) => !FIELDS.some((field) => field === name));
  if (wrong !== undefined) {
    fail('invalid_parameter', `fields must be of ${FIELDS.join(', ')}; '${snip(wrong, 40)}' is none.`);
  }
  return names;
}

function pick(card: SessionCard, fields: readonly string[]): Partial<SessionCard> {
  if (fields.length === 0) return card;
  return Object.fromEntries(Object.entries(card).filter(([name]) => name === 'id' || fields.includes(name)));
}

/** One line about a session. */
export async function sessionCard(sessions: Sessions, row: SessionRow): Promise<SessionCard> {
  return {
    id: await sessions.list.shortId(row.id),
    provider: row.provider,
    project_hash: shortHash(row.projectHash),
    start_time: iso(row.startMs),
    snippet: snip(row.snippet, SNIPPET),
    turn_count: row.turns,
    duration_seconds: durationSeconds(row),
    total_tokens: row.totalTokens,
    failures: row.failures || undefined,
    title: row.title === undefined ? undefined : snip(row.title, 80),
    model: row.model,
    parent_id: row.parentId === undefined ? undefined : await sessions.list.shortId(row.parentId),
  };
}
