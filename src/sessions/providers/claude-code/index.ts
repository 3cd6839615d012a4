import { basename, dirname, join } from 'node:path';
import { DAY_MS } from '../../../contract/time.ts';
import { filled, number, object, parseJson } from '../../model/log-json.ts';
import { toolsNamed } from '../../model/tool-kinds.ts';
import { parentFolder, readSmall, settingsBeside } from '../agent-files.ts';
import type { LogPlace, Provider } from '../provider.ts';
import { recordedDiff } from './claude-diffs.ts';
import { claudeFields } from './claude-fields.ts';
import { readClaudeRecord } from './claude-records.ts';
import { claudeTokenRecords } from './claude-token-records.ts';

const DEFAULT_RETENTION_DAYS = 30;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const LOG_NAME = new RegExp(`^(?:${UUID.source}|agent-[^.]+)\\.jsonl$`, 'i');
const UUID_FIELD = '"uuid":"';
const UUID_LENGTH = 36;

/** Logs: `~/.claude/projects/<slug>/<session>.jsonl`; subagents: `<session>/subagents/agent-<id>.jsonl`. */
export const claudeCode: Provider = {
  id: 'claude_code',
  title: 'Claude Code',
  aliases: ['claude'],
  mark: 'C',
  colour: 'var(--warning)',
  resume: 'claude --resume {id}',

  variables: ['CLAUDE_CONFIG_DIR'],
  logFolders(env, home) {
    const configured = (env.CLAUDE_CONFIG_DIR ?? '')
      .split(',')
      .map((path) => path.trim())
      .filter((path) => path !== '');
    const defaults = [join(home, '.claude'), join(env.XDG_CONFIG_HOME || join(home, '.config'), 'claude')];
    return (configured.length > 0 ? configured : defaults).map((path) => join(path, 'projects'));
  },
  logEndings: ['.jsonl'],
  otherFiles: /^history\.jsonl$/,
  otherFolders: ['tool-results', 'memory', 'checkpoints', 'shell-snapshots'],
  signature: {
    name: LOG_NAME,
    has: ({ uuid, sessionId, message }) =>
      filled(uuid) !== undefined && filled(sessionId) !== undefined && object(message).content !== undefined,
  },
  place(path, readAt) {
    const name = basename(path, '.jsonl');
    const agent = /^agent-(.+)$/.exec(name)?.[1];
    if (agent !== undefined) return { id: agent, ...parentFolder(dirname(path)), ...agentMeta(readAt) };
    return UUID.test(name) ? { id: name } : {};
  },

  tokenRecords: claudeTokenRecords,
  unrecorded: { reasoning: 'sometimes' },
  read: readClaudeRecord,
  fields: claudeFields,
  tools: toolsNamed({
    read: ['read', 'notebookread'],
    list: ['ls'],
    write: ['write'],
    edit: ['edit', 'multiedit', 'notebookedit'],
    execute: ['bash', 'bashoutput', 'killshell'],
    search: ['grep', 'glob', 'toolsearch'],
    web: ['websearch', 'web_search', 'webfetch', 'web_fetch'],
    agent: ['task', 'agent'],
    plan: ['todowrite', 'todoread', 'exitplanmode'],
  }),
  copyKey(line) {
    const at = line.lastIndexOf(UUID_FIELD);
    return at < 0 ? undefined : line.slice(at + UUID_FIELD.length, at + UUID_FIELD.length + UUID_LENGTH);
  },
  recordedDiff: (record) => recordedDiff(object(record.toolUseResult)),
  warmUpPrompt: 'Warmup',
  flatSubagents: true,
  contextWindows: [200_000, 1_000_000],

  spillFolders(log) {
    const folder = dirname(log);
    const session = basename(log).replace(/\.jsonl(?:\.gz)?$/, '');
    return [
      { path: join(folder, session, 'tool-results'), base: folder },
      { path: join(dirname(folder), 'tool-results'), base: dirname(folder) },
    ];
  },
  sideFiles: (log) => [metaFile(log)],

  retentionMs: (folder) =>
    (number(settingsBeside(folder).cleanupPeriodDays) ?? DEFAULT_RETENTION_DAYS) * DAY_MS,
  keepLonger: 'set "cleanupPeriodDays": 3650 in ~/.claude/settings.json',
};

function metaFile(log: string): string {
  return log.replace(/\.jsonl$/, '.meta.json');
}

function agentMeta(log: string): LogPlace {
  const meta = object(parseJson(readSmall(metaFile(log)) ?? ''));
  return { agentName: filled(meta.agentType), spawnCall: filled(meta.toolUseId) };
}
