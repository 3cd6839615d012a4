import type { Database, SqlValue } from '../../store/database.ts';
import type { ToolRow, TouchRow } from '../model/event-rows.ts';
import type { RepoPath } from './repo-path.ts';

export function* mapRows<T>(
  items: Iterable<T>,
  row: (item: T) => readonly SqlValue[],
): Generator<readonly SqlValue[]> {
  for (const item of items) yield row(item);
}

/** Writes calls. What a call says about itself comes with its first row; its answer may come later, or twice. */
export async function writeCalls(
  tx: Database,
  session: number,
  calls: Iterable<ToolRow>,
  placeOf: (path: string) => RepoPath,
): Promise<void> {
  await tx.batch(
    `INSERT INTO tools (session, call, result, turn, step, name, kind, status, exit_code, started_ms, ended_ms,
       duration_ms, digest, action, agent_id, agent_calls, call_id, sidechain, target, command, program, agent_type, file, repo_path, error,
       error_class, check_kind, check_failed, result_bytes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (session, call) DO UPDATE SET result = excluded.result, status = excluded.status,
       exit_code = excluded.exit_code, started_ms = excluded.started_ms, ended_ms = excluded.ended_ms,
       duration_ms = excluded.duration_ms, agent_id = excluded.agent_id, agent_calls = excluded.agent_calls, error = COALESCE(excluded.error, tools.error),
       error_class = COALESCE(excluded.error_class, tools.error_class), check_kind = excluded.check_kind,
       check_failed = excluded.check_failed,
       result_bytes = excluded.result_bytes`,
    mapRows(calls, (call) => callRow(session, call, placeOf)),
  );
}

function callRow(session: number, call: ToolRow, placeOf: (path: string) => RepoPath): readonly SqlValue[] {
  const { about, status } = call;
  return [
    ...[session, call.call, call.result, call.turn, call.step, call.name, call.kind, status],
    ...[
      call.exitCode ?? null,
      call.startedMs,
      call.endedMs,
      call.durationMs ?? null,
      call.digest,
      call.action,
    ],
    ...[call.agentId ?? null, call.agentCalls ?? null, call.callId ?? null, call.sidechain ? 1 : 0],
    ...[about?.target ?? null, about?.command ?? null, about?.program ?? null, about?.agentType ?? null],
    ...[about?.file ?? null, about?.file === undefined ? null : placeOf(about.file).path],
    ...[call.error || null, call.errorClass ?? null],
    call.check ?? null,
    call.checkFailed === undefined ? null : call.checkFailed ? 1 : 0,
    call.resultBytes,
  ];
}

/** Writes which files were read and changed. The line counts of an answer replace those of its call. */
export async function writeTouches(
  tx: Database,
  session: number,
  touches: readonly TouchRow[],
  placeOf: (path: string) => RepoPath,
): Promise<void> {
  await tx.batch(
    `INSERT INTO touches (path, session, event, action, turn, step, ms, added, removed, repo, repo_path)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (path, session, event) DO UPDATE SET added = COALESCE(excluded.added, touches.added),
       removed = COALESCE(excluded.removed, touches.removed),
       action = CASE touches.action WHEN 'read' THEN excluded.action ELSE touches.action END`,
    mapRows(touches, ({ path, event, action, turn, step, ms, lines }) => {
      const { repo, path: inRepo } = placeOf(path);
      return [
        ...[path, session, event, action, turn, step, ms],
        ...[lines?.added ?? null, lines?.removed ?? null, repo ?? null, inRepo],
      ];
    }),
  );
}
