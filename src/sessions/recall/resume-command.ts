import { providerWith } from '../providers/index.ts';
import type { Provider } from '../providers/provider.ts';
import type { SessionRow } from '../store/session-row.ts';

/** The command that continues a session in its folder; undefined for an agent that cannot resume. */
export function resumeCommand(
  { provider, id, cwd, projectPath }: Pick<SessionRow, 'provider' | 'id' | 'cwd' | 'projectPath'>,
  providers: readonly Provider[],
): string | undefined {
  const command = providerWith(providers, provider)?.resume?.replace('{id}', () => shellWord(id));
  const folder = cwd ?? projectPath;
  return command !== undefined && folder !== undefined ? `cd ${shellWord(folder)} && ${command}` : command;
}

/** A word for a shell, quoted if it contains anything the shell would interpret. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
