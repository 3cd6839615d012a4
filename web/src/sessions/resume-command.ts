import { AGENTS } from '../../../src/sessions/providers/agents.data.ts';
import { shellWord } from '../ui/shell-word.ts';

/** The line that continues a session in its folder; undefined for an agent that cannot do it. */
export function resumeCommand(session: {
  readonly provider: string;
  readonly session_id: string;
  readonly cwd?: string | undefined;
  readonly project?: { readonly path?: string | undefined } | undefined;
}): string | undefined {
  const { resume } = AGENTS.find(({ id }) => id === session.provider) ?? {};
  const command = resume?.replace('{id}', () => shellWord(session.session_id));
  const folder = session.cwd ?? session.project?.path;
  return command !== undefined && folder !== undefined ? `cd ${shellWord(folder)} && ${command}` : command;
}
