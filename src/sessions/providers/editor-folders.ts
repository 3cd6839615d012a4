import { existsSync } from 'node:fs';
import { join } from 'node:path';

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** The `User` folders on this machine of editors based on VS Code; remote servers have their own. */
export function editorFolders(
  env: NodeJS.ProcessEnv,
  home: string,
  editors: readonly string[] = EDITORS,
): readonly string[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  const possible = [
    ...editors.flatMap((name) => [
      join(config, name, 'User'),
      join(home, 'Library', 'Application Support', name, 'User'),
    ]),
    ...(editors.includes('Code') ? [join(home, '.vscode-server', 'data', 'User')] : []),
    ...(editors.includes('Cursor') ? [join(home, '.cursor-server', 'data', 'User')] : []),
  ];
  return possible.filter((folder) => existsSync(folder));
}
