import { basename, join } from 'node:path';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { idOfStored, isStored } from '../../read/stored.ts';
import { chatReader } from '../chat-records.ts';
import { databaseChats, documentChats } from '../chat-stores.ts';
import { editorFolders } from '../editor-folders.ts';
import type { Provider, SessionStore } from '../provider.ts';
import { composerRecords, transcriptRecords } from './cursor-records.ts';

/** A range of keys, not LIKE: the table can have gigabytes, and only a range uses its index. */
const composers = databaseChats({
  needed: { cursorDiskKV: ['key', 'value'] },
  sessions: `SELECT substr(key, 14) AS id, length(value) AS size,
      COALESCE(json_extract(value, '$.lastUpdatedAt'), json_extract(value, '$.createdAt'), 0) AS changed
    FROM cursorDiskKV WHERE key >= 'composerData:' AND key < 'composerData;' AND json_valid(value)
      AND json_array_length(value, '$.fullConversationHeadersOnly') > 0`,
  records: composerRecords,
});
const transcripts = documentChats((file) => basename(file, '.jsonl'), transcriptRecords);
const storeOf = (file: string): SessionStore => (file.endsWith('.vscdb') ? composers : transcripts);

/**
 * The editor: `User/globalStorage/state.vscdb`, a table of keys and values. The command line:
 * `~/.cursor/projects/<project>/agent-transcripts/**.jsonl`, with neither times nor tokens.
 */
export const cursor: Provider = {
  id: 'cursor',
  title: 'Cursor',
  mark: 'U',
  colour: 'var(--text)',
  unseen: true,

  variables: ['XDG_CONFIG_HOME'],
  logFolders: (env, home) => [
    ...editorFolders(env, home, ['Cursor']).map((user) => join(user, 'globalStorage')),
    join(home, '.cursor', 'projects'),
  ],
  logEndings: ['state.vscdb', '.jsonl'],
  otherFolders: ['terminals', 'mcps', 'assets', 'rules'],
  place: (path) => (isStored(path) ? { id: idOfStored(path) } : {}),

  store: {
    sessions: (file) => storeOf(file).sessions(file),
    records: (file, session, from) => storeOf(file).records(file, session, from),
  },
  unrecorded: { cached: 'always', cacheWrite: 'always', reasoning: 'always' },
  read: chatReader('cursor'),
  tools: toolsNamed({
    read: ['read_file', 'read', 'read_file_v2'],
    list: ['list_dir', 'ls', 'list_dir_v2'],
    write: ['write'],
    edit: ['edit_file', 'search_replace', 'strreplace', 'edit_file_v2'],
    execute: ['run_terminal_cmd', 'run_terminal_command_v2', 'shell'],
    search: ['grep', 'codebase_search', 'glob_file_search', 'ripgrep', 'grep_search', 'file_search', 'glob'],
    web: ['web_search', 'web_fetch', 'fetch'],
    agent: ['task', 'task_v2'],
    plan: ['todo_write', 'todowrite'],
  }),
};
