import type { Database } from '../../store/database.ts';
import { commandParts, failedCheckOf, partOutcomes } from '../model/command-parts.ts';
import { programOf } from '../model/command-programs.ts';
import type { ToolRow } from '../model/event-rows.ts';
import { mapRows } from './call-rows.ts';

/** Writes what failed in the checks of calls, the outcome of each command of a command line, and the commits. */
export async function writeOutcomes(tx: Database, session: number, calls: Iterable<ToolRow>): Promise<void> {
  const failures: (readonly (string | number | null)[])[] = [];
  const commands: (readonly (string | number | null)[])[] = [];
  const commits: (readonly (string | number)[])[] = [];
  for (const call of calls) {
    for (const [at, { runner, kind, name, path, line, message }] of (call.checkFailures ?? []).entries())
      failures.push([
        ...[session, call.call, at, runner ?? null, kind, name],
        ...[path ?? null, line ?? null, message ?? null],
      ]);
    for (const { hash, subject } of call.saidCommits ?? []) commits.push([session, call.call, hash, subject]);
    if (call.kind !== 'execute') continue;
    const parts = call.about?.parts ?? commandParts(await storedCommand(tx, session, call.call));
    const programs = parts.map(({ text }) => programOf(text));
    const statuses = partOutcomes(parts, {
      status: call.status,
      error: call.error,
      failedCheck: call.checkFailed === true ? failedCheckOf(parts, call.check) : undefined,
    });
    for (const [at, { text }] of parts.entries())
      commands.push([session, call.call, at, text, programs[at] ?? null, statuses[at] ?? null]);
  }
  await tx.batch(
    'INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
    mapRows(failures, same),
  );
  await tx.batch('INSERT OR REPLACE INTO commands VALUES (?, ?, ?, ?, ?, ?)', mapRows(commands, same));
  await tx.batch('INSERT OR REPLACE INTO said_commits VALUES (?, ?, ?, ?)', mapRows(commits, same));
}

const same = <T>(row: T): T => row;

/** The command of a call that was stored earlier. */
async function storedCommand(tx: Database, session: number, call: number): Promise<string> {
  const row = await tx.get('SELECT command FROM tools WHERE session = ? AND call = ?', session, call);
  return typeof row?.command === 'string' ? row.command : '';
}
