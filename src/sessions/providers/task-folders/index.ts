import { basename, dirname, join } from 'node:path';
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
import { idOfStored } from '../../read/stored.ts';
import { readSmall } from '../agent-files.ts';
import { type ChatBlock, type ChatRecord, type ChatUsage, chatReader } from '../chat-records.ts';
import { documentChats } from '../chat-stores.ts';
import { editorFolders } from '../editor-folders.ts';
import type { Provider } from '../provider.ts';
import { contentText } from '../record-parts.ts';

const HISTORY = 'api_conversation_history.json';

/** Tasks of Cline and the extensions made from it: `globalStorage/<extension>/tasks/<task>/api_conversation_history.json`. */
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

export const clineExtension = taskFolders(
  { id: 'cline_extension', title: 'Cline (extension)', mark: 'n', colour: 'var(--text-2)' },
  'saoudrizwan.claude-dev',
);
export const roo = taskFolders(
  { id: 'roo', title: 'Roo Code', mark: 'r', colour: 'var(--warning)' },
  'rooveterinaryinc.roo-cline',
);
export const kiloExtension = taskFolders(
  { id: 'kilo_extension', title: 'Kilo Code (extension)', mark: 'k', colour: 'var(--accent)' },
  'kilocode.kilo-code',
);

/** The messages of the API, and beside them what the extension showed, which has the tokens of each request. */
function taskRecords(document: unknown, file: string): readonly ChatRecord[] {
  const task = basename(dirname(file));
  const shown = list(parseJson(readSmall(join(dirname(file), 'ui_messages.json')) ?? '')).map(object);
  const item = object(parseJson(readSmall(join(dirname(file), 'history_item.json')) ?? ''));
  const requests = shown.filter(({ say }) => say === 'api_req_started').map(requestUsage);
  const messages = list(document).map(object);
  const details = messages.map((message) => contentText(message.content)).find((said) => CWD.test(said));
  let answers = 0;
  return [
    {
      type: 'session',
      id: task,
      cwd: filled(item.workspace) ?? filled(item.cwdOnTaskInitialization) ?? CWD.exec(details ?? '')?.[1],
      at: count(Number(task)) || undefined,
    },
    ...messages.flatMap((message, index): readonly ChatRecord[] => {
      if (message.role !== 'assistant') return userRecords(message);
      const usage = requests[answers++];
      return [
        {
          type: 'assistant',
          id: `${task}:${index}`,
          at: message.ts,
          model: filled(object(message.modelInfo).modelId),
          blocks: blocksOf(message.content),
          ...(usage === undefined ? {} : { usage }),
        },
      ];
    }),
  ];
}

const CWD = /# Current (?:Working|Workspace) Directory \(([^)\n]+)\)/;

function requestUsage({ text: said }: JsonObject): ChatUsage | undefined {
  const used = parseJson(text(said) ?? '');
  if (!isObject(used) || used.tokensIn === undefined) return undefined;
  return {
    input: count(used.tokensIn),
    cached: count(used.cacheReads),
    cacheWrite: count(used.cacheWrites),
    output: count(used.tokensOut),
  };
}

function blocksOf(content: unknown): readonly ChatBlock[] {
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : list(content).map(object);
  return parts.flatMap((part: JsonObject): ChatBlock[] => {
    if (part.type === 'thinking' || part.type === 'reasoning')
      return [{ type: 'thinking', text: text(part.thinking) ?? text(part.text) ?? '' }];
    if (part.type === 'tool_use')
      return [
        {
          type: 'call',
          id: filled(part.id),
          name: filled(part.name) ?? 'tool',
          args: editArguments(part.input),
        },
      ];
    return part.type === 'text' ? [{ type: 'text', text: text(part.text) ?? '' }] : [];
  });
}

const CHANGE = /-{3,} SEARCH>?\n([\s\S]*?)\n?={3,}\n([\s\S]*?)\n?(?:\+{3,} REPLACE>?|>{3,} REPLACE)/;

/** A diff of one block as the texts before and after. */
function editArguments(input: unknown): unknown {
  const args = object(input);
  const change = CHANGE.exec((text(args.diff) ?? '').replace(/^<{3,} SEARCH/m, '------- SEARCH'));
  return change === null ? input : { ...args, old_string: change[1], new_string: change[2] };
}

/** What was typed is in `<task>`, `<feedback>` or `<user_message>`; the rest of the text is for the model. */
const TYPED = /<(task|feedback|user_message|answer)>\n?([\s\S]*?)\n?<\/\1>/;

function userRecords(message: JsonObject): readonly ChatRecord[] {
  const at = message.ts;
  const parts =
    typeof message.content === 'string'
      ? [{ type: 'text', text: message.content }]
      : list(message.content).map(object);
  const results = parts
    .filter((part: JsonObject) => part.type === 'tool_result')
    .map((part: JsonObject) => {
      const output = contentText(part.content);
      return {
        id: filled(part.tool_use_id),
        output,
        failed:
          part.is_error === true ||
          /exit code:? [1-9]|^The tool execution failed/im.test(output.slice(0, 600)),
      };
    });
  const typed = parts
    .filter((part: JsonObject) => part.type === 'text')
    .flatMap((part: JsonObject) => TYPED.exec(text(part.text) ?? '')?.[2] ?? []);
  return [
    ...(results.length > 0 ? [{ type: 'results' as const, results, at }] : []),
    ...(typed.length > 0 ? [{ type: 'user' as const, text: typed.join('\n'), at }] : []),
  ];
}
