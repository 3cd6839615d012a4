import { createHash } from 'node:crypto';
import { basename, dirname, join, sep } from 'node:path';
import { DAY_MS } from '../../../contract/time.ts';
import { filled, list, object, parseJson, text } from '../../model/log-json.ts';
import { namesIn, parentFolder, readSmall, settingsBeside } from '../agent-files.ts';
import type { Provider } from '../provider.ts';
import { geminiFields } from './gemini-fields.ts';
import { readGeminiRecord } from './gemini-records.ts';
import { geminiTools } from './gemini-tools.ts';

const AGE_UNITS = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS, m: 30 * DAY_MS } as const;

/** Logs: `~/.gemini/tmp/<project>/chats/session-<time>.jsonl`; older versions wrote one `.json` document per chat. */
export const gemini: Provider = {
  id: 'gemini',
  title: 'Gemini CLI',
  mark: 'G',
  colour: 'var(--accent)',
  resume: 'gemini --resume {id}',

  variables: ['GEMINI_CLI_HOME'],
  logFolders: (env, home) => [join(env.GEMINI_CLI_HOME || home, '.gemini', 'tmp')],
  logEndings: ['.jsonl', '.json'],
  otherFiles: /^(?:history\.jsonl|(?:logs|projects|settings)\.json|.*\.meta\.json|checkpoint-.*\.json)$/,
  otherFolders: ['tool-outputs', 'memory', 'checkpoints', 'shell-snapshots'],
  signature: {
    name: /^(?:session-|[a-z0-9]{6}\.)/,
    has: ({ sessionId, projectHash }) => filled(sessionId) !== undefined && filled(projectHash) !== undefined,
  },
  place: (path, readAt) => ({ ...parentFolder(path), cwd: projectOfChat(readAt) }),

  unrecorded: { cacheWrite: 'always' },
  read: readGeminiRecord,
  fields: geminiFields,
  tools: geminiTools,
  recordedDiff(record, path) {
    for (const call of list(record.toolCalls).map(object)) {
      const display = object(call.resultDisplay);
      const args = object(call.args);
      if (filled(display.filePath) !== path && !path.endsWith(filled(args.file_path) ?? '\0')) continue;
      const diff = filled(display.fileDiff);
      if (diff !== undefined) return diff.replace(/^(?:Index: .*\n|=+\n|--- .*\n|\+\+\+ .*\n)+/, '');
    }
    return undefined;
  },
  contextWindows: [1_048_576],

  spillFolders(log) {
    const base = projectFolder(log);
    if (base === undefined) return [];
    const outputs = join(base, 'tool-outputs');
    return [outputs, ...namesIn(outputs).map((name) => join(outputs, name))].map((path) => ({ path, base }));
  },
  sideFiles(log) {
    const folder = projectFolder(log);
    return folder === undefined ? [] : [join(folder, '.project_root'), projectsFile(folder)];
  },

  retentionMs(folder) {
    const kept = object(object(settingsBeside(folder).general).sessionRetention);
    return kept.enabled === true ? ageMs(text(kept.maxAge)) : undefined;
  },
  keepLonger: 'raise general.sessionRetention.maxAge in ~/.gemini/settings.json',
};

/** The folder of the project that a chat belongs to. */
function projectFolder(log: string): string | undefined {
  const chats = log.lastIndexOf(`${sep}chats${sep}`);
  return chats < 0 ? undefined : log.slice(0, chats);
}

/** The list of projects, next to the folder that contains them all. */
function projectsFile(folder: string): string {
  return join(dirname(dirname(folder)), 'projects.json');
}

/**
 * `tmp/<slug>/.project_root` holds the path of the project; so does `projects.json` above `tmp`. Older versions name
 * the folder after the hash of the path.
 */
function projectOfChat(log: string): string | undefined {
  const folder = projectFolder(log);
  if (folder === undefined) return undefined;
  const root = filled(readSmall(join(folder, '.project_root'))?.trim());
  if (root !== undefined) return root;
  const { projects } = object(parseJson(readSmall(projectsFile(folder)) ?? ''));
  const slug = basename(folder);
  return Object.entries(object(projects)).find(
    ([project, name]) => name === slug || createHash('sha256').update(project).digest('hex') === slug,
  )?.[0];
}

function ageMs(age: string | undefined): number | undefined {
  const [, amount, unit] = /^(\d+)\s*([hdwm])$/.exec(age ?? '') ?? [];
  if (unit !== 'h' && unit !== 'd' && unit !== 'w' && unit !== 'm') return undefined;
  return Number(amount) * AGE_UNITS[unit];
}
