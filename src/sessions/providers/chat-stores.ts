import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SqlValue } from '../../store/database.ts';
import { parseJson } from '../model/log-json.ts';
import { checkTables, type Rows, readForeign } from '../read/foreign-database.ts';
import { wholeFile } from '../read/source.ts';
import { type ChatRecord, chatRecord } from './chat-records.ts';
import type { SessionStore, StoredSession } from './provider.ts';

export interface DatabaseChats {
  /** Tables and columns that reading depends on. */
  readonly needed: Readonly<Record<string, readonly string[]>>;
  /** SQL for `id`, `size` and `changed` of each session: the last two change whenever the session does. */
  readonly sessions: string;
  records(rows: Rows, session: string, file: string): readonly ChatRecord[];
}

/** Sessions in a SQLite database that the agent keeps writing to; it is never locked or changed. */
export function databaseChats({ needed, sessions, records }: DatabaseChats): SessionStore {
  return {
    sessions: (file) =>
      readForeign(file, (rows) => {
        checkTables(rows, needed);
        return rows(sessions).map(({ id, size, changed }) => stored(String(id), size, changed));
      }),
    *records(file, session, from) {
      yield* readForeign(file, (rows) => records(rows, session, file).slice(from).map(chatRecord));
    },
  };
}

function stored(id: string, size: SqlValue | undefined, changed: SqlValue | undefined): StoredSession {
  const changedMs = typeof changed === 'string' ? Date.parse(changed) || 0 : Number(changed ?? 0);
  return { id, size: Number(size ?? 0), changedMs };
}

/** Sessions in files that the agent rewrites, one per file. */
export function documentChats(
  idOf: (file: string) => string,
  records: (document: unknown, file: string) => readonly ChatRecord[],
): SessionStore {
  return {
    sessions(file) {
      const { size, mtimeMs } = statSync(file);
      return [{ id: idOf(file), size, changedMs: mtimeMs }];
    },
    *records(file, _, from) {
      const source = wholeFile(file, dirname(file)).toString('utf8');
      const document = file.endsWith('.jsonl') ? source : parseJson(source);
      if (document === undefined) throw new Error('the file is not complete JSON');
      yield* records(document, file).slice(from).map(chatRecord);
    },
  };
}
