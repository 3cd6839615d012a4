import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Agents whose logs Pinhole does not read yet, and where they keep them below the home folder. */
const UNREAD: readonly { readonly title: string; readonly paths: readonly string[] }[] = [
  { title: 'Cursor (chats of its command line)', paths: ['.cursor/chats'] },
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
