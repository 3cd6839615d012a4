import { Assembler } from '../model/assembler.ts';
import { rememberLink } from '../model/branches.ts';
import type { ParsedRecord, Relation, Usage } from '../model/event.ts';
import type { UsageRow } from '../model/event-rows.ts';
import { isObject, parseRecord } from '../model/log-json.ts';
import { mergeFacts, ofThisSession } from '../model/session-facts.ts';
import { type AssemblerState, FIRST_RECORDS, noteTime } from '../model/state.ts';
import { usageOf } from '../model/usage-tracker.ts';
import type { LogFile } from '../providers/log-files.ts';
import type { Provider } from '../providers/provider.ts';
import { withoutFields } from '../read/lean-json.ts';
import { MAX_RECORD_BYTES } from '../read/lines.ts';
import { formatOf, readBytes, recordsFrom } from '../read/source.ts';
import { copyHash, freshState, identity } from './ingest-file.ts';

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

/** Tokens of a response: its id, time, model, {@link Usage} in its order, and whether the output is a lower bound, and {@link UsageRow.relayed}. */
export type TokenRow = readonly [
  response: string,
  ms: number,
  model: string | undefined,
  usage: Usage,
  lowerBound: boolean,
  relayed: boolean,
];

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

/** Records that only name something are shorter than this. */
const SHORT_BYTES = 8 << 10;

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

function skim(file: LogFile, { provider, redact, origin, whole = false }: SkimOptions): SkimmedLog {
  const state = freshState(file);
  if (file.clientUsage !== undefined) state.facts.clientUsage = file.clientUsage;
  const assembler = new Assembler(state, { provider, redact });
  const responses = new Map<string, TokenRow>();
  const place = file.keptAt ?? file.path;
  const counts = formatOf(place) === 'lines' ? filterOf(provider) : undefined;
  const unneeded = new Set(provider.tokenRecords?.without);
  const parseLean = (bytes: Buffer): unknown => {
    const lean = unneeded.size === 0 ? undefined : withoutFields(bytes, unneeded);
    return parseRecord(lean ?? bytes.toString('utf8'));
  };
  const last: { readonly offset: number; readonly length: number }[] = [];
  let copiedFrom: string | undefined;
  let known = false;
  for (const raw of recordsFrom(place, 0, provider.store)) {
    if (raw.bytes.length === 0) continue;
    if (known) {
      const skipping = counts !== undefined && state.events >= FIRST_RECORDS;
      if (raw.tooLong || (skipping && !counts(raw.bytes))) {
        last.push({ offset: raw.offset, length: raw.length });
        if (last.length > LAST_RECORDS) last.shift();
        continue;
      }
      last.length = 0;
      const record = parseLean(raw.bytes);
      if (!isObject(record)) continue;
      addRow(responses, lightly(state, provider.read(record), provider, redact, skipping));
      continue;
    }
    const text = raw.bytes.toString('utf8');
    const record = raw.tooLong ? undefined : parseRecord(text);
    const where = { offset: raw.offset, length: raw.length, hash: copyHash(provider, text) };
    if (!isObject(record)) {
      assembler.addBad(text, where);
      continue;
    }
    const parsed = provider.read(record);
    assembler.add(parsed, where);
    for (const row of assembler.take().usage) addRow(responses, row);
    if (parsed.marks?.includes('session_header') === true) {
      copiedFrom = state.facts.parentId ?? copiedFrom;
      assembler.knowOrigin(origin && recordHashes(origin, provider));
    }
    known = !whole && isKnown(state);
  }
  for (const bytes of lastRecords(place, last)) {
    const record = parseLean(bytes);
    if (isObject(record)) noteTime(state, provider.read(record).ms);
  }
  const { facts } = state;
  return {
    path: file.path,
    provider: provider.id,
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
    whole: !known,
    copiedFrom,
    responses: [...responses.values()],
  };
}

/** The bytes of the last records of a log, which follow each other. */
function* lastRecords(
  path: string,
  places: readonly { readonly offset: number; readonly length: number }[],
): Generator<Buffer> {
  const fitting = places.filter(({ length }) => length <= MAX_RECORD_BYTES);
  const [first] = fitting;
  const last = fitting.at(-1);
  if (first === undefined || last === undefined) return;
  const bytes = readBytes(path, first.offset, last.offset + last.length - first.offset);
  for (const { offset, length } of fitting)
    if (bytes !== undefined) yield bytes.subarray(offset - first.offset, offset - first.offset + length);
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

/** Adds the facts and tokens of a record; turns, steps and calls are left out. */
function lightly(
  state: AssemblerState,
  given: ParsedRecord,
  provider: Provider,
  redact: (text: string) => string,
  skipping: boolean,
): UsageRow | undefined {
  const record = ofThisSession(given, state);
  // The record before it would have the time, or would say whose title it is, but may have been skipped.
  if (skipping && record.usage !== undefined && record.ms === undefined) throw new NeedsWhole();
  if (skipping && record.facts?.titleOf !== undefined) throw new NeedsWhole();
  const ms = noteTime(state, record.ms);
  mergeFacts(state, record.facts, redact);
  rememberLink(state, record);
  state.events += Math.max(1, record.parts.length);
  return usageOf(state, record, provider.id, 0, ms);
}

/** Whether a record may say something about tokens; undefined when every record may. */
function filterOf({ tokenRecords }: Provider): ((bytes: Buffer) => boolean) | undefined {
  if (tokenRecords === undefined) return undefined;
  const { words, within, shortWords = [] } = tokenRecords;
  const needles = words.map((word) => Buffer.from(word));
  const more = shortWords.map((word) => Buffer.from(word));
  const has = (bytes: Buffer, all: readonly Buffer[]) => {
    for (const needle of all) if (bytes.includes(needle)) return true;
    return false;
  };
  return (bytes) =>
    has(within === undefined || bytes.length <= within ? bytes : bytes.subarray(0, within), needles) ||
    (bytes.length < SHORT_BYTES && has(bytes, more));
}

/** Lines that repeat a response can raise its counts, but are never added up. */
function addRow(rows: Map<string, TokenRow>, row: UsageRow | undefined): void {
  if (row === undefined) return;
  const { response, ms, model, usage, lowerBound, relayed } = row;
  const before = rows.get(response);
  rows.set(
    response,
    before === undefined
      ? [response, ms, model, usage, lowerBound, relayed]
      : raised(before, usage, lowerBound, relayed),
  );
}

/** A row with the larger of two counts of the same response. */
export function raised(
  [response, ms, model, usage, lowerBound, relayed]: TokenRow,
  other: Usage,
  alsoLower: boolean,
  alsoRelayed: boolean,
): TokenRow {
  const larger = (name: keyof Usage) => Math.max(usage[name], other[name]);
  return [
    response,
    ms,
    model,
    {
      input: larger('input'),
      cached: larger('cached'),
      cacheWrite: larger('cacheWrite'),
      cacheWriteHour: larger('cacheWriteHour'),
      output: larger('output'),
      reasoning: larger('reasoning'),
      tool: larger('tool'),
    },
    lowerBound && alsoLower,
    relayed && alsoRelayed,
  ];
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
