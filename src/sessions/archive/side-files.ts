import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Provider } from '../model/event.ts';
import { spillFolders } from '../read/spilled.ts';

export interface SideFile {
  readonly path: string;
  /** No part of the path below this folder may be a link. */
  readonly base: string;
}

/** Small files that belong to a log: what it says of a subagent or a project, and large outputs. */
export function sideFiles(provider: Provider, log: string): readonly SideFile[] {
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
  return [
    ...about.map((path) => ({ path, base: dirname(path) })),
    ...spillFolders(provider, log).flatMap(({ folder, base }) =>
      filesIn(folder).map((path) => ({ path, base })),
    ),
  ];
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
