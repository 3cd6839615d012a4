/** An agent session that read or changed a file. */
export interface AgentTouch {
  readonly session_id: string;
  readonly last: string;
  readonly reads?: number | undefined;
  readonly changes?: number | undefined;
}

/** The agent sessions that touched a path, newest first. */
export interface TouchServices {
  readonly touchedBy: (path: string) => Promise<readonly AgentTouch[]>;
}
