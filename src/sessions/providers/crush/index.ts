import { basename, dirname, join } from 'node:path';
import { filled, type JsonObject, list, object, parseJson, text } from '../../model/log-json.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { fileOfStored, idOfStored } from '../../read/stored.ts';
import { readSmall } from '../agent-files.ts';
import { type ChatBlock, type ChatRecord, chatReader } from '../chat-records.ts';
import { databaseChats } from '../chat-stores.ts';
import type { Provider } from '../provider.ts';

/** Sessions: `<project>/.crush/crush.db`; `~/.local/share/crush/projects.json` lists the projects. */
export const crush: Provider = {
  id: 'crush',
  title: 'Crush',
  mark: 'R',
  colour: 'var(--accent)',
  unseen: true,
  publicLogs: 6,
  resume: 'crush --session {id}',

  variables: ['CRUSH_GLOBAL_DATA', 'XDG_DATA_HOME'],
  logFolders: dataFolders,
  logEndings: ['crush.db'],
  otherFolders: ['logs', 'commands'],
  place(path) {
    const folder = dirname(fileOfStored(path) ?? path);
    return { id: idOfStored(path), cwd: basename(folder) === '.crush' ? dirname(folder) : undefined };
  },

  store: databaseChats({
    needed: { sessions: ['id', 'title'], messages: ['id', 'session_id', 'role', 'parts', 'created_at'] },
    sessions: `SELECT s.id, (SELECT COUNT(*) FROM messages m WHERE m.session_id = s.id) AS size,
        1000 * MAX(s.updated_at, COALESCE((SELECT MAX(m.updated_at) FROM messages m WHERE m.session_id = s.id), 0)) AS changed
      FROM sessions s`,
    records: (rows, session) => [
      ...rows('SELECT * FROM sessions WHERE id = ?', session).map(
        (row): ChatRecord => ({
          type: 'session',
          id: session,
          title: filled(row.title),
          parentId: filled(row.parent_session_id),
          at: row.created_at,
        }),
      ),
      ...rows('SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid', session).flatMap(
        messageRecords,
      ),
    ],
  }),
  read: chatReader('crush'),
  tools: toolsNamed({
    read: ['view'],
    list: ['ls'],
    write: ['write'],
    edit: ['edit', 'multiedit'],
    execute: ['bash', 'job_output', 'job_kill'],
    search: ['grep', 'glob', 'sourcegraph', 'lsp_references'],
    web: ['fetch', 'agentic_fetch', 'web_search', 'web_fetch', 'download'],
    agent: ['agent'],
    plan: ['todos'],
  }),
};

/** The data folders of all projects in which Crush was used. */
function dataFolders(env: NodeJS.ProcessEnv, home: string): readonly string[] {
  const data = env.CRUSH_GLOBAL_DATA || join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'crush');
  return list(object(parseJson(readSmall(join(data, 'projects.json')) ?? '')).projects).flatMap((one) => {
    const { path, data_dir } = object(one);
    const project = filled(path);
    return filled(data_dir) ?? (project === undefined ? [] : join(project, '.crush'));
  });
}

/** A message has typed parts `{type, data}`. */
function messageRecords(row: JsonObject): readonly ChatRecord[] {
  const at = row.created_at;
  const parts = list(parseJson(partsText(row.parts))).map(object);
  const data = parts.map((part) => ({ type: text(part.type) ?? '', data: object(part.data) }));
  const others = data
    .filter(({ type }) => !KNOWN.has(type))
    .map(({ type, data: record }): ChatRecord => ({ type: 'other', label: `part/${type}`, record, at }));
  const said = data.filter(({ type }) => type === 'text').map((part) => text(part.data.text) ?? '');
  if (row.role === 'user') return [{ type: 'user', text: said.join('\n'), at }, ...others];
  if (row.role === 'tool') {
    const results = data
      .filter(({ type }) => type === 'tool_result')
      .map(({ data: { tool_call_id, content, is_error } }) => ({
        id: filled(tool_call_id),
        output: text(content) ?? '',
        failed: is_error === true || /^Exit code [1-9]/m.test(text(content) ?? ''),
      }));
    return [{ type: 'results', results, at }, ...others];
  }
  const blocks = data.flatMap(({ type, data: block }): ChatBlock[] => {
    if (type === 'reasoning' && filled(block.thinking) !== undefined)
      return [{ type: 'thinking', text: text(block.thinking) ?? '' }];
    if (type === 'text') return [{ type: 'text', text: text(block.text) ?? '' }];
    if (type === 'tool_call')
      return [
        {
          type: 'call',
          id: filled(block.id),
          name: filled(block.name) ?? 'tool',
          args: parseJson(text(block.input) ?? ''),
        },
      ];
    return [];
  });
  return [{ type: 'assistant', id: String(row.id), model: filled(row.model), blocks, at }, ...others];
}

const KNOWN = new Set([
  'text',
  'reasoning',
  'tool_call',
  'tool_result',
  'finish',
  'binary',
  'image_url',
  'shell_command',
]);

/** The column is a blob in some versions. */
function partsText(parts: unknown): string {
  return parts instanceof Uint8Array ? Buffer.from(parts).toString('utf8') : String(parts ?? '[]');
}
