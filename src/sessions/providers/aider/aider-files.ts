import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readSmall } from '../agent-files.ts';

/** The name of the file with all chats of a project. */
export const HISTORY = '.aider.chat.history.md';

/** Aider keeps no list of its projects, so they are searched for below the home folder, within these limits. */
const MAX_DEPTH = 4;
const MAX_FOLDERS = 1_000;
const NOT_PROJECTS = new Set(['node_modules', 'Library', 'AppData', 'snap', 'go', 'target', 'venv']);

/** The history files of this machine: the one that the variable names, else one per project. */
export function historyFiles(env: NodeJS.ProcessEnv, home: string): readonly string[] {
  if (env.AIDER_CHAT_HISTORY_FILE?.endsWith(HISTORY)) return [env.AIDER_CHAT_HISTORY_FILE];
  // Aider creates this folder when it starts for the first time.
  return existsSync(join(home, '.aider')) ? historiesBelow(home) : [];
}

/** Searches folders level by level, so that the limit cuts off the deepest ones. */
function historiesBelow(home: string): readonly string[] {
  const found: string[] = [];
  let looked = 0;
  let level: readonly string[] = [home];
  for (let depth = 0; depth <= MAX_DEPTH; depth++) {
    const below: string[] = [];
    for (const folder of level) {
      if (++looked > MAX_FOLDERS) return found;
      const entries = entriesOf(folder);
      if (entries.some(({ name }) => name === HISTORY)) found.push(join(folder, HISTORY));
      // Aider writes to the root of a repository, never below it.
      if (folder !== home && entries.some(({ name }) => name === '.git')) continue;
      for (const entry of entries)
        if (entry.isDirectory() && !entry.name.startsWith('.') && !NOT_PROJECTS.has(entry.name))
          below.push(join(folder, entry.name));
    }
    level = below;
  }
  return found;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export interface TypedPrompt {
  readonly ms: number;
  readonly text: string;
}

/** The prompts typed in a project, with times: `# TIME`, then the lines of the prompt, each after a `+`. */
export function typedPrompts(project: string): readonly TypedPrompt[] {
  const source = readSmall(join(project, '.aider.input.history')) ?? '';
  return source.split(/^# (?=\d{4}-)/m).flatMap((entry) => {
    const [at = '', ...lines] = entry.split(/\r?\n/);
    const ms = localTime(at);
    const typed = lines.filter((line) => line.startsWith('+')).map((line) => line.slice(1));
    return ms === undefined ? [] : [{ ms, text: typed.join('\n') }];
  });
}

/** Aider writes times in this machine's time zone, without naming it. */
export function localTime(written: string): number | undefined {
  const ms = Date.parse(written.trim().replace(' ', 'T').slice(0, 23));
  return Number.isNaN(ms) ? undefined : ms;
}
