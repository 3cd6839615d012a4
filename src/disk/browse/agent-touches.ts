/** An agent session that had to do with a file, as far as disks know. */
export interface Toucher {
  readonly session_id: string;
  readonly last: string;
  readonly reads?: number | undefined;
  readonly changes?: number | undefined;
}

/** Who touched a path, newest first; empty where nobody is known. */
export interface TouchServices {
  readonly touchedBy: (path: string) => Promise<readonly Toucher[]>;
}
