import { z } from 'zod';
import { roomy } from '../../contract/caller.ts';
import { countOf, durationText, shortCount } from '../../contract/format.ts';
import { operation, type ReadonlyData, single, type TextStyle } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callSessionTurns } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { freshness } from './index-freshness.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { clock, durationSeconds, failedText, iso, shortHash, snip, touchText } from './session-text.ts';

const tokenSplit = z.object({
  input: z.int(),
  cached: z.int(),
  cache_write: z.int(),
  cache_write_1h: z
    .int()
    .optional()
    .describe('the part of cache_write that is kept for an hour, at twice the price of input'),
  output: z.int(),
  reasoning: z.int(),
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
  parent: z.object({ id: z.string(), relation: z.string() }).optional(),
  start_time: z.string(),
  end_time: z.string(),
  stats: z.object({
    total_turns: z.int(),
    total_steps: z.int(),
    total_events: z.int(),
    total_tokens: z.int(),
    duration_seconds: z.int(),
    tool_calls: z.int(),
    failures: z.int(),
    compactions: z.int().optional(),
  }),
  tokens: tokenSplit,
  first_prompt: z.string(),
  last_message: z.string().optional(),
  files: z.array(z.object({ path: z.string(), reads: z.int(), edits: z.int() })),
  subagents: z.array(
    z.object({
      id: z.string(),
      relation: z.string(),
      name: z.string().optional(),
      total_tokens: z.int(),
    }),
  ),
  unknown_records: z.int().optional(),
  bad_lines: z.int().optional(),
  expires_at: z.string().optional().describe('when the agent deletes this log'),
});

type SessionSummary = ReadonlyData<typeof sessionSummarySchema>;

export const getSessionSummaryInput = z.strictObject({ session_id });

/** Files and subagents that are listed. */
const LISTED = 10;
const LISTED_WITH_ROOM = 500;

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
    const data = await summarize(sessions, session, roomy(caller) ? LISTED_WITH_ROOM : LISTED);
    return single(data, {
      next: session.turns === 0 ? undefined : [callSessionTurns({ session_id: data.id })],
      link: url(pageLinks.session(session.id)),
      meta,
    });
  },

  text: summaryText,
});

function summaryText(data: SessionSummary, { now }: TextStyle): string {
  const { stats, tokens } = data;
  const bound = tokens.lower_bound ? ' (at least)' : '';
  const turns = countOf(stats.total_turns, 'turn');
  const calls = `${countOf(stats.tool_calls, 'call')}${failedText(stats.failures)}`;
  const cost = tokens.cost_usd === undefined ? '' : `  about $${tokens.cost_usd.toFixed(2)}`;
  const lines = [
    `${data.id}  ${data.provider}${data.version ? ` ${data.version}` : ''}  ${data.model ?? ''}`.trimEnd(),
    `${clock(data.start_time, now)} to ${clock(data.end_time, now)}  ${durationText(stats.duration_seconds)}  ${turns}  ${calls}`,
    `tokens ${shortCount(stats.total_tokens)}${bound}: input ${shortCount(tokens.input)}, cached ${shortCount(tokens.cached)}, output ${shortCount(tokens.output)}, reasoning ${shortCount(tokens.reasoning)}${cost}`,
  ];
  if (data.project)
    lines.push(`project ${data.project.path ?? data.project.hash}${data.branch ? ` (${data.branch})` : ''}`);
  if (data.title) lines.push(`title ${data.title}`);
  if (data.parent) lines.push(`${data.parent.relation} of ${data.parent.id}`);
  lines.push(`first "${data.first_prompt}"`);
  if (data.last_message) lines.push(`last "${data.last_message}"`);
  for (const file of data.files) lines.push(`  ${file.path}  ${touchText(file)}`);
  for (const child of data.subagents) {
    const name = child.name === undefined ? '' : ` ${child.name}`;
    lines.push(`  ${child.relation} ${child.id}${name} ${shortCount(child.total_tokens)} tok`);
  }
  if (data.expires_at) lines.push(`the agent deletes this log on ${data.expires_at.slice(0, 10)}`);
  return lines.join('\n');
}

/** Everything about a session that fits one small answer, with at most `most` files and subagents. */
async function summarize(sessions: Sessions, session: SessionRow, most: number): Promise<SessionSummary> {
  const [tokens, elsewhere, files, children, expires] = await Promise.all([
    sessions.usage.ofSession(session),
    sessions.usage.countedElsewhere(session),
    sessions.files.ofSession(session, most),
    sessions.list.children(session, most),
    sessions.archive.expiresAt(session),
  ]);
  const prefix = session.projectPath === undefined ? undefined : `${session.projectPath}/`;
  const relative = (path: string) =>
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
    files: files.map((file) => ({ ...file, path: relative(file.path) })),
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
