import { shellWord } from '../ui/shell-word.ts';

/** How each agent continues a session in a terminal; agents that cannot are not listed. */
const COMMANDS: Readonly<Record<string, (id: string) => string>> = {
  claude_code: (id) => `claude --resume ${id}`,
  codex: (id) => `codex resume ${id}`,
  gemini: (id) => `gemini --resume ${id}`,
  opencode: (id) => `opencode --session ${id}`,
};

/** The line that continues a session in its folder; undefined for an agent that cannot do it. */
export function resumeCommand(session: {
  readonly provider: string;
  readonly session_id: string;
  readonly cwd?: string | undefined;
  readonly project?: { readonly path?: string | undefined } | undefined;
}): string | undefined {
  const command = COMMANDS[session.provider]?.(shellWord(session.session_id));
  const folder = session.cwd ?? session.project?.path;
  return command !== undefined && folder !== undefined ? `cd ${shellWord(folder)} && ${command}` : command;
}
