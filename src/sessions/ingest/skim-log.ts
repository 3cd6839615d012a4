import { closeSync } from 'node:fs';
import { Assembler } from '../model/assembler.ts';
import { rememberLink } from '../model/branches.ts';
import type { ParsedRecord } from '../model/event.ts';
import { isObject, parseRecord } from '../model/log-json.ts';
import { mergeFacts, ofThisSession } from '../model/session-facts.ts';
import { type AssemblerState, FIRST_RECORDS, noteTime } from '../model/state.ts';
import { usageOf } from '../model/usage-tracker.ts';
import type { LogFile } from '../providers/log-files.ts';
import type { Provider, TokenRecord, TokenRecords } from '../providers/provider.ts';
import { lastLines, lineBlocks } from '../read/line-blocks.ts';
import { type LineScanner, lineScanner, type ScannedLine } from '../read/line-scanner-memory.ts';
import { isBlank, isWholeObject } from '../read/lines.ts';
import { formatOf, isKept, openLog, recordsFrom } from '../read/source.ts';
import { copyHash, freshState, identity } from './ingest-file.ts';
import { recordHashes } from './record-hashes.ts';
import type { SkimDepth, SkimmedLog } from './skimmed-log.ts';
import { addRow, type TokenRow } from './token-rows.ts';

export interface SkimOptions {
  readonly provider: Provider;
  readonly redact: (text: string) => string;
  /** The log of the session that this one was copied from. */
  readonly origin?: LogFile | undefined;
  readonly depth: SkimDepth;
}

/** How many skipped records at the end are read after all, for the time of the last one. */
const LAST_RECORDS = 16;

/** Skipping records would change the result. */
class NeedsWhole extends Error {}
/** The turns must be known: the log may begin with the history of another session. */
class NeedsTurns extends Error {}

/**
 * Reads the tokens of a log without what only the index needs. The first records are read the way the index does, until
 * the session is known; after that only those that the agent's {@link Provider.tokenRecords} describe.
 */
export function skimLog(file: LogFile, options: SkimOptions): SkimmedLog {
  try {
    return skim(file, options);
  } catch (error) {
    if (error instanceof NeedsTurns) return skimLog(file, { ...options, depth: 'texts' });
    if (!(error instanceof NeedsWhole)) throw error;
    return skim(file, { ...options, depth: 'whole' });
  }
}

function skim(file: LogFile, options: SkimOptions): SkimmedLog {
  const { provider } = options;
  const place = file.keptAt ?? file.path;
  const skimming = new Skimming(file, options);
  if (formatOf(place) === 'lines' && !isKept(place)) skimming.readLines(place);
  else
    for (const { bytes, tooLong, offset } of recordsFrom(place, 0, provider.store)) {
      if (tooLong) skimming.addTooLong(bytes, offset);
      else skimming.add(bytes, { start: 0, end: bytes.length, values: undefined }, offset);
      if (skimming.isDone()) break;
    }
  return skimming.result();
}

class Skimming {
  readonly #file: LogFile;
  readonly #options: SkimOptions;
  readonly #state: AssemblerState;
  readonly #assembler: Assembler;
  readonly #responses = new Map<string, TokenRow>();
  readonly #brief: boolean;
  #copiedFrom: string | undefined;
  #known = false;
  /** The number of events so far is not known exactly. */
  #uncertain = false;
  #records = 0;
  #answered = false;

  constructor(file: LogFile, options: SkimOptions) {
    this.#file = file;
    this.#options = options;
    this.#brief = options.depth === 'tokens';
    this.#state = freshState(file);
    if (file.clientUsage !== undefined) this.#state.facts.clientUsage = file.clientUsage;
    this.#assembler = new Assembler(this.#state, options);
  }

  /** Reads a log of lines; once the session is known, only lines that may say something about tokens. */
  readLines(path: string): void {
    const { fd } = openLog(path);
    const { tokenRecords } = this.#options.provider;
    const scanner = tokenRecords && scannerOf(tokenRecords);
    try {
      /** The end of the last record that was read, and of the file. */
      let read = 0;
      let size = 0;
      for (const { bytes, offset, kind } of lineBlocks(fd)) {
        size = offset + bytes.length;
        if (kind === 'unended' && !isWholeObject(bytes.toString('utf8'))) break;
        if (kind === 'too long') this.addTooLong(bytes, offset);
        else {
          const end = scanner ? this.#scan(scanner, bytes, offset) : this.#readAll(bytes, offset);
          if (end > 0) read = offset + end;
        }
        if (this.isDone()) return;
      }
      if (scanner === undefined) return;
      const { bytes, start } = lastLines(fd, read, size, LAST_RECORDS);
      const count = scanner.scan(start, bytes.length, false, LAST_RECORDS);
      for (let index = 0; index < count; index++)
        noteTime(this.#state, this.#read(bytes, scanner.line(index))?.ms);
    } finally {
      closeSync(fd);
    }
  }

  /** Adds the lines of a block that are not skipped; returns the end of the last of them. */
  #scan(scanner: LineScanner, bytes: Buffer, offset: number): number {
    let read = 0;
    for (let at = 0; at < bytes.length && !this.isDone(); at = scanner.position()) {
      const skipping = this.#skipping();
      const most = skipping ? Number.MAX_SAFE_INTEGER : Math.max(1, FIRST_RECORDS - this.#state.events);
      const count = scanner.scan(at, bytes.length, skipping, most);
      for (let index = 0; index < count; index++) {
        const line = scanner.line(index);
        this.add(bytes, line, offset);
        read = line.end;
      }
    }
    return read;
  }

  #readAll(bytes: Buffer, offset: number): number {
    for (let start = 0; start < bytes.length && !this.isDone(); ) {
      const next = bytes.indexOf(NEWLINE, start);
      const end = next < 0 ? bytes.length : next;
      this.add(bytes, { start, end, values: undefined }, offset);
      start = end + 1;
    }
    return bytes.length;
  }

  addTooLong(bytes: Buffer, offset: number): void {
    const place = { offset, length: bytes.length, hash: 0 };
    if (this.#brief) this.#state.events++;
    else if (!this.#known) this.#assembler.addBad(bytes.toString('utf8'), place);
  }

  /** Whether the rest need not be read. */
  isDone(): boolean {
    return this.#known && this.#options.depth === 'prompt';
  }

  /** Whether records that do not look like token records are skipped. */
  #skipping(): boolean {
    return this.#known && this.#state.events >= FIRST_RECORDS;
  }

  /** Adds the record of a line. */
  add(bytes: Buffer, line: ScannedLine, offset: number): void {
    const { start, end } = line;
    if (isBlank(bytes, start, end)) return;
    const state = this.#state;
    const { provider, origin, depth } = this.#options;
    if (this.#known || this.#brief) {
      this.#addLightly(bytes, line);
      return;
    }
    const text = bytes.toString('utf8', start, end);
    const record = parseRecord(text);
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
    this.#known = depth !== 'whole' && isKnown(state);
  }

  /** Adds the facts and tokens of a record; turns, steps and calls are left out. */
  #addLightly(bytes: Buffer, line: ScannedLine): void {
    const state = this.#state;
    const { provider, redact } = this.#options;
    const skipping = this.#skipping();
    const records = this.#records++;
    const found = this.#read(bytes, line);
    if (found === undefined) {
      state.events++;
      return;
    }
    const record = 'parts' in found ? ofThisSession(found, state) : found;
    if (this.#brief) this.#checkBrief(record, records);
    // The previous record would give the time, but may have been skipped.
    if (skipping && record.usage !== undefined && record.ms === undefined) throw new NeedsWhole();
    const ms = noteTime(state, record.ms);
    if ('parts' in record) {
      // The record that the title refers to may have been skipped.
      if (skipping && record.facts?.titleOf !== undefined && !this.#brief) throw new NeedsWhole();
      mergeFacts(state, record.facts, redact);
      this.#answered ||= record.parts.some(({ type }) => type === 'message' || type === 'tool_call');
      rememberLink(state, record);
      state.events += Math.max(1, record.parts.length);
      this.#known ||= state.facts.id !== undefined && state.facts.cwd !== undefined;
    } else {
      if (record.model !== undefined && record.model !== state.facts.model)
        mergeFacts(state, { model: record.model }, redact);
      if (record.id !== undefined && !skipping) rememberLink(state, { link: { id: record.id } });
      state.events++;
    }
    addRow(this.#responses, usageOf(state, record, provider.id, 0, ms));
  }

  /** What a line says: taken from its values if they are enough, or else from the whole record. */
  #read(bytes: Buffer, { start, end, values }: ScannedLine): TokenRecord | ParsedRecord | undefined {
    const { provider } = this.#options;
    const tokens =
      this.#known && values !== undefined
        ? provider.tokenRecords?.tokens(values, this.#state.facts)
        : undefined;
    if (tokens !== undefined) return tokens;
    const record = parseRecord(bytes.toString('utf8', start, end));
    return isObject(record) ? provider.read(record) : undefined;
  }

  /** Throws if only the turns tell whose records these are, or which of the first ones the session starts with. */
  #checkBrief(record: ParsedRecord | TokenRecord, records: number): void {
    const { startMs, facts } = this.#state;
    // The number of events is only known if all records were parsed and no part has an identity.
    this.#uncertain ||= !('parts' in record) || record.parts.some(({ identity }) => identity !== undefined);
    const isEarlier = record.ms !== undefined && record.ms < startMs;
    if (this.#uncertain && isEarlier && records < FIRST_RECORDS) throw new NeedsTurns();
    if (!('parts' in record) || record.marks?.includes('session_header') !== true) return;
    const { id = facts.id, parentId, relation } = record.facts ?? {};
    const other = facts.id !== undefined && id !== facts.id;
    const copied = [facts.parentId, facts.relation, parentId, relation].some((fact) => fact !== undefined);
    if (other || copied) throw new NeedsTurns();
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
      snippet: this.#brief ? undefined : state.snippet,
      parentId: facts.parentId,
      relation: facts.relation,
      clientUsage: facts.clientUsage,
      startMs: state.startMs,
      endMs: state.ms,
      events: state.events,
      answered: this.#answered || state.steps > 0,
      contextTokens: state.contextTokens,
      whole: !this.#known && !this.#brief,
      depth: this.#options.depth,
      copiedFrom: this.#copiedFrom,
      responses: [...this.#responses.values()],
    };
  }
}

const NEWLINE = 0x0a;
const scanners = new WeakMap<TokenRecords, LineScanner>();

function scannerOf(records: TokenRecords): LineScanner {
  const scanner = scanners.get(records) ?? lineScanner(records);
  scanners.set(records, scanner);
  return scanner;
}

/** Whether later records can no longer change what is known about the session, nor where a copied history ends. */
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
