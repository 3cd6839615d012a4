import { dirname, join } from 'node:path';
import { namesIn } from '../providers/agent-files.ts';
import type { AgentPath, Provider } from '../providers/provider.ts';

/** Small files that belong to a log: descriptions of a subagent or a project, and large outputs. */
export function sideFiles(provider: Provider, log: string): readonly AgentPath[] {
  const about = provider.sideFiles?.(log) ?? [];
  const spilled = provider.spillFolders?.(log) ?? [];
  return [
    ...about.map((path) => ({ path, base: dirname(path) })),
    ...spilled.flatMap(({ path: folder, base }) =>
      namesIn(folder).map((name) => ({ path: join(folder, name), base })),
    ),
  ];
}
