export const FORMATS = ['json', 'text'] as const;
export type Format = (typeof FORMATS)[number];

export const BUDGET = { min: 2_000, default: 8_000, max: 100_000, rest: 1_000_000 } as const;

export const SESSION_SCOPES = ['project', 'all'] as const;
export type SessionScope = (typeof SESSION_SCOPES)[number];

export type Door = 'mcp' | 'rest' | 'page' | 'cli';

/** The terminal that a person reads the answer on. */
export interface Terminal {
  readonly columns: number;
  /** It shows more characters than those of ASCII. */
  readonly unicode: boolean;
  readonly colours?: boolean | undefined;
  /** An answer is cut to this many lines, each as wide as the terminal at most; whole if not given. */
  readonly rows?: number | undefined;
}

/** Who asks, through which door, and how the answer should look. */
export interface Caller {
  readonly door: Door;
  /** Name of the client for the audit, such as `claude-code 2.1.325`. */
  readonly client: string;
  /** Tells callers apart; the client where nothing finer is known. */
  readonly id: string;
  /** Callers that share the limits on calls, such as all connections from one folder; each its own if not given. */
  readonly limitedWith?: string | undefined;
  /** Folders the caller brings along as readable. */
  readonly roots: readonly string[];
  /** Folder for relative paths. */
  readonly cwd?: string | undefined;
  /** Where the caller reached this server, such as `http://host:4747`; links in the answer begin with it. */
  readonly origin?: string | undefined;
  /** Most bytes an answer may have. */
  readonly budget: number;
  readonly format: Format;
  /** The caller's time zone, an IANA name; that of this process where it is not given. */
  readonly zone?: string | undefined;
  /** Where the answer is shown; absent if it goes into a pipe or a file, or to a program. */
  readonly terminal?: Terminal | undefined;
  /** Longest an answer may take; the default of the background process where it is not given. */
  readonly timeoutMs?: number | undefined;
  /** A list comes whole, whatever its limit; only the budget ends it. */
  readonly whole?: boolean | undefined;
  /** Rows without lists in them, all of them: for tables such as CSV. */
  readonly flat?: boolean | undefined;
  /** Show the plan instead of the data. */
  readonly explain?: boolean | undefined;
  /** The tools that an agent sees; undefined: any. Answers suggest no others to it. */
  readonly tools?: readonly string[] | undefined;
  /** Has the token for a team: reads what was allowed, and nothing else. */
  readonly reader?: boolean | undefined;
  /** The projects whose sessions the holder of a team's token sees. */
  readonly sees?: 'all' | readonly string[] | undefined;
  /** The holder of a team's token who does not administer it: only their own calls are in the audit for them. */
  readonly ownCallsOf?: string | undefined;
  /** Which sessions it sees: all of them, or those of the folders that it brings along. */
  readonly sessions?: SessionScope | undefined;
  /** The agent session that is asking, where the client says so. */
  readonly session?: string | undefined;
}

/** True for a person at the page or a terminal. */
export function isPerson({ door }: Pick<Caller, 'door'>): boolean {
  return door === 'page' || door === 'cli';
}

/** True for callers with room for whole lists: a page for people has it, a context window has not. */
export function roomy({ budget }: Pick<Caller, 'budget'>): boolean {
  return budget > BUDGET.max;
}

interface Sized {
  readonly glance?: number | undefined;
  readonly limit?: { readonly default: number } | undefined;
}

/** The most bytes an answer of an operation may have, where the caller wants this many rows. */
export function answerBudget(caller: Pick<Caller, 'budget'>, operation: Sized, limit: number): number {
  const { glance = caller.budget, limit: rows } = operation;
  if (roomy(caller) || (rows !== undefined && limit > rows.default)) return caller.budget;
  return Math.min(caller.budget, glance);
}
