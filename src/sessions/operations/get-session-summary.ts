import { z } from 'zod';
import { type Caller, roomy } from '../../contract/caller.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callSessionTurns } from '../calls.ts';
import { resumeCommand } from '../recall/resume-command.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import type { AgentRun } from '../store/subagents.ts';
import { recorded } from '../tokens/unrecorded.ts';
import { freshness } from './index-freshness.ts';
import { DURATION, durationSeconds, END_TIME, endTime } from './recorded-times.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { iso, placeNumber, shortHash, snip } from './session-text.ts';
import { summaryText } from './summary-text.ts';

const tokenSplit = z.object({
  input: z.int(),
  cached: z
    .int()
    .optional()
    .describe('absent if the agent does not record it, like cache_write and reasoning'),
  cache_write: z.int().optional(),
  cache_write_1h: z
    .int()
    .optional()
    .describe('the part of cache_write that is kept for an hour, at twice the price of input'),
  output: z.int(),
  reasoning: z.int().optional(),
  tool: z.int().optional(),
  lower_bound: z.literal(true).optional().describe('the agent never wrote some final counts: this or more'),
  cost_usd: z.number().optional().describe('an estimate from public list prices'),
  long_context: z.int().optional().describe('responses counted at the prices of long prompts'),
  counted_elsewhere: z
    .object({ responses: z.int(), tokens: z.int() })
    .optional()
    .describe('responses in this log that belong to an earlier session and are counted there'),
});

export const sessionSummarySchema = z.object({
  id: z.string(),
  session_id: z.string(),
  provider: z.string(),
  version: z.string().optional(),
  model: z.string().optional(),
  title: z.string().optional(),
  project: z.object({ hash: z.string(), path: z.string().optional() }).optional(),
  cwd: z.string().optional().describe('the folder of the session if it is not the project'),
  branch: z.string().optional(),
  machine: z.string().optional().describe('on a team server: where it ran'),
  person: z.string().optional().describe('on a team server: whose it is'),
  parent: z.object({ id: z.string(), relation: z.string() }).optional(),
  start_time: z.string(),
  end_time: END_TIME,
  stats: z.object({
    total_turns: z.int(),
    total_steps: z.int(),
    total_events: z.int(),
    total_tokens: z.int().optional(),
    duration_seconds: DURATION,
    tool_calls: z.int(),
    failures: z.int(),
    rejected: z.int().optional(),
    interrupted: z.int().optional(),
    compactions: z.int().optional(),
  }),
  tokens: tokenSplit.optional().describe('absent if the log has none'),
  first_prompt: z.string(),
  last_prompt: z.string().optional().describe('the last prompt if it is not the first'),
  last_message: z.string().optional(),
  files: z.array(z.object({ path: z.string(), reads: z.int(), edits: z.int() })),
  more_files: z.int().optional().describe('files that are not listed'),
  subagents: z.array(
    z.object({
      id: z.string(),
      relation: z.string(),
      name: z.string().optional(),
      total_tokens: z.int().optional(),
    }),
  ),
  more_subagents: z.int().optional().describe('sessions that are not listed'),
  agent_calls: z
    .array(
      z.object({
        event_index: z.int(),
        turn_index: z.int().optional(),
        name: z.string().optional(),
        task: z.string().optional(),
        status: z.string(),
        duration_seconds: z.int().optional(),
      }),
    )
    .optional()
    .describe('calls that started subagents without a log of their own'),
  unknown_records: z.int().optional(),
  bad_lines: z.int().optional(),
  expires_at: z.string().optional().describe('when the agent deletes this log'),
  deleted_at: z.string().optional().describe('when the agent was found to have deleted this log'),
  resume: z.string().optional().describe('the command that continues the session in its own agent'),
  starred: z.literal(true).optional().describe('a person starred it'),
  note: z.string().optional().describe('a note of a person'),
});

export type SessionSummary = ReadonlyData<typeof sessionSummarySchema>;

export const getSessionSummaryInput = z.strictObject({ session_id });

/** Files and subagents listed. */
const MAX_LISTED = 10;
const LISTED_WITH_ROOM = 500;
/** More than any session has. */
const MORE_THAN_ALL = 1_000_000;

export const getSessionSummary = operation<SessionServices>()({
  name: 'get_session_summary',
  toolset: 'sessions',
  readOnly: true,
  summary: 'A session at a glance: model, tokens, prompt, files, subagents.',
  input: getSessionSummaryInput,
  data: sessionSummarySchema,
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}',
  command: {
    words: 'sessions show',
    positional: ['session_id'],
    examples: ['pinhole sessions show fb3cff44'],
  },

  async run({ session_id }, { sessions, url, caller }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const data = await summarize(sessions, session, caller);
    return single(data, {
      next: session.turns === 0 ? undefined : [callSessionTurns({ session_id: data.id })],
      link: url(pageLinks.session(session.id)),
      meta,
    });
  },

  text: summaryText,
});

/** Everything about a session that fits into one small answer. */
export async function summarize(
  sessions: Sessions,
  session: SessionRow,
  caller: Pick<Caller, 'budget'>,
): Promise<SessionSummary> {
  const most = roomy(caller) ? LISTED_WITH_ROOM : MAX_LISTED;
  const [tokens, elsewhere, files, children, runs, expires, deleted] = await Promise.all([
    sessions.usage.ofSession(session),
    sessions.usage.countedElsewhere(session),
    sessions.files.ofSession(session, MORE_THAN_ALL),
    sessions.list.children(session, MORE_THAN_ALL),
    sessions.list.agentRuns(session),
    sessions.archive.expiresAt(session),
    sessions.archive.deletedAt(session.id),
  ]);
  const unlogged = runs.filter((run) => !children.some(({ id }) => id === run.session));
  const prefix = session.projectPath === undefined ? undefined : `${session.projectPath}/`;
  const relative = (path: string) =>
    prefix !== undefined && path.startsWith(prefix) ? path.slice(prefix.length) : path;
  const { usage } = tokens;
  const counted = tokens.total > 0 || elsewhere.responses > 0;
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
    machine: session.machine,
    person: session.person,
    parent:
      session.parentId === undefined
        ? undefined
        : { id: await sessions.list.shortId(session.parentId), relation: session.relation ?? 'child' },
    start_time: iso(session.startMs),
    end_time: endTime(sessions, session),
    stats: {
      total_turns: session.turns,
      total_steps: session.steps,
      total_events: session.events,
      total_tokens: counted ? tokens.total : undefined,
      duration_seconds: durationSeconds(session, sessions, session),
      tool_calls: session.toolCalls,
      failures: session.failures,
      rejected: session.rejected || undefined,
      interrupted: session.interrupted || undefined,
      compactions: session.compactions || undefined,
    },
    tokens: counted
      ? {
          input: usage.input,
          cached: recorded(usage, tokens.unrecorded, 'cached'),
          cache_write: recorded(usage, tokens.unrecorded, 'cacheWrite'),
          cache_write_1h: usage.cacheWriteHour || undefined,
          output: usage.output,
          reasoning: recorded(usage, tokens.unrecorded, 'reasoning'),
          tool: usage.tool || undefined,
          lower_bound: tokens.lowerBounds > 0 ? true : undefined,
          cost_usd:
            tokens.unpriced.length > 0 || tokens.total === 0 ? undefined : Number(tokens.cost.toFixed(4)),
          long_context: tokens.longResponses || undefined,
          counted_elsewhere: elsewhere.responses === 0 ? undefined : elsewhere,
        }
      : undefined,
    first_prompt: snip(session.snippet, 200),
    last_prompt: session.turns > 1 ? snip(session.lastPrompt, 200) || undefined : undefined,
    last_message: snip(session.lastMessage, 200) || undefined,
    files: files.slice(0, most).map((file) => ({ ...file, path: relative(file.path) })),
    more_files: Math.max(0, files.length - most) || undefined,
    subagents: await Promise.all(
      children.slice(0, most).map(async (child) => ({
        id: await sessions.list.shortId(child.id),
        relation: child.relation ?? 'child',
        name: child.agentName,
        total_tokens: child.totalTokens || undefined,
      })),
    ),
    more_subagents: Math.max(0, children.length - most) || undefined,
    agent_calls: unlogged.length === 0 ? undefined : unlogged.slice(0, most).map(agentCall),
    unknown_records: session.unknownRecords || undefined,
    bad_lines: session.badLines || undefined,
    expires_at: expires === undefined ? undefined : iso(expires),
    deleted_at: deleted === undefined ? undefined : iso(deleted),
    resume: resumeCommand(session, sessions.providers),
    ...(await sessions.marks.of(session.id)),
  };
}

function agentCall({ event, turn, type, description, status, ms }: AgentRun) {
  return {
    event_index: event,
    turn_index: placeNumber(turn),
    name: type,
    task: description === undefined ? undefined : snip(description, 80),
    status,
    duration_seconds: ms === undefined ? undefined : Math.round(ms / 1000),
  };
}
