import { basename, dirname, join, sep } from 'node:path';
import { filled, object, parseJson } from '../../model/log-json.ts';
import { readSmall } from '../agent-files.ts';
import type { LogPlace, Provider } from '../provider.ts';
import { qwenFields } from './qwen-fields.ts';
import { qwenDiff, qwenTools, readQwenRecord } from './qwen-records.ts';

const UUID_FIELD = '"uuid":"';
const UUID_LENGTH = 36;

/** Logs: `~/.qwen/projects/<slug>/chats/<session>.jsonl`; subagents: `<slug>/subagents/<session>/agent-<id>.jsonl`. */
export const qwen: Provider = {
  id: 'qwen',
  title: 'Qwen Code',
  aliases: ['qwen cli'],
  mark: 'Q',
  colour: 'var(--text-2)',

  variables: ['QWEN_HOME'],
  logFolders: (env, home) => [join(env.QWEN_HOME || join(home, '.qwen'), 'projects')],
  logEndings: ['.jsonl'],
  otherFiles: /^usage_record\.jsonl$/,
  otherFolders: ['memory', 'checkpoints', 'tool-results'],
  signature: {
    name: /^(?:agent-|[0-9a-f]{8}-)/,
    has: ({ uuid, message }) => filled(uuid) !== undefined && Array.isArray(object(message).parts),
  },
  place(path, readAt) {
    const name = basename(path, '.jsonl');
    return path.includes(`${sep}subagents${sep}`)
      ? { id: name.replace(/^agent-/, ''), parentId: basename(dirname(path)), ...agentMeta(readAt) }
      : { id: name };
  },

  unrecorded: { cacheWrite: 'always' },
  read: readQwenRecord,
  fields: qwenFields,
  tools: qwenTools,
  copyKey(line) {
    const at = line.indexOf(UUID_FIELD);
    return at < 0 ? undefined : line.slice(at + UUID_FIELD.length, at + UUID_FIELD.length + UUID_LENGTH);
  },
  recordedDiff: qwenDiff,
  sideFiles: (log) => [metaFile(log)],
};

function metaFile(log: string): string {
  return log.replace(/\.jsonl$/, '.meta.json');
}

function agentMeta(log: string): LogPlace {
  const meta = object(parseJson(readSmall(metaFile(log)) ?? ''));
  const parent = filled(meta.parentAgentId);
  return {
    agentName: filled(meta.agentType),
    spawnCall: filled(meta.toolUseId),
    model: filled(object(meta.persistedCliFlags).model),
    ...(parent === undefined ? {} : { parentId: parent }),
  };
}
