import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { count, filled, isObject, type JsonObject, list, object, text } from '../../model/log-json.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { idOfStored } from '../../read/stored.ts';
import { type ChatBlock, type ChatRecord, type ChatUsage, chatReader } from '../chat-records.ts';
import { documentChats } from '../chat-stores.ts';
import type { Provider } from '../provider.ts';
import { contentText } from '../record-parts.ts';

/** Threads: `~/.local/share/amp/threads/T-<id>.json`; newer versions keep them on a server and leave no log. */
export const amp: Provider = {
  id: 'amp',
  title: 'Amp',
  mark: 'A',
  colour: 'var(--danger)',
  unseen: true,
  resume: 'amp threads continue {id}',

  variables: ['XDG_DATA_HOME'],
  logFolders: (env, home) => [join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'amp', 'threads')],
  logEndings: ['.json'],
  otherFiles: /^(?!T-)/,
  place: (path) => ({ id: idOfStored(path) }),

  store: documentChats((file) => basename(file, '.json'), threadRecords),
  unrecorded: { reasoning: 'always' },
  read: chatReader('amp'),
  tools: toolsNamed({
    read: ['read', 'read_file'],
    list: ['list_directory'],
    write: ['create_file'],
    edit: ['edit_file', 'undo_edit'],
    execute: ['bash'],
    search: ['grep', 'glob', 'finder', 'codebase_search_agent'],
    web: ['web_search', 'read_web_page'],
    agent: ['task', 'oracle', 'librarian'],
    plan: ['todo_write', 'todo_read'],
  }),
};

function threadRecords(document: unknown, file: string): readonly ChatRecord[] {
  const thread = object(document);
  const ledger = new Map(
    list(object(thread.usageLedger).events).map((event) => [object(event).toMessageId, object(event)]),
  );
  const [tree] = list(object(object(thread.env).initial).trees).map(object);
  return [
    {
      type: 'session',
      id: basename(file, '.json'),
      cwd: folderOf(tree?.uri),
      title: filled(thread.title),
      at: thread.created,
    },
    ...list(thread.messages).flatMap((found, index) => {
      const message = object(found);
      return messageRecords(message, index, object(ledger.get(message.messageId)));
    }),
  ];
}

/** The path of a `file:` URL. */
function folderOf(uri: unknown): string | undefined {
  try {
    return typeof uri === 'string' ? fileURLToPath(uri) : undefined;
  } catch {
    return undefined;
  }
}

const KNOWN = new Set(['text', 'thinking', 'redacted_thinking', 'tool_use', 'tool_result', 'image']);

/** `booked` is what the thread's ledger says about an answer: its time, model and uncached tokens. */
function messageRecords(message: JsonObject, index: number, booked: JsonObject): readonly ChatRecord[] {
  const content = list(message.content).map(object);
  const at = object(message.meta).sentAt ?? object(message.usage).timestamp ?? booked.timestamp;
  const records: ChatRecord[] = [];
  if (message.role === 'assistant') {
    const { input, output } = object(booked.tokens);
    const used = isObject(booked.tokens)
      ? { inputTokens: input, outputTokens: output, model: booked.model, ...object(message.usage) }
      : message.usage;
    records.push({
      type: 'assistant',
      id: filled(message.messageId) ?? String(message.messageId ?? index),
      at,
      model: filled(object(used).model),
      blocks: content.flatMap(answerBlock),
      ...(isObject(used) ? { usage: usageOf(used) } : {}),
    });
  } else {
    const results = content.filter(({ type }) => type === 'tool_result').map(toolResult);
    if (results.length > 0) records.push({ type: 'results', results, at });
    const said = content.filter(({ type }) => type === 'text').map((part) => text(part.text) ?? '');
    if (said.length > 0) records.push({ type: 'user', text: said.join('\n'), at });
  }
  for (const part of content)
    if (!KNOWN.has(text(part.type) ?? ''))
      records.push({ type: 'other', label: `content/${text(part.type) ?? ''}`, record: part, at });
  return records;
}

function answerBlock(part: JsonObject): ChatBlock[] {
  if (part.type === 'text') return [{ type: 'text', text: text(part.text) ?? '' }];
  if (part.type === 'thinking') return [{ type: 'thinking', text: text(part.thinking) ?? '' }];
  if (part.type !== 'tool_use') return [];
  return [{ type: 'call', id: filled(part.id), name: filled(part.name) ?? 'tool', args: part.input }];
}

function toolResult(part: JsonObject) {
  const run = object(part.run);
  const { output, exitCode } = object(run.result);
  const said = filled(output) ?? (filled(object(run.error).message) || contentText(run.result ?? ''));
  const failed = run.status === 'error' || (typeof exitCode === 'number' && exitCode !== 0);
  return {
    id: filled(part.toolUseID),
    output: said,
    failed,
    ...(typeof exitCode === 'number' ? { exitCode } : {}),
  };
}

function usageOf(used: JsonObject): ChatUsage {
  return {
    input: count(used.inputTokens),
    cached: count(used.cacheReadInputTokens),
    cacheWrite: count(used.cacheCreationInputTokens),
    output: count(used.outputTokens),
  };
}
