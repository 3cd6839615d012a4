import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { durationSeconds, iso, shortHash, snip } from './shared.ts';

export interface SessionSummary {
  readonly id: string;
  readonly session_id: string;
  readonly provider: string;
  readonly version?: string | undefined;
  readonly model?: string | undefined;
  readonly title?: string | undefined;
  readonly project?: { readonly hash?: string | undefined; readonly path?: string | undefined } | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly parent?: { readonly id: string; readonly relation: string } | undefined;
  readonly start_time: string;
  readonly end_time: string;
  readonly stats: {
    readonly total_turns: number;
    readonly total_steps: number;
    readonly total_events: number;
    readonly total_tokens: number;
    readonly duration_seconds: number;
    readonly tool_calls: number;
    readonly failures: number;
    readonly compactions?: number | undefined;
  };
  readonly tokens: TokenSplit;
  readonly first_prompt: string;
  readonly last_message?: string | undefined;
  readonly files: readonly { readonly path: string; readonly reads: number; readonly edits: number }[];
  readonly subagents: readonly {
    readonly id: string;
    readonly relation: string;
    readonly name?: string | undefined;
    readonly total_tokens: number;
  }[];
  readonly unknown_records?: number | undefined;
  readonly bad_lines?: number | undefined;
  readonly expires_at?: string | undefined;
}

interface TokenSplit {
  readonly input: number;
  readonly cached: number;
  readonly cache_write: number;
  /** The part of those writes that is kept for an hour, at twice the price of input. */
  readonly cache_write_1h?: number | undefined;
  readonly output: number;
  readonly reasoning: number;
  readonly tool?: number | undefined;
  /** True when the client never wrote some final counts: the truth is this or more. */
  readonly lower_bound?: true | undefined;
  /** An estimate from public list prices. */
  readonly cost_usd?: number | undefined;
  /** Responses that are in it at the prices of long prompts. */
  readonly long_context?: number | undefined;
  /** Responses in this log that an earlier session owns, and that are counted there. */
  readonly counted_elsewhere?: { readonly responses: number; readonly tokens: number } | undefined;
}

/** Everything about a session that fits one small answer; of files and subagents so many at most. */
export async function summarize(sessions: Sessions, session: SessionRow, most = 10): Promise<SessionSummary> {
  const [tokens, elsewhere, files, children, expires] = await Promise.all([
    sessions.usage.ofSession(session),
    sessions.usage.countedElsewhere(session),
    sessions.files.ofSession(session, most),
    sessions.list.children(session, most),
    sessions.archive.expiresAt(session),
  ]);
  const prefix = session.projectPath === undefined ? undefined : `${session.projectPath}/`;
  const near = (path: string) =>
    prefix !== undefined && path.startsWith(prefix) ? path.slice(prefix.length) : path;
  const { usage } = tokens;
  return {
    id: await sessions.list.shortId(session.id),
    session_id: session.id,
    provider: session.provider,
    version: session.version,
    model: session.model,
    title: session.title,
    project:
      session.projectHash === undefined
        ? undefined
        : { hash: shortHash(session.projectHash), path: session.projectPath },
    cwd: session.cwd === session.projectPath ? undefined : session.cwd,
    branch: session.branch,
    parent:
      session.parentId === undefined
        ? undefined
        : { id: await sessions.list.shortId(session.parentId), relation: session.relation ?? 'child' },
    start_time: iso(session.startMs),
    end_time: iso(session.endMs),
    stats: {
      total_turns: session.turns,
      total_steps: session.steps,
      total_events: session.events,
      total_tokens: tokens.total,
      duration_seconds: durationSeconds(session),
      tool_calls: session.toolCalls,
      failures: session.failures,
      compactions: session.compactions || undefined,
    },
    tokens: {
      input: usage.input,
      cached: usage.cached,
      cache_write: usage.cacheWrite,
      cache_write_1h: usage.cacheWriteHour || undefined,
      output: usage.output,
      reasoning: usage.reasoning,
      tool: usage.tool || undefined,
      lower_bound: tokens.lowerBounds > 0 ? true : undefined,
      cost_usd: tokens.unpriced.length > 0 || tokens.total === 0 ? undefined : Number(tokens.cost.toFixed(4)),
      long_context: tokens.longResponses || undefined,
      counted_elsewhere: elsewhere.responses === 0 ? undefined : elsewhere,
    },
    first_prompt: snip(session.snippet, 200),
    last_message: snip(session.lastMessage, 200) || undefined,
    files: files.map((file) => ({ ...file, path: near(file.path) })),
    subagents: await Promise.all(
      children.map(async (child) => ({
        id: await sessions.list.shortId(child.id),
        relation: child.relation ?? 'child',
        name: child.agentName,
        total_tokens: child.totalTokens,
      })),
    ),
    unknown_records: session.unknownRecords || undefined,
    bad_lines: session.badLines || undefined,
    expires_at: expires === undefined ? undefined : iso(expires),
  };
}
