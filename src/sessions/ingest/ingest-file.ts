import { basename } from 'node:path';
import type { Database } from '../../store/database.ts';
import { Assembler } from '../model/assembler.ts';
import type { ParsedRecord } from '../model/event.ts';
import { hashEnds } from '../model/hash.ts';
import { isObject, parseRecord } from '../model/log-json.ts';
import { type AssemblerState, newState, unpackState } from '../model/state.ts';
import { noteFields } from '../model/unknown-things.ts';
import type { LogFile } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { newFields } from '../providers/record-fields.ts';
import type { RawRecord } from '../read/lines.ts';
import { isAppendOnly, recordsFrom } from '../read/source.ts';
import { spilledText } from '../read/spilled.ts';
import { compare, fingerprint } from './fingerprint.ts';
import { parentHashes } from './parent-hashes.ts';
import { type FileMark, removeSession } from './session-rows.ts';
import { SessionWriter } from './session-writer.ts';

export interface Ingested {
  readonly key: number;
  /** How much was read, and how large the log is. */
  readonly bytes: number;
  readonly size: number;
  readonly events: number;
  /** How large the log was when it was last read, if it has lost a part since. */
  readonly sizeBefore?: number | undefined;
}

export interface IngestOptions {
  /** The agent that wrote the log. */
  readonly provider: Provider;
  readonly redact: (text: string) => string;
  /** Read the file again even if it did not change. */
  readonly again?: boolean;
  readonly signal?: AbortSignal;
}

const FLUSH_BYTES = 8 << 20;

/** Brings the index up to date with one log, reading only what was appended. Undefined when nothing changed. */
export async function ingestFile(
  db: Database,
  file: LogFile,
  options: IngestOptions,
): Promise<Ingested | undefined> {
  let row = await db.get('SELECT * FROM files WHERE path = ?', file.path);
  if (row !== undefined && row.provider !== file.provider) {
    // When it was read last, it did not show yet whose log it is.
    const misread = Number(row.session);
    await db.transaction((tx) => removeSession(tx, misread));
    row = undefined;
  }
  let consumed = 0;
  let state: AssemblerState | undefined;
  let sizeBefore: number | undefined;
  const key = row?.session === null || row?.session === undefined ? undefined : Number(row.session);
  if (row !== undefined && key !== undefined && options.again !== true) {
    consumed = Number(row.consumed);
    const before = {
      size: Number(row.size),
      mtime: Number(row.mtime),
      head: String(row.head),
      tail: String(row.tail),
      consumed,
    };
    const change = compare(file, before, isAppendOnly(file.path), options.provider.store);
    if (change === 'same') return undefined;
    if (change === 'shrunk') sizeBefore = before.size;
    if (change === 'grown') {
      const packed = await db.get('SELECT state FROM sessions WHERE key = ?', key);
      state = unpackState(String(packed?.state ?? ''));
    }
  }
  const resumed = state !== undefined;
  if (!resumed) consumed = 0;
  const writer = new SessionWriter(db, file, key, options);
  await writer.open(resumed);
  state ??= freshState(file);
  if (file.clientUsage !== undefined) state.facts.clientUsage = file.clientUsage;
  const read = await addRecords(writer, file, state, recordsOf(file, consumed, options.provider), options);
  // Another thread read the log in the meantime; only what was appended since then is left.
  return read === undefined ? ingestFile(db, file, options) : { ...read, sizeBefore };
}

export function freshState(file: LogFile): AssemblerState {
  const state = newState();
  if (file.id !== undefined) state.facts.id = file.id;
  if (file.cwd !== undefined) state.facts.cwd = file.cwd;
  if (file.model !== undefined) state.facts.model = file.model;
  if (file.agentName !== undefined) state.facts.agentName = file.agentName;
  if (file.usageInParent === true) state.usage.inParent = true;
  if (file.parentId !== undefined) {
    state.facts.parentId = file.parentId;
    state.facts.relation = 'subagent';
  }
  return state;
}

/** Where the records of a log come from: the log itself, or a collector. */
export interface RecordSource {
  readonly start: number;
  readonly records: Iterable<RawRecord>;
  /** The whole text of an output that the agent put in a separate file. */
  spilled(path: string, raw: RawRecord): string | undefined;
  /** What is stored about the log to continue after this many bytes. */
  mark(consumed: number, last: boolean): FileMark;
}

function recordsOf(file: LogFile, start: number, provider: Provider): RecordSource {
  const place = file.keptAt ?? file.path;
  return {
    start,
    records: recordsFrom(place, start, provider.store),
    spilled: (path) => spilledText(provider, place, path),
    mark(consumed, last) {
      const position = !last || isAppendOnly(file.path) ? consumed : 0;
      return { ...fingerprint(file, position, provider.store), consumed: position };
    },
  };
}

/** Adds records to a session. Undefined when another thread read the log in the meantime. */
export async function addRecords(
  writer: SessionWriter,
  file: LogFile,
  state: AssemblerState,
  source: RecordSource,
  { provider, redact, signal }: IngestOptions,
): Promise<Ingested | undefined> {
  const assembler = new Assembler(state, { provider, redact });
  const firstEvent = state.events;
  let consumed = source.start;
  let pending = 0;
  for (const raw of source.records) {
    consumed = raw.offset + raw.length;
    if (raw.bytes.length === 0) continue;
    const text = raw.bytes.toString('utf8');
    const record = raw.tooLong ? undefined : parseRecord(text);
    const where = { offset: raw.offset, length: raw.length, hash: copyHash(provider, text) };
    if (!isObject(record)) assembler.addBad(text, where);
    else {
      const parsed = withSpilled(provider.read(record), (path) => source.spilled(path, raw));
      assembler.add(parsed, where);
      noteFields(state, newFields(provider.fields, parsed.label, record), redact);
      if (parsed.marks?.includes('session_header') === true) {
        const origin = state.facts.parentId ?? parsed.facts?.id;
        assembler.knowOrigin(
          origin === undefined ? undefined : await parentHashes(writer.db, origin, writer.key),
        );
      }
    }
    pending += raw.bytes.length;
    if (pending >= FLUSH_BYTES) {
      signal?.throwIfAborted();
      const mark = source.mark(consumed, false);
      if ((await writer.flush(assembler, identity(file, state), mark, false)) === undefined) return undefined;
      pending = 0;
    }
  }
  const mark = source.mark(consumed, true);
  const key = await writer.flush(assembler, identity(file, state), mark, true);
  return key === undefined
    ? undefined
    : { key, bytes: consumed - source.start, size: mark.size, events: state.events - firstEvent };
}

/** Adds the whole text of outputs that the agent put in separate files, so that search finds it. */
function withSpilled(record: ParsedRecord, whole: (path: string) => string | undefined): ParsedRecord {
  if (!record.parts.some((part) => part.spilledTo !== undefined)) return record;
  const parts = record.parts.map((part) =>
    part.spilledTo === undefined ? part : { ...part, whole: whole(part.spilledTo) },
  );
  return { ...record, parts };
}

/** Equal for all copies of a record; 0 when copies cannot be recognised. */
export function copyHash(provider: Provider, line: string): number {
  const key = provider.copyKey?.(line);
  return key === undefined ? 0 : hashEnds(key);
}

/** The id of a session: from the name of its log if the agent puts it there, else from the records. */
export function identity(file: LogFile, state: AssemblerState): string {
  return file.id ?? state.facts.id ?? basename(file.path).replace(/\.(?:jsonl|json|jsonl\.zst)$/, '');
}
