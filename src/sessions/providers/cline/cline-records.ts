import type { ParsedRecord, Part } from '../../model/event.ts';
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
} from '../../model/log-json.ts';
import { exitCodeIn, outcomeOfFlag } from '../../model/outcome.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { fieldsNamed } from '../record-fields.ts';
import { answerPart, callPart, contentText, opaque, quiet, silentPart } from '../record-parts.ts';

export const clineTools = toolsNamed({
  read: ['read_files', 'read_file'],
  list: ['list_files'],
  write: ['write_to_file'],
  edit: ['editor', 'replace_in_file'],
  patch: ['apply_patch'],
  execute: ['run_commands', 'execute_command'],
  search: ['search_codebase', 'search_files', 'list_code_definition_names'],
  web: ['fetch_web_content', 'web_fetch', 'web_search', 'browser_action'],
  agent: ['spawn_agent', 'new_task', 'use_subagents'],
  plan: ['plan_mode_respond'],
  other: ['ask_question', 'skills', 'attempt_completion'],
});

/** Fields in the logs of version 3.0.65. */
export const clineFields = fieldsNamed({
  record: `version updated_at agent sessionId taskType origin system_prompt
    id role content ts modelInfo metrics metadata`,
  metrics: 'inputTokens outputTokens cacheReadTokens cacheWriteTokens cost totalCost',
  modelInfo: 'id provider family',
});

/** Reads the fields around the messages, or a message `{id, role, content, ts, modelInfo, metrics}`. */
export function readClineRecord(record: JsonObject): ParsedRecord {
  const ms = time(record.ts);
  if (record.role === undefined && record.sessionId !== undefined)
    return {
      // Without `updated_at`, which is the end of the session.
      ...quiet('header', record),
      facts: { id: filled(record.sessionId), version: filled(object(record.origin).version) },
    };
  const label = text(record.role) ?? '(no role)';
  const blocks =
    typeof record.content === 'string' ? [{ type: 'text', text: record.content }] : record.content;
  const parts = list(blocks).map(object);
  switch (record.role) {
    case 'user': {
      const found = parts.map(userPart);
      return { label, known: true, ms, parts: found.length > 0 ? found : [silentPart(record)] };
    }
    case 'assistant': {
      const found = parts.map((block) => answerPart(block, toolCall));
      return {
        label,
        known: true,
        ms,
        parts: found.length > 0 ? found : [silentPart(record)],
        response: filled(record.id),
        facts: { model: filled(object(record.modelInfo).id) },
        usage: usageOf(record),
      };
    }
    default:
      return opaque(label, record, ms);
  }
}

const TYPED = /^<user_input\b[^>]*>([\s\S]*)<\/user_input>$/;

function userPart(block: JsonObject): Part {
  if (block.type === 'tool_result') return toolResult(block);
  if (block.type !== 'text') return { type: 'notification', text: contentText(block) };
  const said = text(block.text) ?? '';
  const typed = TYPED.exec(said.trim())?.[1];
  if (typed === undefined && /^<[a-z_]+\b/.test(said)) return { type: 'notification', text: said };
  return { type: 'user', text: typed ?? said, prompt: true };
}

/** Arguments with the names that the other agents use. */
function toolCall(block: JsonObject): Part {
  const { old_text, new_text, files, commands, ...rest } = object(block.input);
  const paths = list(files).map((file) => (isObject(file) ? file.path : file));
  const lines = list(commands).map((command) => (isObject(command) ? command.command : command));
  return {
    ...callPart(filled(block.name) ?? 'tool', filled(block.id), block.input),
    args: {
      ...rest,
      ...(typeof old_text === 'string' ? { old_string: old_text } : {}),
      ...(typeof new_text === 'string'
        ? typeof old_text === 'string'
          ? { new_string: new_text }
          : { content: new_text }
        : {}),
      ...(paths.length > 0 ? { paths } : {}),
      ...(lines.length > 0 ? { command: lines.join('\n') } : {}),
    },
  };
}

/** A result is a list of `{query, result, error?, success}`, or the same as text. */
function toolResult(block: JsonObject): Part {
  const { content } = block;
  const parsed = typeof content === 'string' ? parseJson(content) : content;
  const answers = (Array.isArray(parsed) ? parsed : [parsed])
    .filter(isObject)
    .filter(({ query }) => query !== undefined);
  const output =
    answers.length > 0
      ? answers.map((answer) => contentText(answer.result ?? answer.error ?? '')).join('\n')
      : contentText(content);
  const failed = block.is_error === true || answers.some(({ success }) => success === false);
  const outcome = outcomeOfFlag(failed, output);
  return {
    type: 'tool_result',
    text: output,
    callId: filled(block.tool_use_id),
    ...outcome,
    exitCode: failed ? (outcome.exitCode ?? exitCodeIn(text(answers.at(-1)?.error) ?? '')) : undefined,
  };
}

function usageOf(record: JsonObject): ParsedRecord['usage'] {
  if (!isObject(record.metrics)) return undefined;
  const { metrics } = record;
  const cached = count(metrics.cacheReadTokens);
  const cacheWrite = count(metrics.cacheWriteTokens);
  return {
    id: `cline:${text(record.id)}:${count(record.ts)}`,
    model: filled(object(record.modelInfo).id),
    usage: {
      input: Math.max(0, count(metrics.inputTokens) - cached - cacheWrite),
      cached,
      cacheWrite,
      cacheWriteHour: 0,
      output: count(metrics.outputTokens),
      reasoning: 0,
      tool: 0,
    },
  };
}
