import type { ParsedRecord, Part, Usage } from '../../model/event.ts';
import {
  count,
  filled,
  isObject,
  type JsonObject,
  number,
  object,
  text,
  time,
} from '../../model/log-json.ts';
import { exitCodeIn, outcomeOfFlag } from '../../model/outcome.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { callPart, contentText, opaque, quiet, silentPart } from '../record-parts.ts';

export const kimiTools = toolsNamed({
  read: ['read', 'readfile', 'readmediafile', 'glimpse'],
  write: ['write', 'writefile'],
  edit: ['edit', 'strreplacefile'],
  execute: ['bash', 'shell', 'taskoutput', 'taskstop'],
  search: ['grep', 'glob', 'toolsearch'],
  web: ['websearch', 'searchweb', 'fetchurl', 'webfetch'],
  agent: ['agent', 'agentswarm', 'task'],
  plan: ['todolist', 'settodolist', 'enterplanmode', 'exitplanmode', 'updategoal', 'creategoal', 'getgoal'],
  other: ['skill', 'askuserquestion', 'think', 'croncreate', 'cronlist', 'crondelete'],
});

/** Records that only keep state: settings, counters, snapshots of prompts and tools, copies of other records. */
const QUIET =
  /^(?:metadata|runtime\.\w+|profile\.\w+|permission\.[\w.]+|config\.\w+|tools\.\w+|llm\.(?:tools_snapshot|request)|token_counting\.\w+|file_history\.\w+|prompt\.\w+|subagent\.\w+|agent\.[\w.]+|turn\.(?:started|ended|steer|cancel|reminders_consumed|pause|continue|done)|usage\.\w+|forked|goal\.[\w.]+|plan(?:_mode)?\.\w+|skill\.\w+|swarm_mode\.\w+|task\.\w+|cron\.\w+|todo\.\w+|plugin\.\w+|session\.[\w.]+|mcp\.[\w.]+|micro_compaction\.\w+|full_compaction\.(?:begin|cancel)|compaction\.(?:started|cancelled|blocked)|context\.(?:undo|undone|reset|clear|update_\w+|splice))$/;

/** Reads a line of `wire.jsonl`, protocol 1.1 to 1.5. */
export function readKimiRecord(record: JsonObject): ParsedRecord {
  const type = text(record.type) ?? '(no type)';
  const ms = time(record.time) ?? time(record.created_at);
  const base = { label: type, known: true, ms };
  switch (type) {
    case 'turn.prompt':
      return { ...base, parts: [asked(record.input, object(record.origin))] };
    case 'context.append_message': {
      const message = object(record.message);
      return message.role === 'user'
        ? { ...base, parts: [asked(message.content, object(message.origin))] }
        : quiet(type, record, ms);
    }
    case 'context.append_loop_event':
      return loopEvent(object(record.event), record, ms);
    case 'llm.request':
      return { ...quiet(type, record, ms), facts: { model: filled(record.model) } };
    case 'usage.record':
      // The end of a step repeats these tokens; other requests have only this record.
      return record.usageScope === 'turn'
        ? quiet(type, record, ms)
        : { ...quiet(type, record, ms), usage: usageOf(record.usage, `other:${count(record.time)}`) };
    case 'context.apply_compaction':
    case 'full_compaction.complete':
    case 'compaction.completed':
      return { ...quiet(type, record, ms), marks: ['compaction'] };
    case 'turn.failed':
    case 'turn.aborted': {
      const said = filled(object(record.error).message) ?? filled(record.reason) ?? type;
      return {
        ...base,
        parts: [{ type: 'notification', text: said }],
        marks: [type === 'turn.failed' ? 'turn_failed' : 'interrupted'],
      };
    }
    case 'turn.ended':
      return {
        ...quiet(type, record, ms),
        marks:
          record.reason === 'cancelled' || record.reason === 'aborted'
            ? ['interrupted']
            : record.reason === 'failed' || record.reason === 'error'
              ? ['turn_failed']
              : [],
      };
    default:
      return QUIET.test(type) ? quiet(type, record, ms) : opaque(type, record, ms);
  }
}

/** A prompt is written twice: as typed and as sent. The client's reminders have another origin. */
function asked(content: unknown, origin: JsonObject): Part {
  const said = contentText(content);
  const typed = origin.kind === undefined || origin.kind === 'user' || origin.name === 'subagent';
  return typed
    ? { type: 'user', text: said, prompt: true, echo: true }
    : { type: 'notification', text: said, silent: true };
}

function loopEvent(event: JsonObject, record: JsonObject, ms: number | undefined): ParsedRecord {
  const kind = text(event.type) ?? '(no type)';
  const base = { label: `loop/${kind}`, known: true, ms, response: filled(event.stepUuid) };
  switch (kind) {
    case 'content.part':
      return { ...base, parts: [spoken(object(event.part))] };
    case 'tool.call':
      return { ...base, parts: [toolCall(event)] };
    case 'tool.result':
      return { ...base, parts: [toolResult(event)] };
    case 'step.end':
      return {
        ...base,
        parts: [silentPart(record)],
        usage: usageOf(event.usage, filled(event.messageId) ?? filled(event.uuid) ?? ''),
        marks: ['step_end'],
      };
    case 'step.begin':
      return { ...base, parts: [silentPart(record)] };
    default:
      return opaque(base.label, record, ms);
  }
}

function spoken(part: JsonObject): Part {
  const thought = filled(part.think);
  if (part.type === 'think') return { type: 'reasoning', text: thought ?? '(encrypted)' };
  return { type: 'message', text: text(part.text) ?? contentText(part) };
}

function toolCall(event: JsonObject): Part {
  const { old, new: now, ...rest } = object(event.args);
  return {
    ...callPart(filled(event.name) ?? 'tool', filled(event.toolCallId), event.args),
    args: {
      ...rest,
      ...(old === undefined ? {} : { old_string: old }),
      ...(now === undefined ? {} : { new_string: now }),
    },
  };
}

const EXIT_CODE = /Command failed with exit code: (-?\d{1,10})\.?\s*$/;

function toolResult(event: JsonObject): Part {
  const result = object(event.result);
  const output = contentText(result.output);
  const exit = EXIT_CODE.exec(output.slice(-200))?.[1];
  const outcome = outcomeOfFlag(result.isError === true, output);
  return {
    type: 'tool_result',
    text: output,
    callId: filled(event.toolCallId),
    ...outcome,
    exitCode: exit === undefined ? exitCodeIn(output) : Number(exit),
    durationMs: number(result.durationMs),
  };
}

function usageOf(value: unknown, id: string): ParsedRecord['usage'] {
  if (!isObject(value)) return undefined;
  const usage: Usage = {
    input: count(value.inputOther),
    cached: count(value.inputCacheRead),
    cacheWrite: count(value.inputCacheCreation),
    cacheWriteHour: 0,
    output: count(value.output),
    reasoning: 0,
    tool: 0,
  };
  return { id: `kimi:${id}`, usage };
}
