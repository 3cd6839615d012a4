import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  count,
  filled,
  isObject,
  type JsonObject,
  list,
  object,
  parseJson,
  text,
} from '../../model/log-json.ts';
import type { Rows } from '../../read/foreign-database.ts';
import type { ChatBlock, ChatRecord } from '../chat-records.ts';

/** A chat of the editor: `composerData:<id>` has the order, `bubbleId:<id>:<bubble>` each message. */
export function composerRecords(rows: Rows, session: string): readonly ChatRecord[] {
  const value = (key: string) =>
    object(parseJson(valueText(rows('SELECT value FROM cursorDiskKV WHERE key = ?', key)[0]?.value)));
  const composer = value(`composerData:${session}`);
  const folder = object(object(composer.workspaceIdentifier).uri);
  return [
    {
      type: 'session',
      id: session,
      cwd: filled(folder.fsPath) ?? filled(folder.path) ?? folderOf(composer.workspaceFolder),
      title: filled(composer.name),
      model: modelOf(composer),
      at: composer.createdAt,
    },
    ...list(composer.fullConversationHeadersOnly).flatMap((header) => {
      const id = filled(object(header).bubbleId);
      return id === undefined ? [] : bubbleRecords(id, value(`bubbleId:${session}:${id}`), modelOf(composer));
    }),
  ];
}

function valueText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value ?? '');
}

function folderOf(uri: unknown): string | undefined {
  return typeof uri === 'string' && uri.startsWith('file:') ? fileURLToPath(uri) : filled(uri);
}

function modelOf({ modelConfig }: JsonObject): string | undefined {
  const name = filled(object(modelConfig).modelName);
  return name === 'default' ? undefined : name;
}

/** Type 1 is what was typed, type 2 what the model said: a text, a thought, or one call with its result. */
function bubbleRecords(id: string, bubble: JsonObject, model: string | undefined): readonly ChatRecord[] {
  const at = bubble.createdAt;
  const said = filled(bubble.text);
  if (bubble.type === 1) return [{ type: 'user', text: said ?? '', at }];
  if (bubble.type !== 2)
    return Object.keys(bubble).length === 0 ? [] : [{ type: 'other', label: 'bubble', record: bubble, at }];
  const thought = filled(object(bubble.thinking).text);
  // In some bubbles this has only remarks.
  const tool = filled(object(bubble.toolFormerData).name) === undefined ? undefined : bubble.toolFormerData;
  const blocks: ChatBlock[] = [
    ...(thought === undefined ? [] : [{ type: 'thinking' as const, text: thought }]),
    ...(said === undefined ? [] : [{ type: 'text' as const, text: said }]),
    ...(isObject(tool) ? [callOf(tool)] : []),
  ];
  const used = object(bubble.tokenCount);
  const counted = count(used.inputTokens) + count(used.outputTokens) > 0;
  const usage = counted ? { input: count(used.inputTokens), output: count(used.outputTokens) } : undefined;
  // Bubbles of one response follow each other; the one with the counts is the last.
  const response = filled(bubble.usageUuid) ?? filled(bubble.serverBubbleId) ?? id;
  return [
    { type: 'assistant', id: response, model, blocks, at, ...(usage === undefined ? {} : { usage }) },
    ...(isObject(tool) && tool.status !== 'pending' && tool.status !== 'loading' ? [resultOf(tool, at)] : []),
  ];
}

function callOf(tool: JsonObject): ChatBlock {
  const args = parseJson(text(tool.rawArgs) ?? '') ?? parseJson(text(tool.params) ?? '') ?? {};
  return { type: 'call', id: filled(tool.toolCallId), name: filled(tool.name) ?? 'tool', args };
}

function resultOf(tool: JsonObject, at: unknown): ChatRecord {
  const result = parseJson(text(tool.result) ?? '');
  const { output, exitCodeV2, exitCode } = object(result);
  const code = exitCodeV2 ?? exitCode;
  return {
    type: 'results',
    at,
    results: [
      {
        id: filled(tool.toolCallId),
        output: text(output) ?? text(tool.result) ?? filled(tool.error) ?? '',
        failed: tool.status === 'error' || (typeof code === 'number' && code !== 0),
        ...(typeof code === 'number' ? { exitCode: code } : {}),
      },
    ],
  };
}

const QUERY = /<user_query>\n?([\s\S]*?)\n?<\/user_query>/;

/** A transcript of the command line: one `{role, message: {content}}` per line, without the results of tools. */
export function transcriptRecords(document: unknown, file: string): readonly ChatRecord[] {
  const lines = String(document)
    .split('\n')
    .filter((line) => line !== '');
  return [
    // The only time that a transcript has.
    { type: 'session', id: basename(file, '.jsonl'), at: statSync(file, { throwIfNoEntry: false })?.mtimeMs },
    ...lines.flatMap((line, index): readonly ChatRecord[] => {
      const record = object(parseJson(line));
      const content = list(object(record.message).content).map(object);
      const said = content.filter(({ type }) => type === 'text').map((part) => text(part.text) ?? '');
      if (record.role === 'user') {
        const whole = said.join('\n');
        return [{ type: 'user', text: QUERY.exec(whole)?.[1] ?? whole }];
      }
      if (record.role !== 'assistant')
        return Object.keys(record).length === 0
          ? []
          : [{ type: 'other', label: text(record.role) ?? 'line', record }];
      const blocks = content.flatMap((part): ChatBlock[] => {
        if (part.type === 'text') return [{ type: 'text', text: text(part.text) ?? '' }];
        if (part.type !== 'tool_use') return [];
        const id = `${basename(file, '.jsonl')}:${index}`;
        return [{ type: 'call', id, name: filled(part.name) ?? 'tool', args: part.input, unanswered: true }];
      });
      return [{ type: 'assistant', id: String(index), blocks }];
    }),
  ];
}
