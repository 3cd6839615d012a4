import { Lru } from './lru.ts';

/** The folders that agents brought along since this process began. */
export interface AgentFolders {
  note(folders: readonly string[]): void;
  /** Latest last. */
  list(): readonly string[];
}

const MAX_FOLDERS = 50;

/**
 * Remembers what agents bring, for the page of the person beside them: a link in an answer leads there, and has to
 * open. Agents never get each other's folders from here.
 */
export function createAgentFolders(): AgentFolders {
  const known = new Lru<string, true>({ most: MAX_FOLDERS });
  return {
    note(folders) {
      for (const folder of folders) known.set(folder, true);
    },
    list: () => [...known.keys()],
  };
}
