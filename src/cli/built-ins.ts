import type { BuiltIn } from '../command/built-in.ts';

export interface BuiltInEntry {
  readonly name: string;
  readonly summary: string;
  /** Left out of the help: Pinhole itself uses it. */
  readonly hidden?: boolean;
  readonly load: () => Promise<BuiltIn>;
}

/** Each command is loaded only when it is run, so that `pinhole mcp` starts at once. */
export const BUILT_INS: readonly BuiltInEntry[] = [
  {
    name: 'setup',
    summary: 'Add Pinhole to your agents and editors, or remove it.',
    load: async () => (await import('./setup-command.ts')).setup,
  },
  {
    name: 'doctor',
    summary: 'Check everything Pinhole needs and show what to fix.',
    load: async () => (await import('./doctor-command.ts')).doctor,
  },
  {
    name: 'mcp',
    summary: 'Serve MCP over stdin and stdout, for an agent.',
    load: async () => (await import('../mcp/command.ts')).mcp,
  },
  {
    name: 'start',
    summary: 'Run Pinhole in this terminal and index the current folder.',
    load: async () => (await import('./start-command.ts')).start,
  },
  {
    name: 'open',
    summary: 'Open the page in the browser, signed in.',
    load: async () => (await import('./open-command.ts')).open,
  },
  {
    name: 'token',
    summary: 'Print the token that scripts and HTTP clients send.',
    load: async () => (await import('./token-command.ts')).token,
  },
  {
    name: 'grep',
    summary: 'Search code through the index, with the flags of ripgrep.',
    load: async () => (await import('./grep-command.ts')).grep,
  },
  {
    name: 'sql',
    summary: 'Ask code, agent sessions and disks with SQL.',
    load: async () => (await import('./sql-command.ts')).sql,
  },
  {
    name: 'collect',
    summary: 'Send agent sessions of this machine to a team server, redacted.',
    load: async () => (await import('./collect-command.ts')).collect,
  },
  {
    name: 'migrate',
    summary: 'Move the sessions of this machine to the PostgreSQL of a team server.',
    load: async () => (await import('./migrate-command.ts')).migrate,
  },
  {
    name: 'retention',
    summary: 'Show or set how long a team server keeps sessions.',
    load: async () => (await import('./retention-command.ts')).retention,
  },
  {
    name: 'mirror',
    summary: 'Keep copies of git repositories, to answer questions about their code.',
    load: async () => (await import('./mirror-command.ts')).mirror,
  },
  {
    name: 'team',
    summary: 'Make, list, rotate and revoke the tokens of a team server.',
    load: async () => (await import('./team-command.ts')).team,
  },
  {
    name: 'status',
    summary: 'Show whether the background process is running, and where.',
    load: async () => (await import('./status-command.ts')).status,
  },
  {
    name: 'stop',
    summary: 'Stop the background process.',
    load: async () => (await import('./stop-command.ts')).stop,
  },
  {
    name: 'restart',
    summary: 'Restart the background process.',
    load: async () => (await import('./restart-command.ts')).restart,
  },
  {
    name: 'watch',
    summary: 'Follow the agent session in progress: context, tools, failures.',
    load: async () => (await import('./watch-command.ts')).watch,
  },
  {
    name: 'logs',
    summary: 'Show the log of the background process.',
    load: async () => (await import('./logs-command.ts')).logs,
  },
  {
    name: 'reset',
    summary: 'Delete what Pinhole stored: indexes, selections, settings. The logs of agents are not touched.',
    load: async () => (await import('./reset-command.ts')).reset,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for bash, zsh or fish.',
    load: async () => (await import('./completion-command.ts')).completion,
  },
  {
    name: 'man',
    summary: 'Print the manual page, for man.',
    load: async () => (await import('./man-command.ts')).man,
  },
  {
    name: 'complete',
    summary: 'What may come next, for the completion scripts.',
    hidden: true,
    load: async () => (await import('./complete-command.ts')).complete,
  },
  {
    name: 'background',
    summary: 'The background process itself.',
    hidden: true,
    load: async () => (await import('../daemon/command.ts')).background,
  },
];
