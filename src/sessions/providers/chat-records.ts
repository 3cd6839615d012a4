import type { ParsedRecord, Part, Usage } from '../model/event.ts';
import {
  count,
  filled,
  isObject,
  type JsonObject,
  list,
  object,
  parseJson,
  text,
  time,
} from '../model/log-json.ts';
import { type Outcome, outcomeOfFlag } from '../model/outcome.ts';
import { callPart, opaque, quiet, silentPart } from './record-parts.ts';

/*
 * Agents that keep whole chats in a database or in one document have messages that differ only in the names of their
 * fields. Their stores turn them into these records.
 */

/** The session; the first record of a chat. */
export interface ChatSession {
  readonly type: 'session';
  readonly id: string;
  readonly cwd?: string | undefined;
  readonly title?: string | undefined;
  readonly model?: string | undefined;
  readonly version?: string | undefined;
  readonly parentId?: string | undefined;
  readonly at?: unknown;
}

export interface ChatPrompt {
  readonly type: 'user';
  readonly text: string;
  /** A command for the agent itself; see {@link Part.command}. */
  readonly command?: boolean;
  readonly at?: unknown;
}

/** What the model answered. */
export interface ChatAnswer {
  readonly type: 'assistant';
  readonly id: string;
  readonly at?: unknown;
  readonly model?: string | undefined;
  readonly blocks: readonly ChatBlock[];
  readonly usage?: ChatUsage | undefined;
}

export type ChatBlock =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | {
      readonly type: 'call';
      readonly id: string | undefined;
      readonly name: string;
      readonly args: unknown;
      /** The agent logs no results. */
      readonly unanswered?: true;
    };

/** Tokens of an answer; `input` excludes what was read from or written to a cache. */
export type ChatUsage = Readonly<
  Partial<Record<'input' | 'cached' | 'cacheWrite' | 'output' | 'reasoning', number>>
>;

/** What tools answered. */
export interface ChatResults {
  readonly type: 'results';
  readonly at?: unknown;
  readonly results: readonly {
    readonly id: string | undefined;
    readonly output: string;
    /** Undefined if the agent does not say. */
    readonly failed: boolean | undefined;
    readonly exitCode?: number | undefined;
  }[];
}

/** The agent's own totals for the session, by model; this record comes last, since it changes with every message. */
export interface ChatTotals {
  readonly type: 'totals';
  readonly models: Readonly<Record<string, ChatUsage>>;
}

/** Something that the store does not know. */
export interface ChatOther {
  readonly type: 'other';
  readonly label: string;
  readonly record: unknown;
  readonly at?: unknown;
}

export type ChatRecord = ChatSession | ChatPrompt | ChatAnswer | ChatResults | ChatTotals | ChatOther;

/** A record as the index stores it: without undefined fields. */
export function chatRecord(record: object): JsonObject {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

/** Reads the records of such an agent. */
export function chatReader(agent: string): (record: JsonObject) => ParsedRecord {
  return (record) => {
    const ms = time(record.at);
    switch (record.type) {
      case 'session':
        return { ...quiet('session', record, ms), facts: sessionFacts(record) };
      case 'user':
        return {
          label: 'user',
          known: true,
          ms,
          parts: [promptPart(record)],
        };
      case 'assistant':
        return answer(agent, record, ms);
      case 'results':
        return {
          label: 'results',
          known: true,
          ms,
          parts: list(record.results).map((one) => resultPart(object(one))),
        };
      case 'totals': {
        const models = Object.entries(object(record.models)).map(([model, used]) => [
          model,
          usageOf(object(used)),
        ]);
        return { ...quiet('totals', record), facts: { clientUsage: Object.fromEntries(models) } };
      }
      case 'other':
        return opaque(text(record.label) ?? 'other', object(record.record), ms);
      default:
        return opaque(text(record.type) ?? '(no type)', record, ms);
    }
  };
}

function promptPart(record: JsonObject): Part {
  const command = record.command === true;
  return { type: 'user', text: text(record.text) ?? '', prompt: !command, command };
}

function sessionFacts(record: JsonObject): ParsedRecord['facts'] {
  const parentId = filled(record.parentId);
  return {
    id: filled(record.id),
    cwd: filled(record.cwd),
    title: filled(record.title),
    model: filled(record.model),
    version: filled(record.version),
    ...(parentId === undefined ? {} : { parentId, relation: 'subagent' as const }),
  };
}

function answer(agent: string, record: JsonObject, ms: number | undefined): ParsedRecord {
  const id = filled(record.id);
  const parts = list(record.blocks).map((one): Part => {
    const block = object(one);
    if (block.type === 'call') {
      const args = usualNames(block.args);
      const part = callPart(filled(block.name) ?? 'tool', filled(block.id), block.args);
      return { ...part, args, ...(block.unanswered === true && { status: 'unknown' }) };
    }
    return { type: block.type === 'thinking' ? 'reasoning' : 'message', text: text(block.text) ?? '' };
  });
  const model = filled(record.model);
  return {
    label: 'assistant',
    known: true,
    ms,
    parts: parts.length > 0 ? parts : [silentPart(record)],
    response: id,
    facts: { model },
    usage: isObject(record.usage) ? { id: `${agent}:${id}`, model, usage: usageOf(record.usage) } : undefined,
  };
}

/** Arguments with the names that the other agents use. */
function usualNames(given: unknown): JsonObject {
  const args = object(typeof given === 'string' ? parseJson(given) : given);
  const usual: Record<string, unknown> = { ...args };
  const copy = (to: string, ...from: readonly string[]) => {
    const found = from.map((name) => args[name]).find((value) => typeof value === 'string');
    if (found !== undefined && usual[to] === undefined) usual[to] = found;
  };
  copy('old_string', 'old_str', 'oldString', 'old_text', 'oldText');
  copy('new_string', 'new_str', 'newString', 'new_text', 'newText');
  copy('file_path', 'filePath', 'target_file', 'relative_workspace_path');
  copy('command', 'cmd');
  return usual;
}

function resultPart({ id, output, failed, exitCode }: JsonObject): Part {
  const said = text(output) ?? '';
  const outcome: Outcome =
    failed === undefined ? { status: 'unknown' } : outcomeOfFlag(failed === true, said);
  return {
    type: 'tool_result',
    text: said,
    callId: filled(id),
    ...outcome,
    exitCode: typeof exitCode === 'number' ? exitCode : outcome.exitCode,
  };
}

/** Tokens as the index counts them. */
export function usageOf(used: JsonObject): Usage {
  return {
    input: count(used.input),
    cached: count(used.cached),
    cacheWrite: count(used.cacheWrite),
    cacheWriteHour: 0,
    output: count(used.output),
    reasoning: count(used.reasoning),
    tool: 0,
  };
}
