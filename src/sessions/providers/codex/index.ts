import { dirname, join, sep } from 'node:path';
import { filled, object } from '../../model/log-json.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import type { Provider } from '../provider.ts';
import { codexFields } from './codex-fields.ts';
import { readCodexRecord } from './codex-records.ts';
import { threadFacts } from './codex-threads.ts';
import { codexTokenRecords } from './codex-token-records.ts';

/** Logs: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`, cold ones as `.jsonl.zst`. */
export const codex: Provider = {
  id: 'codex',
  title: 'Codex',
  aliases: ['codex cli'],
  mark: 'X',
  colour: 'var(--ok)',
  resume: 'codex resume {id}',

  variables: ['CODEX_HOME'],
  logFolders(env, home) {
    const folder = env.CODEX_HOME || join(home, '.codex');
    return [join(folder, 'sessions'), join(folder, 'archived_sessions')];
  },
  logEndings: ['.jsonl', '.jsonl.zst'],
  otherFiles: /^(?:session_index|history)\.jsonl$/,
  otherFolders: ['memory', 'checkpoints', 'shell-snapshots'],
  signature: {
    name: /^rollout-/,
    has: ({ type, payload }) => type === 'session_meta' && filled(object(payload).id) !== undefined,
  },
  place: (path) => ({ archived: path.includes(`${sep}archived_sessions${sep}`) }),

  tokenRecords: codexTokenRecords,
  unrecorded: { cacheWrite: 'sometimes' },
  read: readCodexRecord,
  fields: codexFields,
  tools: toolsNamed({
    read: ['read_file', 'view_image'],
    list: ['list_directory'],
    write: ['write_file'],
    patch: ['apply_patch'],
    execute: ['shell', 'shell_command', 'exec_command', 'local_shell', 'write_stdin', 'container.exec'],
    search: ['tool_search'],
    web: ['web_search'],
    agent: ['spawn_agent'],
    plan: ['update_plan'],
  }),
  // Copies differ in their time and ordinal, which come before the type.
  copyKey(line) {
    const type = line.indexOf('"type":');
    return type < 0 ? line : line.slice(type);
  },
  recordedDiff(record, path) {
    const payload = object(record.payload);
    const changes = object(payload.changes ?? object(payload.item).changes);
    const change = object(changes[path] ?? Object.values(changes)[0]);
    return filled(change.unified_diff) ?? filled(object(change.update).unified_diff);
  },

  sessionInRequest: { meta: 'x-codex-turn-metadata', fields: ['thread_id', 'session_id'] },
  sideFacts: (folders, unreadable) => threadFacts(new Set(folders.map(dirname)), unreadable),
};
