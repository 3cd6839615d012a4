import type { ParsedRecord, Part } from '../../model/event.ts';
import {
  filled,
  isObject,
  type JsonObject,
  list,
  number,
  object,
  parseJson,
  text,
} from '../../model/log-json.ts';
import { callPart, contentText, opaque, quiet } from '../record-parts.ts';
import { outcomeOfText } from './codex-outcome.ts';

const ITEMS = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'function_result',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'web_search_call',
  'tool_search_call',
  'tool_search_output',
  'image_generation_call',
  'ghost_snapshot',
  'agent_message',
  'compaction',
  'context_compaction',
]);

/** Context that the agent sends in the user's name. */
export const INJECTED =
  /^\s*(?:<(\w[\w-]*)[^>]{0,200}>[\s\S]*<\/\1>\s*$|# AGENTS\.md instructions|<(?:environment_context|user_instructions|permissions|skills?_|turn_aborted|subagent_|goal_|collaboration_))/;

export function isResponseItem(type: string): boolean {
  return ITEMS.has(type);
}

type Body = Omit<ParsedRecord, 'ms'>;

/** An item of the Responses API: what the model was sent or said. */
export function responseItem(type: string, item: JsonObject): Body {
  const label = `response_item/${type}`;
  const known = (parts: readonly Part[], extra: Partial<Body> = {}): Body => ({
    label,
    known: true,
    parts,
    ...extra,
  });
  switch (type) {
    case 'message':
      return known([message(item)], { facts: contextFacts(item) });
    case 'reasoning':
      return known([{ type: 'reasoning', text: reasoningText(item), echo: true }]);
    case 'function_call': {
      const args = typeof item.arguments === 'string' ? parseJson(item.arguments) : item.arguments;
      const name = filled(item.name) ?? filled(object(item.function).name) ?? 'tool';
      const call = callPart(qualified(name, filled(item.namespace)), callId(item), args ?? item.arguments);
      const process = name === 'write_stdin' ? number(object(args).session_id)?.toString() : undefined;
      const exact = typeof item.arguments === 'string' ? item.arguments : call.text;
      return known([{ ...call, text: exact, process }]);
    }
    case 'custom_tool_call':
      return known([callPart(filled(item.name) ?? 'tool', callId(item), text(item.input) ?? item.input)]);
    case 'local_shell_call':
      return known([callPart('local_shell', callId(item) ?? filled(item.id), item.action)]);
    case 'tool_search_call':
      return known([callPart('tool_search', callId(item), item.arguments ?? item.action)]);
    case 'web_search_call':
      return known([
        { ...callPart('web_search', callId(item) ?? filled(item.id), item.action), status: 'ok' },
      ]);
    case 'image_generation_call':
      return known([{ type: 'notification', text: filled(item.revised_prompt) ?? 'image generated' }]);
    case 'function_call_output':
    case 'function_result':
    case 'custom_tool_call_output':
    case 'tool_search_output':
      return known([output(item)]);
    case 'agent_message':
      return known([{ type: 'notification', text: contentText(item.content ?? item.message) }]);
    case 'ghost_snapshot':
    case 'compaction':
    case 'context_compaction':
      return quiet(label, item);
    default:
      return opaque(label, item);
  }
}

/** Names of MCP tools have had several spellings; this returns `mcp__server__tool`. */
function qualified(name: string, namespace: string | undefined): string {
  if (namespace?.startsWith('mcp__') !== true) {
    return name.includes('__') && !name.startsWith('mcp__') ? `mcp__${name}` : name;
  }
  return `${namespace.replace(/_+$/, '')}__${name}`;
}

function callId(item: JsonObject): string | undefined {
  return filled(item.call_id);
}

function message(item: JsonObject): Part {
  const said = contentText(item.content);
  if (item.role === 'assistant') return { type: 'message', text: said, echo: true };
  if (item.role !== 'user') return { type: 'notification', text: said, silent: true };
  const kinds = list(object(item.internal_chat_message_metadata_passthrough).content_item_kinds);
  const injected =
    kinds.length > 0
      ? !kinds.some((kind) => typeof kind === 'string' && kind.startsWith('user.'))
      : INJECTED.test(said);
  return injected
    ? { type: 'notification', text: said, silent: true }
    : { type: 'user', text: said, prompt: false, echo: true, searchText: typedIn(said) };
}

const IDE_CONTEXT = /^# Context from my IDE setup:[\s\S]*?^## My request for Codex:\s*/m;

/** What was typed in an editor, without the list of open files that the editor puts in front. */
export function typedIn(said: string): string {
  return said.replace(IDE_CONTEXT, '');
}

const CWD = /(?:<cwd>\s*|Current working directory:\s*)([^\n<]+)/;

/** If the header does not name the working folder, the context that the agent sends does. */
function contextFacts(item: JsonObject): ParsedRecord['facts'] {
  const said = item.role === 'user' ? contentText(item.content) : '';
  const cwd = said.includes('<environment_context>') ? CWD.exec(said)?.[1]?.trim() : undefined;
  return cwd === undefined ? undefined : { cwd };
}

function reasoningText(item: JsonObject): string {
  const pieces = [...list(item.summary), ...list(item.content)].map(
    (piece) => text(object(piece).text) ?? '',
  );
  const said = pieces.filter((piece) => piece !== '').join('\n\n');
  return said === '' ? '(encrypted)' : said;
}

function output(item: JsonObject): Part {
  const raw = item.output ?? item.result ?? item.tools;
  const whole = isObject(raw) && raw.content !== undefined ? contentText(raw.content) : contentText(raw);
  const { said, header } = unwrapped(whole);
  return {
    type: 'tool_result',
    text: said,
    callId: callId(item),
    echo: true,
    // If the log also has the whole output elsewhere, only the header adds anything.
    searchText: header,
    ...outcomeOfText(whole),
    process: RUNNING.exec(whole.slice(0, 600))?.[1],
    agentId: whole.startsWith('{') ? filled(object(parseJson(whole)).agent_id) : undefined,
  };
}

const RUNNING = /^Process running with session ID (\d+)/m;

/** Unwraps an output that is inside JSON, and finds the header that newer versions put in front. */
function unwrapped(whole: string): { said: string; header: string | undefined } {
  if (whole.startsWith('{"output":')) {
    const inner = text(object(parseJson(whole)).output);
    if (inner !== undefined) return { said: inner, header: '' };
  }
  const cut = whole.slice(0, 400).indexOf('\nOutput:\n');
  return { said: whole, header: cut < 0 ? '' : whole.slice(0, cut) };
}
