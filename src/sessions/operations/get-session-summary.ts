import { z } from 'zod';
import { roomy } from '../../contract/caller.ts';
import { durationText, shortCount } from '../../contract/format.ts';
import { operation, single, type TextStyle } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { callSessionTurns } from '../calls.ts';
import { clock, freshness, SESSION_ALIASES, type SessionServices, sessionId } from './shared.ts';
import type { SessionSummary } from './summary.ts';
import { summarize } from './summary.ts';

export const getSessionSummaryInput = z.strictObject({ session_id: sessionId });

export const getSessionSummary = operation<SessionServices>()({
  name: 'get_session_summary',
  toolset: 'sessions',
  readOnly: true,
  summary: 'A session at a glance: model, tokens, prompt, files, subagents.',
  input: getSessionSummaryInput,
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
    const data = await summarize(sessions, session, roomy(caller) ? 500 : 10);
    return single(data, {
      next: session.turns === 0 ? undefined : [callSessionTurns({ session_id: data.id })],
      link: url(pageLinks.session(session.id)),
      meta,
    });
  },

  text: summaryText,
});

/** The summary as lines. */
export function summaryText(data: SessionSummary, { now }: Pick<TextStyle, 'now'>): string {
  const { stats, tokens } = data;
  const bound = tokens.lower_bound ? ' (at least)' : '';
  const lines = [
    `${data.id}  ${data.provider}${data.version ? ` ${data.version}` : ''}  ${data.model ?? ''}`.trimEnd(),
    `${clock(data.start_time, now)} to ${clock(data.end_time, now)}  ${durationText(stats.duration_seconds)}  ${stats.total_turns} turns  ${stats.tool_calls} calls (${stats.failures} failed)`,
    `tokens ${shortCount(stats.total_tokens)}${bound}: input ${shortCount(tokens.input)}, cached ${shortCount(tokens.cached)}, output ${shortCount(tokens.output)}, reasoning ${shortCount(tokens.reasoning)}${tokens.cost_usd === undefined ? '' : `  about $${tokens.cost_usd.toFixed(2)}`}`,
  ];
  if (data.project)
    lines.push(`project ${data.project.path ?? data.project.hash}${data.branch ? ` (${data.branch})` : ''}`);
  if (data.title) lines.push(`title ${data.title}`);
  if (data.parent) lines.push(`${data.parent.relation} of ${data.parent.id}`);
  lines.push(`first "${data.first_prompt}"`);
  if (data.last_message) lines.push(`last "${data.last_message}"`);
  for (const file of data.files) lines.push(`  ${file.path}  ${file.edits} edits, ${file.reads} reads`);
  for (const child of data.subagents) {
    lines.push(`  ${child.relation} ${child.id} ${child.name ?? ''} ${shortCount(child.total_tokens)} tok`);
  }
  if (data.expires_at) lines.push(`the client deletes this log on ${data.expires_at.slice(0, 10)}`);
  return lines.join('\n');
}
