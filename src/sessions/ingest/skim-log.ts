import { closeSync } from 'node:fs';
import { Assembler } from '../model/assembler.ts';
import { rememberLink } from '../model/branches.ts';
import type { ParsedRecord, Relation, Usage } from '../model/event.ts';
import { isObject, parseRecord } from '../model/log-json.ts';
import { mergeFacts, ofThisSession } from '../model/session-facts.ts';
import { type AssemblerState, FIRST_RECORDS, noteTime } from '../model/state.ts';
import { usageOf } from '../model/usage-tracker.ts';
import type { LogFile } from '../providers/log-files.ts';
import type { Provider, TokenRecord, TokenRecords } from '../providers/provider.ts';
import { lastLines, lineBlocks } from '../read/line-blocks.ts';
import { isBlank, isWholeObject } from '../read/lines.ts';
import { formatOf, isKept, openLog, recordsFrom } from '../read/source.ts';
import { type ValueReader, valueReader } from '../read/value-reader.ts';
import { copyHash, freshState, identity } from './ingest-file.ts';
import { tokenLines } from './token-lines.ts';
import { addRow, type TokenRow } from './token-rows.ts';

/** What the totals of tokens need of a log: the facts of its session, and the tokens of its responses. */
export interface SkimmedLog {
  readonly path: string;
  readonly provider: string;
  readonly archived: boolean;
  readonly id: string;
  /** The id is the agent's own; else it is only the name of the file. */
  readonly named: boolean;
  readonly cwd: string | undefined;
  readonly projectHash: string | undefined;
  readonly title: string | undefined;
  readonly snippet: string;
  readonly parentId: string | undefined;
  readonly relation: Relation | undefined;
  readonly clientUsage: Readonly<Record<string, Usage>> | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly events: number;
  /** Every record was read, so that the time of the end and the number of events are exact. */
  readonly whole: boolean;
  /** The session whose records are at the beginning of this one; they must be known to count none of them twice. */
  readonly copiedFrom: string | undefined;
  readonly responses: readonly TokenRow[];
}

export interface SkimOptions {
  readonly provider: Provider;
  readonly redact: (text: string) => string;
  /** The log of the session that this one was copied from. */
  readonly origin?: LogFile | undefined;
  /** Read every record as the index does. */
  readonly whole?: boolean;
}

/** The skipped records at the end that are read for the time of the last one. */
const LAST_RECORDS = 16;

/** Skipping records would change the result. */
class NeedsWhole extends Error {}

/**
 * Reads the tokens of a log without what only the index needs. The first records are read as the index reads them, until
 * the session is known; after that only those that the agent's {@link Provider.tokenRecords} describes.
 */
export function skimLog(file: LogFile, options: SkimOptions): SkimmedLog {
  try {
    return skim(file, options);
  } catch (error) {
    if (!(error instanceof NeedsWhole)) throw error;
    return skim(file, { ...options, whole: true });
  }
}

function skim(file: LogFile, options: SkimOptions): SkimmedLog {
  const { provider } = options;
  const place = file.keptAt ?? file.path;
  const skimming = new Skimming(file, options);
  if (formatOf(place) === 'lines' && !isKept(place)) skimming.readLines(place);
  else
    for (const raw of recordsFrom(place, 0, provider.store))
      skimming.add(raw.bytes, 0, raw.bytes.length, raw.tooLong === true, raw.offset);
  return skimming.result();
}

class Skimming {
  readonly #file: LogFile;
  readonly #options: SkimOptions;
  readonly #state: AssemblerState;
  readonly #assembler: Assembler;
  readonly #responses = new Map<string, TokenRow>();
  readonly #tokens: ((bytes: Buffer, start: number, end: number) => TokenRecord | undefined) | undefined;
  #copiedFrom: string | undefined;
  #known = false;

  constructor(file: LogFile, options: SkimOptions) {
    this.#file = file;
    this.#options = options;
    this.#state = freshState(file);
    if (file.clientUsage !== undefined) this.#state.facts.clientUsage = file.clientUsage;
    this.#assembler = new Assembler(this.#state, options);
    this.#tokens = tokensOf(options.provider, this.#state);
  }

  /** Reads a log of lines; once the session is known, only those that may say something about tokens. */
  readLines(path: string): void {
    const { fd } = openLog(path);
    try {
      const { tokenRecords } = this.#options.provider;
      const find = tokenRecords && tokenLines(tokenRecords);
      /** The end of the last record that was read, and of the file. */
      let read = 0;
      let size = 0;
      for (const { bytes, offset, kind } of lineBlocks(fd)) {
        size = offset + bytes.length;
        if (kind === 'unended' && !isWholeObject(bytes.toString('utf8'))) break;
        const mayCount = find?.(bytes);
        for (let start = 0; start < bytes.length; ) {
          const next = bytes.indexOf(NEWLINE, start);
          const end = next < 0 ? bytes.length : next;
          const skip =
            kind === 'too long' ? this.#known : this.#skipping() && mayCount?.(start, end) === false;
          if (!skip) {
            this.add(bytes, start, end, kind === 'too long', offset);
            read = offset + end;
          }
          start = end + 1;
        }
      }
      for (const line of lastLines(fd, read, size, LAST_RECORDS))
        noteTime(this.#state, this.#parse(line, 0, line.length)?.ms);
    } finally {
      closeSync(fd);
    }
  }

  /** Whether records are skipped that do not look like those that count. */
  #skipping(): boolean {
    return this.#known && this.#state.events >= FIRST_RECORDS;
  }

  /** Adds the record between two positions. */
  add(bytes: Buffer, start: number, end: number, tooLong: boolean, offset: number): void {
    if (isBlank(bytes, start, end)) return;
    const state = this.#state;
    const { provider, origin, whole = false } = this.#options;
    if (this.#known) {
      if (!tooLong) this.#addLightly(bytes, start, end);
      return;
    }
    const text = bytes.toString('utf8', start, end);
    const record = tooLong ? undefined : parseRecord(text);
    const place = { offset: offset + start, length: end - start, hash: copyHash(provider, text) };
    if (!isObject(record)) {
      this.#assembler.addBad(text, place);
      return;
    }
    const parsed = provider.read(record);
    this.#assembler.add(parsed, place);
    for (const row of this.#assembler.take().usage) addRow(this.#responses, row);
    if (parsed.marks?.includes('session_header') === true) {
      this.#copiedFrom = state.facts.parentId ?? this.#copiedFrom;
      this.#assembler.knowOrigin(origin && recordHashes(origin, provider));
    }
    this.#known = !whole && isKnown(state);
  }

  /** Adds the facts and tokens of a record; turns, steps and calls are left out. */
  #addLightly(bytes: Buffer, start: number, end: number): void {
    const state = this.#state;
    const { provider, redact } = this.#options;
    const skipping = this.#skipping();
    const found = this.#tokens?.(bytes, start, end) ?? this.#parse(bytes, start, end);
    if (found === undefined) return;
    const record = 'parts' in found ? ofThisSession(found, state) : found;
    // The record before it would have the time, but may have been skipped.
    if (skipping && record.usage !== undefined && record.ms === undefined) throw new NeedsWhole();
    const ms = noteTime(state, record.ms);
    if ('parts' in record) {
      // The record that says whose title it is may have been skipped.
      if (skipping && record.facts?.titleOf !== undefined) throw new NeedsWhole();
      mergeFacts(state, record.facts, redact);
      rememberLink(state, record);
      state.events += Math.max(1, record.parts.length);
    } else {
      if (record.model !== undefined && record.model !== state.facts.model)
        mergeFacts(state, { model: record.model }, redact);
      if (record.id !== undefined && !skipping) rememberLink(state, { link: { id: record.id } });
      state.events++;
    }
    addRow(this.#responses, usageOf(state, record, provider.id, 0, ms));
  }

  #parse(bytes: Buffer, start: number, end: number): ParsedRecord | undefined {
    const record = parseRecord(bytes.toString('utf8', start, end));
    return isObject(record) ? this.#options.provider.read(record) : undefined;
  }

  result(): SkimmedLog {
    const file = this.#file;
    const state = this.#state;
    const { facts } = state;
    return {
      path: file.path,
      provider: this.#options.provider.id,
      archived: file.archived === true,
      id: identity(file, state),
      named: file.id !== undefined || facts.id !== undefined,
      cwd: facts.cwd,
      projectHash: facts.projectHash,
      title: facts.title,
      snippet: state.snippet,
      parentId: facts.parentId,
      relation: facts.relation,
      clientUsage: facts.clientUsage,
      startMs: state.startMs,
      endMs: state.ms,
      events: state.events,
      whole: !this.#known,
      copiedFrom: this.#copiedFrom,
      responses: [...this.#responses.values()],
    };
  }
}

const NEWLINE = 0x0a;
const readers = new WeakMap<TokenRecords, ValueReader>();

/** Reads what the values of a record say about tokens. */
function tokensOf({ tokenRecords }: Provider, state: AssemblerState) {
  if (tokenRecords === undefined) return undefined;
  const read = readers.get(tokenRecords) ?? valueReader(tokenRecords.paths);
  readers.set(tokenRecords, read);
  return (bytes: Buffer, start: number, end: number): TokenRecord | undefined => {
    const values = read(bytes, start, end);
    return values && tokenRecords.tokens(values, state.facts);
  };
}

/** Nothing in later records can change what the first ones said about the session, nor where a copied history ends. */
function isKnown({ turns, replay, snippet, turn, facts }: AssemblerState): boolean {
  return (
    turns > 0 &&
    replay === undefined &&
    snippet !== '' &&
    turn?.inherited !== true &&
    facts.id !== undefined &&
    facts.cwd !== undefined
  );
}

const hashes = new WeakMap<LogFile, Set<number>>();

/** The hashes of all records of a log, as the index has them. */
function recordHashes(file: LogFile, provider: Provider): ReadonlySet<number> {
  const found = hashes.get(file) ?? new Set<number>();
  if (found.size > 0) return found;
  for (const raw of recordsFrom(file.keptAt ?? file.path, 0, provider.store))
    if (raw.bytes.length > 0) found.add(copyHash(provider, raw.bytes.toString('utf8')));
  hashes.set(file, found);
  return found;
}
