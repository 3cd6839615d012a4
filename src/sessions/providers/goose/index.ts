import { join } from 'node:path';
import { count, filled, type JsonObject, list, object, parseJson, text } from '../../model/log-json.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import type { Rows } from '../../read/foreign-database.ts';
import { idOfStored } from '../../read/stored.ts';
import { type ChatBlock, type ChatRecord, type ChatUsage, chatReader } from '../chat-records.ts';
import { databaseChats } from '../chat-stores.ts';
import type { Provider } from '../provider.ts';
import { contentText } from '../record-parts.ts';

/** Sessions: `~/.local/share/goose/sessions/sessions.db`. */
export const goose: Provider = {
  id: 'goose',
  title: 'Goose',
  mark: 'G',
  colour: 'var(--success)',
  unseen: true,
  resume: 'goose session --resume --session-id {id}',

  variables: ['XDG_DATA_HOME', 'GOOSE_PATH_ROOT'],
  logFolders: (env, home) => [
    env.GOOSE_PATH_ROOT
      ? join(env.GOOSE_PATH_ROOT, 'data', 'sessions')
      : join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'goose', 'sessions'),
  ],
  logEndings: ['sessions.db'],
  place: (path) => ({ id: idOfStored(path) }),

  store: databaseChats({
    needed: {
      sessions: ['id', 'working_dir', 'updated_at'],
      messages: ['id', 'session_id', 'role', 'content_json', 'created_timestamp'],
    },
    sessions: `SELECT s.id, (SELECT COUNT(*) FROM messages m WHERE m.session_id = s.id) AS size,
        MAX(1000 * COALESCE((SELECT MAX(m.created_timestamp) FROM messages m WHERE m.session_id = s.id), 0),
          1000 * COALESCE(CAST(strftime('%s', s.updated_at) AS INTEGER), 0)) AS changed
      FROM sessions s`,
    records: sessionRecords,
  }),
  unrecorded: { reasoning: 'always' },
  read: chatReader('goose'),
  tools: toolsNamed({
    read: ['developer__read', 'developer__read_image', 'read'],
    list: ['developer__tree', 'tree'],
    write: ['developer__write', 'write'],
    edit: ['developer__edit', 'developer__text_editor', 'edit', 'text_editor'],
    execute: ['developer__shell', 'shell'],
    search: ['developer__analyze', 'analyze'],
    web: ['computercontroller__web_scrape'],
    agent: ['subagent', 'delegate', 'dynamic_task__create_task'],
    plan: ['todo__todo_write', 'todo_write'],
  }),
};

function sessionRecords(rows: Rows, session: string): readonly ChatRecord[] {
  const [found] = rows('SELECT * FROM sessions WHERE id = ?', session);
  if (found === undefined) throw new Error(`no session ${session}`);
  const model = filled(object(parseJson(text(found.model_config_json) ?? '')).model_name);
  const records: ChatRecord[] = [
    {
      type: 'session',
      id: session,
      cwd: filled(found.working_dir),
      title: filled(found.name) ?? filled(found.description),
      parentId: filled(found.parent_session_id),
      model,
    },
  ];
  for (const row of rows('SELECT * FROM messages WHERE session_id = ? ORDER BY id', session))
    records.push(...messageRecords(row, model));
  const used: ChatUsage = usageOf(found, 'accumulated_');
  if (found.accumulated_input_tokens !== null && found.accumulated_input_tokens !== undefined)
    records.push({ type: 'totals', models: { [model ?? 'unknown']: used } });
  return records;
}

/** Goose counts cached tokens as input. */
function usageOf(row: JsonObject, prefix: string): ChatUsage {
  const [input, cached, cacheWrite, output] = ['input', 'cache_read', 'cache_write', 'output'].map((name) =>
    count(row[`${prefix}${name}_tokens`]),
  );
  return {
    input: Math.max(0, (input ?? 0) - (cached ?? 0) - (cacheWrite ?? 0)),
    cached: cached ?? 0,
    cacheWrite: cacheWrite ?? 0,
    output: output ?? 0,
  };
}

const KNOWN = new Set([
  'text',
  'thinking',
  'redactedThinking',
  'toolRequest',
  'toolResponse',
  'frontendToolRequest',
  'toolConfirmationRequest',
  'actionRequired',
  'conversationCompacted',
  'image',
  'systemNotification',
]);

function messageRecords(row: JsonObject, model: string | undefined): readonly ChatRecord[] {
  const at = row.created_timestamp;
  const content = list(parseJson(text(row.content_json) ?? '')).map(object);
  const records: ChatRecord[] = [];
  const said = content.filter(({ type }) => type === 'text').map((part) => text(part.text) ?? '');
  if (row.role === 'user') {
    const results = content.filter(({ type }) => type === 'toolResponse').map(toolResult);
    if (results.length > 0) records.push({ type: 'results', results, at });
    if (said.length > 0) records.push({ type: 'user', text: said.join('\n'), at });
  } else {
    const blocks = content.flatMap((part): ChatBlock[] => {
      if (part.type === 'thinking') return [{ type: 'thinking', text: text(part.thinking) ?? '' }];
      if (part.type === 'text') return [{ type: 'text', text: text(part.text) ?? '' }];
      if (part.type !== 'toolRequest' && part.type !== 'frontendToolRequest') return [];
      const call = object(object(part.toolCall).value);
      return [{ type: 'call', id: filled(part.id), name: filled(call.name) ?? 'tool', args: call.arguments }];
    });
    records.push({ type: 'assistant', id: filled(row.message_id) ?? String(row.id), model, blocks, at });
  }
  for (const part of content)
    if (!KNOWN.has(text(part.type) ?? ''))
      records.push({ type: 'other', label: `content/${text(part.type) ?? ''}`, record: part, at });
  return records;
}

function toolResult(part: JsonObject) {
  const result = object(part.toolResult);
  const value = object(result.value);
  const content = Array.isArray(result.value) ? result.value : value.content;
  const output = contentText(content) || (text(result.error) ?? '');
  return { id: filled(part.id), output, failed: result.status === 'error' || value.isError === true };
}
