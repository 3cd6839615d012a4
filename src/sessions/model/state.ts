import { DAY_MS } from '../../contract/time.ts';
import type { EchoState } from './echoes.ts';
import type { SessionFacts, TurnRow } from './event-rows.ts';
import { isObject } from './log-json.ts';
import type { ProcessState } from './processes.ts';
import type { CallState, EarlyAnswer } from './tool-calls.ts';
import { NEW_USAGE, type UsageState } from './usage-tracker.ts';

/** All that is needed to go on where the last record ended; holds hashes and redacted words only. */
export interface AssemblerState {
  events: number;
  ms: number;
  startMs: number;
  turns: number;
  turn: TurnRow | undefined;
  /** Index of the step in its turn; -1 before the first. */
  step: number;
  stepEnded: boolean;
  /** A tool has answered since the model last spoke. */
  answered: boolean;
  /** The client marks the ends of responses itself. */
  marksSteps: boolean;
  /** Steps of this turn by the client's response id. */
  readonly responses: Map<string, number>;
  /** A possible prompt that begins a turn once the model answers. */
  maybe: { event: number; ms: number; prompt: string } | undefined;
  readonly calls: CallState;
  /** Answers by the client's id of their call, which has not been read yet. */
  readonly early: Map<string, EarlyAnswer>;
  readonly processes: ProcessState;
  readonly echoes: EchoState;
  readonly identities: Set<number>;
  /** Turn of recent records by the client's id, to see where a branch or a rewind leaves. */
  readonly links: Map<string, number>;
  readonly usage: UsageState;
  replay: Replay | undefined;
  /** The end of a copied history was guessed, because its origin was not known. */
  blindReplay: boolean;
  facts: SessionFacts;
  toolCalls: number;
  failures: number;
  steps: number;
  compactions: number;
  lastCompaction: number;
  snippet: string;
  lastMessage: string;
  contextTokens: number;
  badLines: number;
  /** Unknown records by label. */
  readonly unknown: Map<string, number>;
}

/** A copied history that is being read. */
export interface Replay {
  readonly sinceMs: number;
}

export function newState(): AssemblerState {
  return {
    events: 0,
    ms: 0,
    startMs: 0,
    turns: 0,
    turn: undefined,
    step: -1,
    stepEnded: false,
    answered: false,
    marksSteps: false,
    responses: new Map(),
    maybe: undefined,
    calls: new Map(),
    early: new Map(),
    processes: new Map(),
    echoes: new Map(),
    identities: new Set(),
    links: new Map(),
    usage: { ...NEW_USAGE },
    replay: undefined,
    blindReplay: false,
    facts: {},
    toolCalls: 0,
    failures: 0,
    steps: 0,
    compactions: 0,
    lastCompaction: -100,
    snippet: '',
    lastMessage: '',
    contextTokens: 0,
    badLines: 0,
    unknown: new Map(),
  };
}

/** A session begins with the oldest of its first records; copies of older records further down do not move it. */
const FIRST_RECORDS = 20;

/** A time that lies further back than this shows that the one before was wrong: the clock was set. */
const CLOCK_SET_MS = DAY_MS;

/** Follows the time of records and says the time of this one; one without has that of the record before. */
export function noteTime(state: AssemblerState, ms: number | undefined): number {
  if (ms === undefined) return state.ms;
  // What came before the first time that is known is as old as it.
  if (state.ms === 0 && state.turn !== undefined) state.turn.startMs = ms;
  const first = state.startMs === 0 || (ms < state.startMs && state.events < FIRST_RECORDS);
  if (first) state.startMs = ms;
  const back = ms < state.ms - CLOCK_SET_MS;
  if (back && state.turn !== undefined) state.turn.endMs = Math.max(state.turn.startMs, ms);
  if (ms > state.ms || back) state.ms = ms;
  return ms;
}

/** The state as text for the database. */
export function packState(state: AssemblerState): string {
  return JSON.stringify(state, (_, value: unknown) => {
    if (value instanceof Map) return { '~map': [...value] };
    if (value instanceof Set) return { '~set': [...value] };
    return value;
  });
}

/** The state back from the database; a text of another version gives undefined, and the log is read anew. */
export function unpackState(packed: string): AssemblerState | undefined {
  let value: unknown;
  try {
    value = JSON.parse(packed, (_, item: unknown) => {
      if (isObject(item) && Array.isArray(item['~map'])) return new Map(item['~map']);
      if (isObject(item) && Array.isArray(item['~set'])) return new Set(item['~set']);
      return item;
    });
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const fresh = newState();
  const sameShape = Object.entries(fresh).every(
    ([name, initial]) => initial === undefined || value[name]?.constructor === initial.constructor,
  );
  // The text was written by packState of this version: every field was just compared with a fresh state.
  return sameShape ? ({ ...fresh, ...value } as AssemblerState) : undefined;
}
