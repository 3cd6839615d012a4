import { basename, dirname, join } from 'node:path';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { idOfStored } from '../../read/stored.ts';
import { chatReader } from '../chat-records.ts';
import { documentChats } from '../chat-stores.ts';
import { editorFolders } from '../editor-folders.ts';
import type { Provider } from '../provider.ts';
import { taskRecords } from './task-records.ts';

const HISTORY = 'api_conversation_history.json';

/** Cline and its forks: `globalStorage/<extension>/tasks/<task>/api_conversation_history.json`. */
function taskFolders(
  { id, title, mark, colour }: Pick<Provider, 'id' | 'title' | 'mark' | 'colour'>,
  extension: string,
): Provider {
  return {
    id,
    title,
    mark,
    colour,
    unseen: true,
    variables: ['XDG_CONFIG_HOME'],
    logFolders: (env, home) =>
      editorFolders(env, home).map((user) => join(user, 'globalStorage', extension, 'tasks')),
    logEndings: [HISTORY],
    otherFolders: ['checkpoints'],
    place: (path) => ({ id: idOfStored(path) }),
    sideFiles: (log) => [join(dirname(dirname(log)), 'ui_messages.json')],

    store: documentChats((file) => basename(dirname(file)), taskRecords),
    unrecorded: { reasoning: 'always' },
    read: chatReader(id),
    tools: toolsNamed({
      read: ['read_file'],
      list: ['list_files'],
      write: ['write_to_file'],
      edit: ['replace_in_file', 'apply_diff', 'search_and_replace', 'insert_content'],
      execute: ['execute_command'],
      search: ['search_files', 'list_code_definition_names', 'codebase_search'],
      web: ['web_fetch', 'browser_action'],
      agent: ['new_task', 'use_subagents'],
      plan: ['plan_mode_respond', 'update_todo_list'],
      other: ['attempt_completion', 'ask_followup_question', 'switch_mode'],
    }),
  };
}

export const clineExtension: Provider = {
  ...taskFolders(
    { id: 'cline_extension', title: 'Cline (extension)', mark: 'n', colour: 'var(--text-2)' },
    'saoudrizwan.claude-dev',
  ),
  publicLogs: 2,
};
export const roo = taskFolders(
  { id: 'roo', title: 'Roo Code', mark: 'r', colour: 'var(--warning)' },
  'rooveterinaryinc.roo-cline',
);
export const kiloExtension = taskFolders(
  { id: 'kilo_extension', title: 'Kilo Code (extension)', mark: 'k', colour: 'var(--accent)' },
  'kilocode.kilo-code',
);
