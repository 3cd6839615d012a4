import type { Gauge } from '../contract/metrics.ts';
import { int } from '../sessions/store/session-row.ts';
import type { PostgresDatabase } from '../store/postgres.ts';

const SEEN_MS = 15 * 60_000;

/** What a node counts itself; the rest comes from the database. */
export interface TeamCounts {
  events: number;
  waiting: number;
  errors: number;
}

/**
 * How a team server is doing. No label names a person, a machine or a project, because there may be any number of them.
 */
export async function teamGauges(
  db: PostgresDatabase,
  counts: TeamCounts,
  now: () => number,
): Promise<readonly Gauge[]> {
  const [row] = await db
    .own(
      `SELECT (SELECT count(*) FROM machines) AS machines,
         (SELECT count(*) FROM machines WHERE seen_ms > $1) AS seen,
         (SELECT max(seen_ms) FROM machines) AS last,
         (SELECT count(*) FROM logs) AS logs,
         (SELECT count(*) FROM logs WHERE derived <> (SELECT max(id) FROM index_version)) AS unread`,
      [now() - SEEN_MS],
    )
    .catch(() => {
      counts.errors++;
      return [];
    });
  const one = (name: string, help: string, value: number, kind: Gauge['kind'] = 'gauge'): Gauge => ({
    name,
    help,
    kind,
    values: [{ value }],
  });
  return [
    one('pinhole_database_up', 'Whether the database answered just now.', row === undefined ? 0 : 1),
    one('pinhole_database_errors_total', 'Database failures seen by this node.', counts.errors, 'counter'),
    one('pinhole_events_received_total', 'Log records stored by this node.', counts.events, 'counter'),
    one(
      'pinhole_messages_waiting',
      'Collector messages waiting for the database on this node.',
      counts.waiting,
    ),
    ...(row === undefined
      ? []
      : [
          one('pinhole_collectors', 'Machines that ever sent something.', int(row.machines)),
          one(
            'pinhole_collectors_seen',
            'Machines that sent something in the last 15 minutes.',
            int(row.seen),
          ),
          one(
            'pinhole_collect_lag_seconds',
            'Seconds since a collector sent something.',
            row.last === null ? 0 : Math.max(0, Math.round((now() - int(row.last)) / 1000)),
          ),
          one('pinhole_logs', 'Logs that are stored.', int(row.logs)),
          one('pinhole_logs_unread', 'Logs that wait to be read again after an update.', int(row.unread)),
        ]),
  ];
}
