import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Provider } from '../model/event.ts';
import { spillFolders } from '../read/spilled.ts';

const LARGEST = 64 << 20;

/** Small files that belong to a log: what it says of a subagent or a project, and large outputs. */
export function sideFiles(provider: Provider, log: string): readonly string[] {
  const chats = log.lastIndexOf('/chats/');
  const about =
    provider === 'claude_code'
      ? [log.replace(/\.jsonl$/, '.meta.json')]
      : provider === 'gemini' && chats >= 0
        ? [
            join(log.slice(0, chats), '.project_root'),
            join(dirname(dirname(log.slice(0, chats))), 'projects.json'),
          ]
        : [];
  return [...about, ...spillFolders(provider, log).flatMap(filesIn)].filter(isSmall);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function isSmall(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= LARGEST;
}
