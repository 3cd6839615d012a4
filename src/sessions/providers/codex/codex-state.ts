import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openFile } from '../../../contract/open-file.ts';
import { readSqlite } from '../../../store/sqlite.ts';
import { filled } from '../../model/log-json.ts';

/** What Codex keeps about its threads outside the logs. */
export interface CodexState {
  /** Names of threads that are not just the beginning of the first message. */
  readonly names: ReadonlyMap<string, string>;
  /** The thread that started each subagent. */
  readonly parents: ReadonlyMap<string, string>;
}

const NOTHING: CodexState = { names: new Map(), parents: new Map() };
const MAX_STATE_BYTES = 512 << 20;
const MAX_TRIES = 3;
const COPY_BYTES = 1 << 20;

/** The last state of each file, so that an unchanged file is not read again. */
const known = new Map<string, { readonly stamp: string; readonly state: CodexState }>();

/**
 * Reads `state_5.sqlite` of a Codex home. Codex may be writing to the file, so it is copied with its journal, and only
 * the copy is opened. Throws when it cannot be read.
 */
export function codexState(home: string): CodexState {
  const file = join(home, 'state_5.sqlite');
  const stamp = stampOf(file);
  if (stamp === undefined) return NOTHING;
  const before = known.get(file);
  if (before?.stamp === stamp) return before.state;
  const folder = mkdtempSync(join(tmpdir(), 'pinhole-codex-'));
  try {
    const copied = copyWhole(file, join(folder, 'state.sqlite'));
    const state = readState(join(folder, 'state.sqlite'));
    known.set(file, { stamp: copied, state });
    return state;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Sizes and times of the file and its journal; undefined when there is no file. */
function stampOf(file: string): string | undefined {
  const [main, journal] = [file, `${file}-wal`].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (main === undefined) return undefined;
  if (main.size > MAX_STATE_BYTES) throw new Error('the file is too large');
  return [main.size, main.mtimeMs, journal?.size, journal?.mtimeMs].join();
}

/** Copies the file and its journal, again if they changed meanwhile, because then they may not match. */
function copyWhole(file: string, to: string): string {
  for (let time = 0; time < MAX_TRIES; time++) {
    const before = stampOf(file);
    copy(file, to);
    rmSync(`${to}-wal`, { force: true });
    if (statSync(`${file}-wal`, { throwIfNoEntry: false }) !== undefined) copy(`${file}-wal`, `${to}-wal`);
    if (before !== undefined && stampOf(file) === before) return before;
  }
  throw new Error('the file keeps changing');
}

function copy(file: string, to: string): void {
  const { fd } = openFile(file, { below: dirname(file) });
  const target = openSync(to, 'w', 0o600);
  try {
    const bytes = Buffer.allocUnsafe(COPY_BYTES);
    for (let position = 0; position <= MAX_STATE_BYTES; ) {
      const read = readSync(fd, bytes, 0, COPY_BYTES, position);
      if (read === 0) return;
      writeSync(target, bytes, 0, read, position);
      position += read;
    }
    throw new Error('the file is too large');
  } finally {
    closeSync(target);
    closeSync(fd);
  }
}

function readState(copy: string): CodexState {
  return readSqlite(copy, (rows) => {
    const names = new Map<string, string>();
    const parents = new Map<string, string>();
    // Columns differ between versions.
    for (const row of rows('SELECT * FROM threads')) {
      const id = filled(row.id);
      const name = filled(row.name) ?? titleOf(row);
      if (id !== undefined && name !== undefined) names.set(id, name);
    }
    const linked = rows("SELECT 1 FROM sqlite_master WHERE name = 'thread_spawn_edges'").length > 0;
    for (const row of linked ? rows('SELECT * FROM thread_spawn_edges') : []) {
      const child = filled(row.child_thread_id);
      const parent = filled(row.parent_thread_id);
      if (child !== undefined && parent !== undefined && child !== parent) parents.set(child, parent);
    }
    return { names, parents };
  });
}

/** The title of a thread, unless it is just the beginning of the first message, as without a given name. */
function titleOf(row: Readonly<Record<string, unknown>>): string | undefined {
  const title = filled(row.title)?.trim();
  const first = filled(row.first_user_message)?.trim() ?? '';
  return title === undefined || title === '' || first.startsWith(title.replace(/(?:…|\.{3})$/, ''))
    ? undefined
    : title;
}
