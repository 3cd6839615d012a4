import { join } from 'node:path';

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'];

/** The `User` folders of editors made from VS Code, on Linux and macOS; a server keeps them in its own folder. */
export function editorFolders(
  env: NodeJS.ProcessEnv,
  home: string,
  editors: readonly string[] = EDITORS,
): readonly string[] {
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  return [
    ...editors.flatMap((name) => [
      join(config, name, 'User'),
      join(home, 'Library', 'Application Support', name, 'User'),
    ]),
    ...(editors.includes('Code') ? [join(home, '.vscode-server', 'data', 'User')] : []),
    ...(editors.includes('Cursor') ? [join(home, '.cursor-server', 'data', 'User')] : []),
  ];
}
