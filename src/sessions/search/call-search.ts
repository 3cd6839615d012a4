import { restBelow } from '../../contract/inside.ts';
import type { Database, SqlRow } from '../../store/database.ts';
import { int, optional } from '../store/session-row.ts';
import type { IndexedTexts } from '../store/texts.ts';
import { callCondition } from './call-filter.ts';
import { type SearchScope, sessionConditions } from './candidates.ts';
import type { Hit } from './event-search.ts';
import { previewAround } from './preview.ts';

const CALLS_PER_READ = 200;

/** The calls of a scope, newest first, without a text to search for; located at their result if they have one. */
export async function* searchCalls(
  db: Database,
  texts: IndexedTexts,
  scope: SearchScope,
  signal: AbortSignal,
): AsyncGenerator<Hit> {
  const { conditions, params } = sessionConditions(scope, 'c.session');
  const [condition, ...values] = callCondition(scope.calls ?? {});
  let last: readonly number[] = [Number.MAX_SAFE_INTEGER, 0, 0];
  for (;;) {
    signal.throwIfAborted();
    const rows = await db.all(
      `SELECT c.*, s.project_path, s.cwd FROM tools c JOIN sessions s ON s.key = c.session
       WHERE ${conditions.join(' AND ')} AND ${condition} AND c.ended_ms BETWEEN ? AND ?
         AND (c.ended_ms, c.session, c.call) < (?, ?, ?)
       ORDER BY c.ended_ms DESC, c.session DESC, c.call DESC LIMIT ?`,
      ...[...params, ...values, scope.sinceMs ?? 0, scope.untilMs ?? Number.MAX_SAFE_INTEGER],
      ...[...last, CALLS_PER_READ],
    );
    for (const row of rows) {
      last = [int(row.ended_ms), int(row.session), int(row.call)];
      yield await callHit(texts, row, scope);
    }
    if (rows.length < CALLS_PER_READ) return;
  }
}

async function callHit(texts: IndexedTexts, row: SqlRow, { types }: SearchScope): Promise<Hit> {
  const [call, result] = [int(row.call), int(row.result)];
  const atCall = types?.includes('tool_call') === true || result < 0;
  const event = atCall ? call : result;
  const key = int(row.session);
  const what = cutLine(optional(row.command) ?? targetOf(row), MAX_WHAT_LENGTH);
  // A rejection without words adds nothing to its status.
  const told = row.status === 'rejected' || (atCall && what !== '');
  const said = optional(row.error) ?? (told ? '' : await beginning(texts, key, event));
  return {
    key,
    event,
    turn: int(row.turn),
    step: int(row.step),
    ms: int(row.ended_ms),
    type: atCall ? 'tool_call' : 'tool_result',
    tool: optional(row.name),
    status: int(row.check_failed) === 1 ? 'failed' : optional(row.status),
    preview: cutLine([what, said].filter((part) => part !== '').join(' → '), MAX_PREVIEW_LENGTH),
  };
}

const MAX_WHAT_LENGTH = 120;
const MAX_PREVIEW_LENGTH = 300;

/** The target of a call; a file by its path in the project. */
function targetOf(row: SqlRow): string {
  const target = optional(row.target) ?? '';
  const folders = [optional(row.cwd), optional(row.project_path)];
  return folders.map((folder) => folder && restBelow(target, folder)).find(Boolean) ?? target;
}

async function beginning(texts: IndexedTexts, key: number, event: number): Promise<string> {
  return previewAround((await texts({ key }, event, event)).get(event) ?? '', 0, 0);
}

function cutLine(text: string, max: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= max ? line : `${line.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
