import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Agents whose logs Pinhole does not read yet, and where those are below the home folder. */
const UNREAD: readonly { readonly title: string; readonly paths: readonly string[] }[] = [
  { title: 'Cursor (chats of its command line)', paths: ['.cursor/chats'] },
  { title: 'Hermes', paths: ['.hermes/state.db'] },
  { title: 'Continue', paths: ['.continue/sessions'] },
  { title: 'Kimi CLI (before Kimi Code)', paths: ['.kimi/sessions'] },
  { title: 'Antigravity', paths: ['.gemini/antigravity', '.gemini/antigravity-cli'] },
  { title: 'Augment', paths: ['.augment/sessions'] },
  { title: 'Codebuff', paths: ['.config/manicode/projects'] },
  { title: 'Cortex', paths: ['.snowflake/cortex/conversations'] },
  { title: 'Forge', paths: ['.forge'] },
  { title: 'gptme', paths: ['.local/share/gptme/logs'] },
  { title: 'iFlow', paths: ['.iflow/projects'] },
  { title: 'Kiro', paths: ['.kiro/sessions', '.local/share/kiro-cli'] },
  { title: 'Mistral Vibe', paths: ['.vibe/logs/session'] },
  { title: 'OpenHands', paths: ['.openhands/conversations'] },
  { title: 'Trae', paths: ['.trae/cli/sessions'] },
  { title: 'Windsurf', paths: ['.codeium/windsurf/cascade'] },
  { title: 'Zencoder', paths: ['.zencoder/sessions'] },
];

/** Logs on this machine that no provider reads. */
export function unreadFolders(home: string): readonly { readonly title: string; readonly path: string }[] {
  return UNREAD.flatMap(({ title, paths }) =>
    paths
      .map((path) => join(home, path))
      .filter((path) => existsSync(path))
      .map((path) => ({ title, path })),
  );
}
