import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filled, object, parseJson } from '../../model/log-json.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { fileOfStored, idOfStored } from '../../read/stored.ts';
import { readSmall } from '../agent-files.ts';
import { chatReader } from '../chat-records.ts';
import { documentChats } from '../chat-stores.ts';
import { editorFolders } from '../editor-folders.ts';
import type { Provider } from '../provider.ts';
import { vscodeChatRecords } from './vscode-chat-records.ts';

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium'];

/** Chats: `workspaceStorage/<hash>/chatSessions/<session>.json` or `.jsonl`, with `workspace.json` two folders above. */
export const vscodeChat: Provider = {
  id: 'vscode_chat',
  title: 'VS Code Copilot Chat',
  aliases: ['vscode', 'copilot chat'],
  mark: 'V',
  colour: 'var(--info)',
  unseen: true,
  publicLogs: 5,

  variables: ['XDG_CONFIG_HOME'],
  logFolders: (env, home) =>
    editorFolders(env, home, EDITORS).flatMap((user) => [
      join(user, 'workspaceStorage'),
      join(user, 'globalStorage', 'emptyWindowChatSessions'),
    ]),
  logEndings: ['.json', '.jsonl'],
  otherFiles: /^(?![0-9a-f]{8}-[0-9a-f]{4}-)/,
  otherFolders: ['chatEditingSessions', 'GitHub.copilot-chat', 'ms-vscode.js-debug', 'history'],
  place(path) {
    const workspace = join(dirname(dirname(fileOfStored(path) ?? path)), 'workspace.json');
    const folder = filled(object(parseJson(readSmall(workspace) ?? '')).folder);
    return {
      id: idOfStored(path),
      cwd: folder?.startsWith('file:') === true ? fileURLToPath(folder) : undefined,
    };
  },
  sideFiles: (log) => [join(dirname(dirname(dirname(log))), 'workspace.json')],

  store: documentChats((file) => basename(file).replace(/\.jsonl?$/, ''), vscodeChatRecords),
  unrecorded: { cached: 'always', cacheWrite: 'always', reasoning: 'always', answerTimes: 'sometimes' },
  read: chatReader('vscode'),
  tools: toolsNamed({
    read: ['read_file', 'view_image'],
    list: ['list_dir'],
    write: ['create_file'],
    edit: ['replace_string_in_file', 'insert_edit_into_file', 'multi_replace_string_in_file'],
    patch: ['apply_patch'],
    execute: ['run_in_terminal', 'get_terminal_output', 'run_task'],
    search: ['grep_search', 'file_search', 'semantic_search', 'get_errors'],
    web: ['fetch_webpage'],
    agent: ['runsubagent'],
    plan: ['manage_todo_list'],
  }),
};
