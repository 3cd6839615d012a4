import { join } from 'node:path';
import { decompress } from 'fzstd';
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
import { toolsNamed } from '../../model/tool-kinds.ts';
import type { Rows } from '../../read/foreign-database.ts';
import { idOfStored } from '../../read/stored.ts';
import { type ChatBlock, type ChatRecord, type ChatUsage, chatReader } from '../chat-records.ts';
import { databaseChats } from '../chat-stores.ts';
import type { Provider } from '../provider.ts';
import { contentText } from '../record-parts.ts';

/** Threads: rows of `threads.db` below Zed's data folder, each one JSON document, usually packed with zstd. */
export const zed: Provider = {
  id: 'zed',
  title: 'Zed',
  mark: 'Z',
  colour: 'var(--info)',
  unseen: true,

  variables: ['XDG_DATA_HOME'],
  logFolders: (env, home) => [
    join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'zed', 'threads'),
    join(home, 'Library', 'Application Support', 'Zed', 'threads'),
  ],
  logEndings: ['threads.db'],
  place: (path) => ({ id: idOfStored(path) }),

  store: databaseChats({
    needed: { threads: ['id', 'summary', 'updated_at', 'data_type', 'data'] },
    sessions: 'SELECT id, length(data) AS size, updated_at AS changed FROM threads',
    records: threadRecords,
  }),
  unrecorded: { reasoning: 'always', answerTimes: 'always' },
  read: chatReader('zed'),
  tools: toolsNamed({
    read: ['read_file', 'open'],
    list: ['list_directory'],
    write: ['create_file', 'save_file'],
    edit: ['edit_file'],
    execute: ['terminal'],
    search: ['grep', 'find_path', 'diagnostics'],
    web: ['fetch', 'web_search'],
    agent: ['spawn_agent', 'subagent'],
    plan: ['update_plan', 'thinking'],
  }),
};

const MAX_THREAD_BYTES = 256 << 20;

function threadRecords(rows: Rows, session: string): readonly ChatRecord[] {
  const [row] = rows('SELECT * FROM threads WHERE id = ?', session);
  if (row === undefined) throw new Error(`no thread ${session}`);
  const thread = object(parseJson(unpacked(row.data, row.data_type)));
  const [snapshot] = list(object(thread.initial_project_snapshot).worktree_snapshots).map(object);
  const model = filled(object(thread.model).model);
  const used = thread.cumulative_token_usage;
  return [
    {
      type: 'session',
      id: session,
      cwd: firstFolder(row) ?? filled(snapshot?.worktree_path),
      title: filled(thread.title) ?? filled(row.summary),
      parentId: filled(row.parent_id) ?? filled(object(thread.subagent_context).parent_thread_id),
      model,
      // Messages have no times.
      at: row.created_at ?? thread.updated_at ?? row.updated_at,
    },
    ...list(thread.messages).flatMap((message, index) => messageRecords(message, index, model)),
    ...(isObject(used) && Object.keys(used).length > 0
      ? [{ type: 'totals' as const, models: { [model ?? 'unknown']: usageOf(used) } }]
      : []),
  ];
}

/** Newer tables have the sorted folders of a thread, and the position of each in the window. */
function firstFolder(row: JsonObject): string | undefined {
  const places = (text(row.folder_paths_order) ?? '').split(',');
  return filled((text(row.folder_paths) ?? '').split('\n')[Math.max(0, places.indexOf('0'))]);
}

function unpacked(data: unknown, type: unknown): string {
  const bytes = data instanceof Uint8Array ? data : Buffer.from(String(data ?? ''));
  if (type !== 'zstd') return Buffer.from(bytes).toString('utf8');
  if (bytes.length > MAX_THREAD_BYTES) throw new Error('the thread is too large');
  return Buffer.from(decompress(bytes)).toString('utf8');
}

/** A message is `{User: …}` or `{Agent: …}`, with the answers of its tools; `"Resume"` continues after a stop. */
function messageRecords(message: unknown, index: number, model: string | undefined): readonly ChatRecord[] {
  if (message === 'Resume') return [];
  const { User: user, Agent: agent } = object(message);
  if (isObject(user)) {
    const said = list(user.content).map(
      (part) => text(object(part).Text) ?? text(object(object(part).Mention).content) ?? '',
    );
    return [{ type: 'user', text: said.filter((piece) => piece !== '').join('\n') }];
  }
  if (!isObject(agent)) return [{ type: 'other', label: 'message', record: message }];
  const parts = list(agent.content).map(object);
  const results = Object.values(object(agent.tool_results)).map((given) => toolResult(object(given)));
  return [
    { type: 'assistant', id: String(index), model, blocks: parts.flatMap(answerBlock) },
    ...parts
      .filter((part) => !Object.keys(part).some((name) => KNOWN.has(name)))
      .map(
        (part): ChatRecord => ({
          type: 'other',
          label: `content/${Object.keys(part)[0] ?? ''}`,
          record: part,
        }),
      ),
    ...(results.length > 0 ? [{ type: 'results' as const, results }] : []),
  ];
}

const KNOWN = new Set(['Text', 'Thinking', 'RedactedThinking', 'ToolUse']);

function answerBlock(part: JsonObject): ChatBlock[] {
  if (typeof part.Text === 'string') return [{ type: 'text', text: part.Text }];
  if (isObject(part.Thinking)) return [{ type: 'thinking', text: text(part.Thinking.text) ?? '' }];
  if (!isObject(part.ToolUse)) return [];
  const { id, name, input } = part.ToolUse;
  return [{ type: 'call', id: filled(id), name: filled(name) ?? 'tool', args: input }];
}

function toolResult({ tool_use_id, is_error, content }: JsonObject) {
  // Newer versions write a list.
  const said = Array.isArray(content) ? content : [content];
  return {
    id: filled(tool_use_id),
    output: said.map((part) => text(object(part).Text) ?? contentText(part)).join('\n'),
    failed: is_error === true,
  };
}

function usageOf(used: JsonObject): ChatUsage {
  return {
    input: count(used.input_tokens),
    cached: count(used.cache_read_input_tokens),
    cacheWrite: count(used.cache_creation_input_tokens),
    output: count(used.output_tokens),
  };
}
