import type { Installed } from '../install.ts';
import type { ModelApi, ModelCall } from '../model/conversation.ts';

/** How a client starts an MCP server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Where a client runs, and what it runs with. */
export interface Setup {
  /** An empty home for settings and logs. */
  readonly home: string;
  readonly modelUrl: string;
  readonly server: ServerCommand;
  readonly installed: Installed;
  readonly prompt: string;
}

/** A command line that exits when the conversation ends. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A program in which a model calls our tools. */
export interface Agent {
  readonly title: string;
  readonly package: string;
  readonly api: ModelApi;
  /** What the model must write to call a tool of the server `pinhole`. */
  readonly named: (tool: string) => Omit<ModelCall, 'input'>;
  /** Writes the settings and says how to start. */
  readonly prepare: (setup: Setup) => Launch;
}
