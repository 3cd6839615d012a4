import type { Facts, Mark, ParsedRecord, Part, Usage } from '../../model/event.ts';
import {
  count,
  filled,
  isObject,
  type JsonObject,
  list,
  number,
  object,
  text,
  time,
} from '../../model/log-json.ts';
import { contentText, opaque, quiet, splitBlocks } from '../record-parts.ts';
import { assistantRecord, progressUsage } from './claude-assistant.ts';
import { toolResult } from './claude-results.ts';

/** Records that only keep state: they are stored but not searched. */
const STATE = new Set([
  'file-history-snapshot',
  'queue-operation',
  'last-prompt',
  'agent-setting',
  'permission-mode',
  'mode',
  'bridge-session',
  'tools-used',
  'atis-latch',
  'api-request',
  'api-request-shape',
  'api-request-blob',
  'content-replacement',
  'worktree-state',
]);

/** Attachments with the vendor's prompts or lists, not with anything that happened. */
const NOISE =
  /(?:_delta|_listing|snapshot|_mode|instructions|environment|session_context|model|date|reminder)$/;

const SYSTEM_KNOWN = new Set([
  '',
  'compact_boundary',
  'microcompact_boundary',
  'turn_duration',
  'stop_hook_summary',
  'local_command',
  'api_error',
  'away_summary',
  'informational',
  'bridge_status',
  'api_metrics',
]);

/** Text that the agent sends in the user's name. */
const INJECTED =
  /^\s*(?:<(?:local-command-\w+|bash-(?:input|stdout|stderr)|system-reminder|user-prompt-submit-hook|task-notification|ide_\w+|user-memory-input|new-diagnostics)\b|Caveat: The messages below|This session is being continued from a previous)/;
/** Blocks of such text that can occur next to what was typed. */
const BLOCKS = /^(?:ide_\w+|system-reminder|new-diagnostics|user-prompt-submit-hook|session-start-hook)$/;
const COMMAND = /^\s*<command-(?:name|message)>/;
const INTERRUPTED = /^\[Request interrupted by user/;

/** Reads Claude Code logs: `~/.claude/projects/<slug>/<session>.jsonl`. */
export function readClaudeRecord(record: JsonObject): ParsedRecord {
  const ms = time(record.timestamp);
  const type = text(record.type) ?? '';
  const base = { ...envelope(record), ms };
  switch (type) {
    case 'user':
      return { ...base, ...userRecord(record) };
    case 'assistant':
      return withModel(base, assistantRecord(record));
    case 'system':
      return { ...base, ...systemRecord(record) };
    case 'attachment':
      return { ...base, ...attachmentRecord(record) };
    case 'summary':
    case 'custom-title':
    case 'ai-title':
      return { ...base, ...titleRecord(type, record, base.facts) };
    case 'progress':
      return {
        ...base,
        ...quiet(type, record, ms),
        usage: progressUsage(record),
        running: runningCall(record, ms),
      };
    case 'agent-name':
      return {
        ...base,
        ...quiet(type, record, ms),
        facts: { ...base.facts, agentName: filled(record.agentName) },
      };
    case 'pr-link':
      return { ...base, label: type, known: true, parts: [note(filled(record.prUrl) ?? '')] };
    case 'cost-state':
      return {
        ...base,
        ...quiet(type, record, ms),
        facts: { ...base.facts, clientUsage: clientUsage(record.modelUsage) },
      };
    default:
      return {
        ...base,
        ...(STATE.has(type) ? quiet(type, record, ms) : opaque(type || '(no type)', record, ms)),
      };
  }
}

type Body = Pick<ParsedRecord, 'label' | 'known' | 'parts'> & Partial<ParsedRecord>;

function envelope(record: JsonObject): Partial<ParsedRecord> {
  const agentId = filled(record.agentId);
  const session = filled(record.sessionId) ?? filled(record.session_id);
  const uuid = filled(record.uuid);
  const isAgent = record.isSidechain === true && agentId !== undefined;
  const forkedFrom = filled(object(record.forkedFrom).sessionId);
  const cwd = filled(record.cwd);
  const branch = filled(record.gitBranch);
  const version = filled(record.version);
  const facts: Facts = {
    ...(isAgent ? { id: agentId, parentId: session, relation: 'subagent' as const } : { id: session }),
    ...(forkedFrom === undefined || isAgent ? {} : { parentId: forkedFrom, relation: 'fork' as const }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(branch === undefined ? {} : { branch }),
    ...(version === undefined ? {} : { version }),
  };
  return {
    facts,
    sidechain: record.isSidechain === true && agentId === undefined,
    ...(uuid === undefined ? {} : { link: { id: uuid, parent: filled(record.parentUuid) } }),
  };
}

function withModel(base: Partial<ParsedRecord>, body: Body & { model?: string | undefined }): ParsedRecord {
  const { model, ...rest } = body;
  return { ...base, ...rest, facts: model === undefined ? base.facts : { ...base.facts, model } };
}

function note(content: string): Part {
  return { type: 'notification', text: content };
}

function userRecord(record: JsonObject): Body {
  const message = object(record.message);
  const results = list(message.content).filter((block) => object(block).type === 'tool_result');
  const rest = Array.isArray(message.content)
    ? message.content.filter((block) => object(block).type !== 'tool_result')
    : message.content;
  const parts: Part[] = results.map((block) => toolResult(object(block), record));
  const { typed: said, blocks } = splitBlocks(contentText(rest), BLOCKS);
  const marks: Mark[] = [];
  if (said !== '' || (parts.length === 0 && blocks === '')) {
    const origin = filled(object(record.origin).kind);
    const injected =
      record.isMeta === true ||
      record.isCompactSummary === true ||
      record.isVisibleInTranscriptOnly === true ||
      record.promptSource === 'system' ||
      (origin !== undefined && origin !== 'human' && origin !== 'user') ||
      INJECTED.test(said);
    if (INTERRUPTED.test(said)) {
      marks.push('interrupted');
      parts.push(note(said));
    } else if (injected || parts.length > 0) {
      parts.push(note(said));
    } else {
      const command = COMMAND.test(said) ? commandLine(said) : undefined;
      parts.push({ type: 'user', text: said, searchText: command ?? said, ...kindOfPrompt(command) });
    }
  }
  if (blocks !== '') parts.push(note(blocks));
  if (record.isCompactSummary === true) marks.push('compaction');
  return { label: 'user', known: true, parts, marks };
}

function kindOfPrompt(command: string | undefined): Pick<Part, 'prompt' | 'command'> {
  return command === undefined ? { prompt: true } : { prompt: false, command: true };
}

/** A command as it was typed: `/review the parser`. */
function commandLine(said: string): string {
  const name = /<command-name>\s*([^<]*?)\s*<\/command-name>/.exec(said)?.[1] ?? '';
  const args = /<command-args>\s*([\s\S]*?)\s*<\/command-args>/.exec(said)?.[1] ?? '';
  return `${name.startsWith('/') || name === '' ? name : `/${name}`} ${args}`.trim() || said;
}

function systemRecord(record: JsonObject): Body {
  const subtype = filled(record.subtype) ?? '';
  const label = subtype === '' ? 'system' : `system/${subtype}`;
  const said = filled(record.content) ?? filled(object(record.error).message) ?? JSON.stringify(record);
  return {
    label,
    known: SYSTEM_KNOWN.has(subtype),
    parts: [{ ...note(said), silent: subtype === 'turn_duration' || subtype === 'stop_hook_summary' }],
    marks: subtype === 'compact_boundary' ? ['compaction'] : [],
    compactedTokens: count(object(record.compactMetadata).preTokens),
  };
}

function attachmentRecord(record: JsonObject): Body {
  const attachment = object(record.attachment);
  const kind = filled(attachment.type) ?? 'unknown';
  const label = `attachment/${kind}`;
  if (kind === 'queued_command') {
    const said = splitBlocks(contentText(attachment.prompt), BLOCKS).typed;
    const typed = said !== '' && !INJECTED.test(said) && attachment.commandMode !== 'task-notification';
    const part: Part = typed ? { type: 'user', text: said, prompt: true } : note(said);
    return { label, known: true, parts: [part] };
  }
  const whole = JSON.stringify(attachment);
  return { label, known: true, parts: [{ type: 'notification', text: whole, silent: NOISE.test(kind) }] };
}

/**
 * Progress of a command says how long it has been running, not counting the wait for approval; that of a subagent shows
 * its calls.
 */
function runningCall(record: JsonObject, ms: number | undefined): ParsedRecord['running'] {
  const callId = filled(record.parentToolUseID);
  if (callId === undefined) return undefined;
  const { elapsedTimeSeconds, message } = object(record.data);
  const seconds = number(elapsedTimeSeconds);
  const blocks = list(object(object(message).message).content);
  const calls = blocks.filter((block) => object(block).type === 'tool_use').length;
  return {
    callId,
    ...(seconds === undefined || ms === undefined ? {} : { ms: ms - seconds * 1000 }),
    ...(calls === 0 ? {} : { calls }),
  };
}

function titleRecord(type: string, record: JsonObject, known: Facts | undefined): Body {
  const title =
    filled(record.customTitle) ??
    filled(record.aiTitle) ??
    filled(record.title) ??
    filled(record.summary) ??
    '';
  // A summary at the beginning belongs to the session whose last record it names, which is often another one.
  const leaf = type === 'summary' ? filled(record.leafUuid) : undefined;
  const facts: Facts = { ...known, title, ...(leaf === undefined ? {} : { titleOf: leaf }) };
  return { label: type, known: true, parts: [note(title)], facts };
}

function clientUsage(models: unknown): Readonly<Record<string, Usage>> | undefined {
  if (!isObject(models)) return undefined;
  const entries = Object.entries(models).map(([model, value]) => {
    const spent = object(value);
    const usage: Usage = {
      input: count(spent.inputTokens),
      cached: count(spent.cacheReadInputTokens),
      cacheWrite: count(spent.cacheCreationInputTokens),
      cacheWriteHour: count(spent.cacheCreationEphemeral1hInputTokens),
      output: count(spent.outputTokens),
      reasoning: count(spent.thinkingTokens),
      tool: 0,
    };
    return [model, usage] as const;
  });
  return Object.fromEntries(entries);
}
