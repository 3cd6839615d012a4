import { DAY_MS } from '../../contract/time.ts';
import type { EchoState } from './echoes.ts';
import type { SessionFacts, TurnRow } from './event-rows.ts';
import { isObject } from './log-json.ts';
import type { ProcessState } from './processes.ts';
import type { CallState, EarlyAnswer } from './tool-calls.ts';
import { NEW_USAGE, type UsageState } from './usage-tracker.ts';

/** Everything needed to continue after the last record; contains only hashes and redacted texts. */
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
  /** The agent itself marks the ends of responses. */
  marksSteps: boolean;
  /** Steps of this turn by the agent's response id. */
  readonly responses: Map<string, number>;
  /** A possible prompt, which starts a turn once the model answers. */
  possiblePrompt: { event: number; ms: number; prompt: string } | undefined;
  readonly calls: CallState;
  /** Answers to calls that have not been read yet, by the agent's call id. */
  readonly earlyAnswers: Map<string, EarlyAnswer>;
  readonly processes: ProcessState;
  readonly echoes: EchoState;
  readonly identities: Set<number>;
  /** Turns of recent records by the agent's record id, to see where a branch or a rewind starts. */
  readonly links: Map<string, number>;
  readonly usage: UsageState;
  replay: Replay | undefined;
  /** The end of a copied history was guessed, because its origin was unknown. */
  blindReplay: boolean;
  facts: SessionFacts;
  toolCalls: number;
  failures: number;
  /** Calls that a person rejected, and turns that a person stopped. */
  rejected: number;
  interrupted: number;
  steps: number;
  compactions: number;
  /** The last event that reports a compaction, and the one that it counts as. */
  lastCompaction: number;
  compactionEvent: number;
  snippet: string;
  lastPrompt: string;
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
    possiblePrompt: undefined,
    calls: new Map(),
    earlyAnswers: new Map(),
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
    rejected: 0,
    interrupted: 0,
    steps: 0,
    compactions: 0,
    lastCompaction: -100,
    compactionEvent: -1,
    snippet: '',
    lastPrompt: '',
    lastMessage: '',
    contextTokens: 0,
    badLines: 0,
    unknown: new Map(),
  };
}

/** A session starts with the oldest of this many first records; older records further down are copies. */
export const FIRST_RECORDS = 20;

/** A larger jump back in time means that the clock was corrected: the time before was wrong. */
const MAX_BACKWARD_MS = DAY_MS;

/** Notes the time of a record and returns it; a record without a time gets that of its predecessor. */
export function noteTime(state: AssemblerState, ms: number | undefined): number {
  if (ms === undefined) return state.ms;
  // Records before the first known time get that time.
  if (state.ms === 0 && state.turn !== undefined) state.turn.startMs = ms;
  const first = state.startMs === 0 || (ms < state.startMs && state.events < FIRST_RECORDS);
  if (first) state.startMs = ms;
  const back = ms < state.ms - MAX_BACKWARD_MS;
  if (back && state.turn !== undefined) state.turn.endMs = Math.max(state.turn.startMs, ms);
  if (ms > state.ms || back) state.ms = ms;
  return ms;
}

/** Long texts of calls, which are already stored. */
const STORED: ReadonlySet<string> = new Set(['about', 'error', 'errorClass', 'checkFailures', 'saidCommits']);

/** The state as text for the database. */
export function packState(state: AssemblerState): string {
  return JSON.stringify(state, (name, value: unknown) => {
    if (STORED.has(name)) return undefined;
    if (value instanceof Map) return { '~map': [...value] };
    if (value instanceof Set) return { '~set': [...value] };
    return value;
  });
}

/** The state from the database; undefined if another version wrote it, so that the log is read again. */
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
  // packState of this version wrote the text: every field was just compared with a new state.
  return sameShape ? ({ ...fresh, ...value } as AssemblerState) : undefined;
}
