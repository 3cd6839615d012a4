import type { Facts, ParsedRecord, Part } from '../../model/event.ts';
import {
  filled,
  type JsonObject,
  list,
  number,
  object,
  parseJson,
  text,
  time,
} from '../../model/log-json.ts';
import { exitCodeIn, outcomeOfFlag } from '../../model/outcome.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { fieldsNamed } from '../record-fields.ts';
import {
  answerPart,
  callPart,
  contentText,
  opaque,
  quiet,
  silentPart,
  splitBlocks,
} from '../record-parts.ts';

export const droidTools = toolsNamed({
  read: ['read'],
  list: ['ls'],
  write: ['create'],
  edit: ['edit', 'multiedit'],
  patch: ['applypatch'],
  execute: ['execute', 'taskoutput', 'taskstop'],
  search: ['grep', 'glob', 'toolsearch'],
  web: ['websearch', 'fetchurl'],
  agent: ['task'],
  plan: ['todowrite', 'exitspecmode'],
  other: ['skill', 'generateimage'],
});

/** Fields in the logs of version 0.215. */
export const droidFields = fieldsNamed({
  record: `type id parentId timestamp message title sessionTitle owner version cwd hostId isSessionTitleManuallySet
    parent callingSessionId callingToolUseId turnId reason resultKind todos messageIndex summaryText summaryTokens
    anchorMessage removedCount summaryKind systemInfo`,
  message: `role content interactionMode visibility openaiMessageId chatCompletionReasoningField
    chatCompletionReasoningContent modelId reasoningEffort id`,
});

const QUIET = /^(?:todo_state|agent_turn_outcome|session_end)$/;

/** Reads a line of a session: a header, then `{type: message, id, parentId, timestamp, message}`. */
export function readDroidRecord(record: JsonObject): ParsedRecord {
  const type = text(record.type) ?? '(no type)';
  const ms = time(record.timestamp);
  switch (type) {
    case 'session_start':
      return { ...quiet(type, record, ms), facts: headerFacts(record) };
    case 'message':
      return { ms, ...message(object(record.message), record) };
    case 'compaction_state':
      return {
        label: type,
        known: true,
        ms,
        parts: [{ type: 'notification', text: filled(record.summaryText) ?? 'context compacted' }],
        marks: ['compaction'],
      };
    default:
      return QUIET.test(type) ? quiet(type, record, ms) : opaque(type, record, ms);
  }
}

function headerFacts(header: JsonObject): Facts {
  const parentId = filled(header.callingSessionId);
  return {
    id: filled(header.id),
    cwd: filled(header.cwd),
    title: header.isSessionTitleManuallySet === true ? filled(header.title) : undefined,
    ...(parentId === undefined ? {} : { parentId, relation: 'subagent' as const }),
  };
}

function message(said: JsonObject, record: JsonObject): ParsedRecord {
  const label = `message/${text(said.role) ?? '(no role)'}`;
  const blocks = list(said.content).map(object);
  const found =
    said.role === 'assistant'
      ? blocks.map((block) => answerPart(block, toolCall))
      : said.role === 'user'
        ? blocks.map((block) => userPart(block, said.visibility === 'user_only'))
        : undefined;
  if (found === undefined) return opaque(label, record);
  return {
    label,
    known: true,
    parts: found.length > 0 ? found : [silentPart(record)],
    ...(said.role === 'assistant'
      ? { response: filled(record.id), facts: { model: filled(said.modelId) } }
      : {}),
  };
}

/** The client adds reminders to what was typed, and writes its own errors as messages that only people see. */
function userPart(block: JsonObject, notice: boolean): Part {
  if (block.type === 'tool_result') return toolResult(block);
  if (block.type !== 'text' || notice) return { type: 'notification', text: contentText(block) };
  const { typed, blocks } = splitBlocks(text(block.text) ?? '', /^system-(?:reminder|notification)$/);
  return typed === '' ? { type: 'notification', text: blocks } : { type: 'user', text: typed, prompt: true };
}

function toolCall(block: JsonObject): Part {
  const { old_str, new_str, changes, ...rest } = object(block.input);
  return {
    ...callPart(filled(block.name) ?? 'tool', filled(block.id), block.input),
    args: {
      ...rest,
      ...(old_str === undefined ? {} : { old_string: old_str }),
      ...(new_str === undefined ? {} : { new_string: new_str }),
      ...(changes === undefined ? {} : { edits: changes }),
    },
  };
}

function toolResult(block: JsonObject): Part {
  const output = contentText(block.content);
  const outcome = outcomeOfFlag(block.is_error === true, output);
  const edited = object(parseJson(output));
  const path = filled(edited.file_path);
  const [added, removed] = [number(edited.linesAdded), number(edited.linesRemoved)];
  return {
    type: 'tool_result',
    text: output,
    callId: filled(block.tool_use_id),
    ...outcome,
    exitCode: block.is_error === true ? (outcome.exitCode ?? exitCodeIn(output)) : undefined,
    ...(path === undefined || added === undefined || removed === undefined
      ? {}
      : { touches: [{ path, action: 'edit' as const, lines: { added, removed } }] }),
  };
}
