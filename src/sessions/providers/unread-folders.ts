import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Agents whose logs Pinhole does not read yet, and where they keep them below the home folder. */
const UNREAD: readonly { readonly title: string; readonly paths: readonly string[] }[] = [
  { title: 'Cursor', paths: ['.cursor/projects', '.cursor/chats'] },
  {
    title: 'VS Code Copilot Chat',
    paths: ['.config/Code/User/workspaceStorage', 'Library/Application Support/Code/User/workspaceStorage'],
  },
  { title: 'Crush', paths: ['.local/share/crush'] },
  { title: 'Goose', paths: ['.local/share/goose/sessions'] },
  { title: 'Amp', paths: ['.local/share/amp/threads'] },
  { title: 'Zed', paths: ['.local/share/zed/threads', 'Library/Application Support/Zed/threads'] },
  { title: 'Hermes', paths: ['.hermes/state.db'] },
  { title: 'Continue', paths: ['.continue/sessions'] },
  { title: 'Kimi CLI (before Kimi Code)', paths: ['.kimi/sessions'] },
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
