import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { columns, countOf, durationText, shortCount } from '../../contract/format.ts';
import type { ReadonlyData, TextStyle } from '../../contract/operation.ts';
import { shownLength } from '../../contract/painted-text.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { DURATION, durationSeconds } from './recorded-times.ts';
import { clock, iso, modelText, shortHash, snip } from './session-text.ts';

/** The default fields of a row. */
const usual = {
  id: z.string(),
  provider: z.string(),
  project_hash: z.string().optional(),
  start_time: z.string(),
  snippet: z.string(),
  turn_count: z.int(),
  duration_seconds: DURATION,
  total_tokens: z.int().optional().describe('absent if the log has none'),
  failures: z.int().optional(),
  title: z.string().optional(),
  model: z.string().optional(),
  parent_id: z.string().optional(),
  machine: z.string().optional().describe('on a team server: where it ran'),
  person: z.string().optional().describe('on a team server: whose it is'),
};

/** Fields that a row has only on request. */
const onRequest = {
  project: z.string(),
  branch: z.string(),
  rejected: z.int(),
  interrupted: z.int(),
  cost_usd: z.number(),
  last_prompt: z.string(),
  last_message: z.string(),
  starred: z.literal(true),
  note: z.string(),
};

const sessionCardSchema = z.object({
  ...usual,
  ...z.object(onRequest).partial().shape,
  link: z.string().optional(),
});

export const listedSessionSchema = sessionCardSchema.partial();

export type SessionCard = ReadonlyData<typeof sessionCardSchema>;
export type ListedCard = ReadonlyData<typeof listedSessionSchema>;

const USUAL = Object.keys(usual);
const FIELDS = [...USUAL, ...Object.keys(onRequest)];
const MARKS = ['starred', 'note'];

const MAX_SNIPPET_LENGTH = 140;
const MAX_TITLE_LENGTH = 80;
/** Terminal columns reserved for the title. */
const ROOM_FOR_TITLE = 30;
const MAX_TITLE_LENGTH_IN_TEXT = 90;
const MAX_LAST_WORDS_LENGTH = 300;

/** The requested fields; the default ones if none were requested. */
export function fieldsOf(given: string | undefined, besides: readonly string[]): readonly string[] {
  const names = (given ?? '').split(',').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !FIELDS.includes(name));
  if (unknown !== undefined)
    fail('invalid_parameter', `Unknown field '${snip(unknown, 40)}'. Fields: ${FIELDS.join(', ')}.`);
  return names.length === 0 ? [...USUAL, ...besides] : [...new Set(['id', ...names, ...besides])];
}

/** A session with some of its fields. */
export async function sessionCard(
  sessions: Sessions,
  row: SessionRow,
  fields: readonly string[],
  cost: number | undefined,
): Promise<ListedCard> {
  const card: SessionCard = {
    id: await sessions.list.shortId(row.id),
    provider: row.provider,
    project_hash: row.projectHash === undefined ? undefined : shortHash(row.projectHash),
    start_time: iso(row.startMs),
    snippet: snip(row.snippet, MAX_SNIPPET_LENGTH),
    turn_count: row.turns,
    duration_seconds: durationSeconds(row, sessions, row),
    total_tokens: row.totalTokens || undefined,
    failures: row.failures || undefined,
    title: row.title === undefined ? undefined : snip(row.title, MAX_TITLE_LENGTH),
    model: row.model,
    parent_id: row.parentId === undefined ? undefined : await sessions.list.shortId(row.parentId),
    machine: row.machine,
    person: row.person,
    project: row.projectPath ?? row.projectHash,
    branch: row.branch,
    rejected: row.rejected || undefined,
    interrupted: row.interrupted || undefined,
    cost_usd: cost === undefined ? undefined : Number(cost.toFixed(4)),
    last_prompt: snip(row.lastPrompt, MAX_LAST_WORDS_LENGTH) || undefined,
    last_message: snip(row.lastMessage, MAX_LAST_WORDS_LENGTH) || undefined,
    ...(MARKS.some((name) => fields.includes(name)) && (await sessions.marks.of(row.id))),
  };
  return Object.fromEntries(Object.entries(card).filter(([name]) => fields.includes(name)));
}

/** One line per session, followed by its last words on request; on a terminal, in columns. */
export function sessionLines(cards: readonly ListedCard[], style: TextStyle): readonly string[] {
  const rows = cards.map((card) => sessionCells(card, style));
  const heads =
    style.terminal === undefined
      ? rows.map((row) => row.filter((cell) => cell !== '').join(' '))
      : alignedHeads(rows, style.terminal.columns - ROOM_FOR_TITLE);
  const widest = Math.max(0, ...heads.map(shownLength));
  return cards.flatMap((card, i) => {
    const [own = ''] = heads.slice(i, i + 1);
    const head = style.terminal === undefined ? own : own + ' '.repeat(widest - shownLength(own));
    const about = snip(card.title ?? card.snippet ?? '', MAX_TITLE_LENGTH_IN_TEXT);
    return [
      `${head}${about === '' ? '' : `  ${about}`}`.trimEnd(),
      ...(card.last_prompt ? [`  asked: ${card.last_prompt}`] : []),
      ...(card.last_message ? [`  said: ${card.last_message}`] : []),
    ];
  });
}

/** Cells in columns; a narrow terminal omits the least important cells, so that titles keep some room. */
function alignedHeads(rows: readonly (readonly string[])[], width: number): readonly string[] {
  const used = rows[0]?.map((_, i) => i).filter((i) => rows.some((row) => row[i] !== '')) ?? [];
  const aligned = (left: readonly number[]) =>
    columns(rows.map((row) => left.map((i) => row[i] ?? ''))).split('\n');
  let [left, heads] = [used, aligned(used)];
  for (const least of [CELL.provider, CELL.duration, CELL.tokens, CELL.turns]) {
    if (heads.every((head) => shownLength(head) <= width)) break;
    left = left.filter((i) => i !== least);
    heads = aligned(left);
  }
  return heads;
}

/** The positions of the cells that a narrow terminal omits. */
const CELL = { provider: 1, duration: 3, turns: 4, tokens: 5 };

/** `fb3cff44`, the agent, `11-14 21:40`, `59m`, `6 turns`, `3.07M tok`, and further cells if there are any. */
function sessionCells(card: ListedCard, style: TextStyle): readonly string[] {
  const { duration_seconds, turn_count, total_tokens, failures, cost_usd, title, snippet } = card;
  const { paint } = style;
  const bad = (count: number | undefined, what: string) =>
    count === undefined ? undefined : paint('problem', `${count} ${what}`);
  const cells = [
    card.id && paint('id', card.id),
    card.provider?.replace('_code', ''),
    card.start_time && clock(card.start_time, style),
    duration_seconds === undefined ? undefined : durationText(duration_seconds),
    turn_count === undefined ? undefined : countOf(turn_count, 'turn'),
    total_tokens === undefined ? undefined : `${shortCount(total_tokens)} tok`,
    bad(failures, 'failed'),
    bad(card.rejected, 'rejected'),
    bad(card.interrupted, 'interrupted'),
    cost_usd === undefined ? undefined : `$${cost_usd.toFixed(2)} ${modelText(card.model ?? '')}`.trim(),
    cost_usd === undefined && title === undefined && snippet === undefined
      ? modelText(card.model ?? '')
      : undefined,
    card.project,
    card.branch,
  ];
  return cells.map((cell) => cell ?? '');
}
