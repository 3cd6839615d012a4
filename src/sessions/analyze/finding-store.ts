import { SESSION_COLUMNS, type SessionRow, sessionRow } from '../store/session-row.ts';
import { type Analysis, analyze } from './analyze.ts';
import { type FigureSources, gatherFigures } from './session-figures.ts';

/** Raise it when the lenses change: all findings are then stored again. */
const VERSION = 3;
/** What findings were made from; they are made again when it differs. */
const STAMP = `'${VERSION} ' || s.events || ' ' || s.total_tokens`;
/** Sessions whose findings are written in one transaction. */
const SESSIONS_PER_WRITE = 50;

/** Stores the findings of sessions that have changed since they were last stored. */
export type KeepFindings = (signal: AbortSignal) => Promise<void>;

export function findingStore(sources: FigureSources): KeepFindings {
  const { db, writable } = sources;
  let running: Promise<void> | undefined;

  async function keepAll(): Promise<void> {
    for (;;) {
      const rows = await db.all(
        `SELECT ${SESSION_COLUMNS}, ${STAMP} AS stamp FROM sessions s
         WHERE s.copy_of IS NULL AND s.analysed <> ${STAMP} LIMIT ?`,
        SESSIONS_PER_WRITE,
      );
      if (rows.length === 0) return;
      const made: { session: SessionRow; stamp: string; analysis: Analysis }[] = [];
      for (const row of rows) {
        const session = sessionRow(row);
        const figures = await gatherFigures(sources, session);
        made.push({
          session,
          stamp: String(row.stamp),
          analysis: analyze(figures, { failures: true, loops: true }),
        });
      }
      await db.transaction(async (tx) => {
        for (const { session, stamp, analysis } of made) {
          await tx.run('DELETE FROM findings WHERE session = ?', session.key);
          await tx.batch(
            'INSERT INTO findings (session, turn, step, event, kind, severity, message) VALUES (?, ?, ?, ?, ?, ?, ?)',
            analysis.insights.map((insight) => [
              ...[session.key, insight.turn_index, insight.step_index ?? null, insight.event_index ?? null],
              ...[insight.lens, insight.severity, insight.message],
            ]),
          );
          await tx.run(
            'UPDATE sessions SET analysed = ?, score = ? WHERE key = ?',
            stamp,
            analysis.score,
            session.key,
          );
        }
      });
    }
  }

  return async (signal) => {
    // If another process writes the index, the findings in it stay as they are.
    if (!writable) return;
    // Others may wait for it too, so it continues if this caller leaves.
    running ??= keepAll().finally(() => {
      running = undefined;
    });
    await running;
    signal.throwIfAborted();
  };
}
