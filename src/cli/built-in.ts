/** A command that is more than one operation, such as `mcp` or `start`. */
export interface BuiltIn {
  readonly usage: string;
  /** Flags with what they do, for the help text. */
  readonly flags: readonly (readonly [string, string])[];
  readonly examples: readonly string[];
  /** Returns the exit code: 0 fine, 1 failed, 2 wrong usage. */
  run(args: readonly string[]): Promise<number>;
}

export interface BuiltInEntry {
  readonly name: string;
  readonly summary: string;
  /** Not shown in help: used by Pinhole itself. */
  readonly hidden?: boolean;
  readonly load: () => Promise<BuiltIn>;
}

/** Loaded only when asked for, so that `pinhole mcp` starts at once. */
export const BUILT_INS: readonly BuiltInEntry[] = [
  {
    name: 'setup',
    summary: 'Add Pinhole to Claude Code, Codex, Gemini CLI, Cursor, VS Code and opencode.',
    load: async () => (await import('./setup.ts')).setup,
  },
  {
    name: 'doctor',
    summary: 'Check everything Pinhole needs and say what to fix.',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'mcp',
    summary: 'Serve MCP over stdin and stdout, for an agent.',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    name: 'start',
    summary: 'Run Pinhole in this terminal and index the current folder.',
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'open',
    summary: 'Open the page in the browser, signed in.',
    load: async () => (await import('./open.ts')).open,
  },
  {
    name: 'token',
    summary: 'Print the token that scripts and HTTP clients send.',
    load: async () => (await import('./token.ts')).token,
  },
  {
    name: 'grep',
    summary: 'Search code with the flags of ripgrep, through the index.',
    load: async () => (await import('./grep.ts')).grep,
  },
  {
    name: 'status',
    summary: 'Tell whether the background process runs, and where.',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'stop',
    summary: 'End the background process.',
    load: async () => (await import('./stop.ts')).stop,
  },
  {
    name: 'restart',
    summary: 'End the background process and start it again.',
    load: async () => (await import('./restart.ts')).restart,
  },
  {
    name: 'watch',
    summary: 'Follow the agent session that is being written: context, tools, failures.',
    load: async () => (await import('./watch.ts')).watch,
  },
  {
    name: 'logs',
    summary: 'Show the log of the background process.',
    load: async () => (await import('./logs.ts')).logs,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish.',
    load: async () => (await import('./completion.ts')).completion,
  },
  {
    name: 'owner',
    summary: 'The background process itself.',
    hidden: true,
    load: async () => (await import('./owner.ts')).owner,
  },
];
