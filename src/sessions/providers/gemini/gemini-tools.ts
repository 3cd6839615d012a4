import type { Part } from '../../model/event.ts';
import { diffCounts } from '../../model/line-counts.ts';
import { filled, isObject, type JsonObject, list, object, text } from '../../model/log-json.ts';
import { exitCodeIn, rejection } from '../../model/outcome.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { callPart, contentText } from '../record-parts.ts';

export const geminiTools = toolsNamed({
  read: ['read_file', 'readfile', 'read_many_files'],
  list: ['ls', 'list_directory'],
  write: ['write_file', 'writefile'],
  edit: ['edit', 'replace'],
  execute: ['shell', 'run_shell_command'],
  search: ['grep', 'glob', 'grep_search', 'search_file_content'],
  web: ['web_fetch', 'google_web_search'],
  agent: ['invoke_agent', 'codebase_investigator'],
  plan: ['write_todos'],
});

const SPILLED = /For full output see: (\S.*)$/m;
const STATUS = { success: 'ok', error: 'failed', cancelled: 'cancelled' } as const;

/** A tool call in a message, with its result once there is one. */
export function geminiToolParts(call: JsonObject): readonly Part[] {
  const name = toolName(call);
  const id = filled(call.id);
  const begun: Part = {
    ...callPart(name, id, call.args),
    agentId: filled(call.agentId),
    identity: `${id}|call`,
  };
  const status = text(call.status);
  const final = status === 'success' || status === 'error' || status === 'cancelled';
  if (!final && !Array.isArray(call.result)) return [begun];
  const answers = list(call.result).map((block) => responseText(object(object(block).functionResponse)));
  const said =
    answers.filter((answer) => answer !== '').join('\n') ||
    (text(call.resultDisplay) ?? filled(object(call.resultDisplay).fileDiff) ?? '');
  const answer = result(name, id, said, final ? STATUS[status] : 'ok');
  const diff = filled(object(call.resultDisplay).fileDiff);
  const [touched] = diff === undefined ? [] : geminiTools.touchesOf(name, object(call.args));
  if (diff === undefined || touched === undefined) return [begun, answer];
  return [begun, { ...answer, touches: [{ ...touched, lines: diffCounts(diff) }] }];
}

const SERVER_TOOL = / \((.+) MCP Server\)$/;

/** Older versions name the MCP server of a tool only in its display name. */
function toolName(call: JsonObject): string {
  const name = filled(call.name) ?? 'tool';
  const server = SERVER_TOOL.exec(text(call.displayName) ?? '')?.[1];
  return server === undefined || geminiTools.kindOf(name) === 'mcp' ? name : `mcp__${server}__${name}`;
}

/** The same result, as it is sent to the model in a separate message. */
export function responsePart(response: JsonObject): Part {
  const said = responseText(response);
  const failed = object(response.response).error !== undefined;
  return {
    ...result(filled(response.name) ?? 'tool', filled(response.id), said, failed ? 'failed' : 'ok'),
    echo: true,
  };
}

function responseText(response: JsonObject): string {
  const answer = object(response.response);
  const said = answer.output ?? answer.error ?? answer.content;
  if (typeof said === 'string') return said;
  return isObject(response.response) ? contentText(said ?? JSON.stringify(response.response)) : '';
}

/** A shell command that fails still has the status "success"; the text has its exit code. */
function result(
  name: string,
  id: string | undefined,
  said: string,
  status: 'ok' | 'failed' | 'cancelled',
): Part {
  const rejected = status === 'ok' ? undefined : rejection(said.replace(/^\[Operation Cancelled\]\s*/, ''));
  const exitCode = geminiTools.kindOf(name) === 'execute' ? exitCodeIn(said) : undefined;
  return {
    type: 'tool_result',
    text: said,
    callId: id,
    status:
      rejected?.status ?? (status === 'ok' && exitCode !== undefined && exitCode !== 0 ? 'failed' : status),
    said: rejected?.said,
    exitCode,
    spilledTo: SPILLED.exec(said.slice(0, 1000))?.[1]?.trim(),
    identity: `${id}|result`,
  };
}
