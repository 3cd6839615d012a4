import type { LineCounts } from './line-counts.ts';
import type { JsonObject } from './log-json.ts';

export const EVENT_TYPES = [
  'user',
  'message',
  'reasoning',
  'tool_call',
  'tool_result',
  'token_usage',
  'notification',
  'interrupt',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export const TOOL_STATUSES = ['ok', 'failed', 'rejected', 'cancelled', 'pending', 'unknown'] as const;
/**
 * `rejected`: a person was asked about the call and said no; `cancelled`: they or the agent stopped it; `pending`: its
 * result is still to come; `unknown`: the agent does not record how its calls end.
 */
export type ToolStatus = (typeof TOOL_STATUSES)[number];

/** Statuses of calls that did what they were asked to, as far as the log tells. */
const HAPPENED: readonly ToolStatus[] = ['ok', 'pending', 'unknown'];
export const HAPPENED_IN_SQL = `(${HAPPENED.map((status) => `'${status}'`).join(', ')})`;

export function hasHappened(status: ToolStatus): boolean {
  return HAPPENED.includes(status);
}

/** Tokens of one response. `input` is what was neither read from nor written to a cache. */
export interface Usage {
  readonly input: number;
  readonly cached: number;
  readonly cacheWrite: number;
  /** The part of those writes that is cached for an hour and costs more. */
  readonly cacheWriteHour: number;
  /** Everything the model wrote, reasoning included. */
  readonly output: number;
  readonly reasoning: number;
  /** Tokens of tool definitions and results that the agent counts separately. */
  readonly tool: number;
}

/** One thing that a log record says. A record has at least one part; events are made of parts. */
export interface Part {
  readonly type: EventType;
  /** The exact and complete text of the event, decoded. */
  readonly text: string;
  /** A typed prompt, which starts a turn. */
  readonly prompt?: boolean;
  /** A command for the agent, such as `/exit`; what was typed counts as a user's message only if the model answers. */
  readonly command?: boolean;
  readonly name?: string | undefined;
  readonly callId?: string | undefined;
  readonly args?: JsonObject | undefined;
  readonly status?: ToolStatus | undefined;
  readonly exitCode?: number | undefined;
  /** The words of the person who rejected the call. */
  readonly said?: string | undefined;
  /** How long the tool ran, if the agent says so. */
  readonly durationMs?: number | undefined;
  /** The agent's name for a process that keeps running after a result, or that a call continues. */
  readonly process?: string | undefined;
  /** The session that this call started. */
  readonly agentId?: string | undefined;
  /** How many calls were made by the subagent that this call started. */
  readonly agentCalls?: number | undefined;
  /** Files that the record itself names as read or changed. */
  readonly touches?: readonly Touch[] | undefined;
  /** The file with the whole output, when the log has only its beginning. */
  readonly spilledTo?: string | undefined;
  /** The whole output, once it has been read from that file. */
  readonly whole?: string | undefined;
  /** Not worth finding: prompts of the vendor, repeated state, progress ticks. */
  readonly silent?: boolean;
  /** Repeats another record; shown only when that one is missing. */
  readonly echo?: boolean;
  /** Identifies the part in the session: it is added only once, however often its record is rewritten. */
  readonly identity?: string | undefined;
  /** Text that search sees where it differs from `text`. */
  readonly searchText?: string | undefined;
}

export type TouchAction = 'read' | 'write' | 'edit' | 'delete';

export interface Touch {
  readonly path: string;
  readonly action: TouchAction;
  /** Lines that the change adds and removes, if known. */
  readonly lines?: LineCounts | undefined;
}

/** What a record says about its session as a whole; later records win unless stated otherwise. */
export interface Facts {
  readonly id?: string | undefined;
  readonly cwd?: string | undefined;
  readonly projectHash?: string | undefined;
  readonly branch?: string | undefined;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  readonly title?: string | undefined;
  /** The record that the title belongs to; the title is another session's if this session does not have it. */
  readonly titleOf?: string | undefined;
  readonly parentId?: string | undefined;
  readonly relation?: Relation | undefined;
  readonly agentName?: string | undefined;
  readonly contextWindow?: number | undefined;
  /** Totals that the agent itself keeps for the session, by model. */
  readonly clientUsage?: Readonly<Record<string, Usage>> | undefined;
}

export type Relation = 'subagent' | 'fork' | 'continuation';

/** What a record means for turns and steps, besides adding events. */
export type Mark =
  /** The next thing the model says is a new response. */
  | 'step_end'
  /** The same, if a tool has answered since. */
  | 'request'
  | 'turn_end'
  | 'turn_failed'
  | 'interrupted'
  | 'compaction'
  /** Names the session that the records after it come from; a fork begins with those of its origin. */
  | 'session_header';

/** A parsed log record that has no place in the session yet. */
export interface ParsedRecord {
  /** What the agent calls it, such as `assistant` or `event_msg/token_count`. */
  readonly label: string;
  /** False for a record type that this version does not know. */
  readonly known: boolean;
  readonly ms?: number | undefined;
  readonly parts: readonly Part[];
  /** Parts with the same response id form one step. */
  readonly response?: string | undefined;
  readonly usage?: ResponseUsage | undefined;
  readonly facts?: Facts | undefined;
  readonly marks?: readonly Mark[] | undefined;
  /** Tokens of the context that was compacted, as the agent itself counted them. */
  readonly compactedTokens?: number | undefined;
  /** Turns to undo: the last few, or all after a message. */
  readonly rewind?: { readonly turns: number } | { readonly toMessage: string } | undefined;
  readonly sidechain?: boolean | undefined;
  /** A running call: when it began, and how many calls its subagent makes in this record. */
  readonly running?: Running | undefined;
  /** The record's id and its predecessor's, if the agent links them. */
  readonly link?: { readonly id: string; readonly parent: string | undefined } | undefined;
}

export interface Running {
  readonly callId: string;
  readonly ms?: number | undefined;
  readonly calls?: number | undefined;
}

export interface ResponseUsage {
  /** The same response has the same id in every file. */
  readonly id?: string | undefined;
  readonly usage: Usage;
  /** The running total of the thread, for logs that have no count per response. */
  readonly cumulative?: Usage | undefined;
  readonly model?: string | undefined;
  /** The agent did not write the final count. */
  readonly lowerBound?: boolean | undefined;
  /** It comes before the parts of its response. */
  readonly ahead?: boolean | undefined;
  /** A subagent's response that the log only reports: it belongs to the log of the subagent, if there is one. */
  readonly relayed?: boolean | undefined;
}

export const NO_USAGE: Usage = {
  input: 0,
  cached: 0,
  cacheWrite: 0,
  cacheWriteHour: 0,
  output: 0,
  reasoning: 0,
  tool: 0,
};

/** All tokens of a response; reasoning is part of output. */
export function totalTokens(usage: Usage): number {
  return usage.input + usage.cached + usage.cacheWrite + usage.output + usage.tool;
}
