import { z } from 'zod';
import { roomy } from '../../contract/caller.ts';
import type { NextCall } from '../../contract/next-call.ts';
import { operation, page } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { Insight, Penalty } from '../analyze/analyze.ts';
import { callEventDetails, callTurnSteps } from '../calls.ts';
import { freshness, SESSION_ALIASES, type SessionServices, sessionId, snip } from './shared.ts';

export interface SessionAnalysis {
  readonly session_id: string;
  readonly score: number;
  readonly penalties: readonly Penalty[];
  readonly insights: readonly Insight[];
  readonly more_insights?: Readonly<Record<string, number>> | undefined;
  readonly event_counts: Readonly<Record<string, number>>;
}

/** An agent gets a glance; a person, who has more room, gets them all. */
const GLANCE_BYTES = 3_000;
const MESSAGE = 160;

export const analyzeSession = operation<SessionServices>()({
  name: 'analyze_session',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Health score of a session with evidence: failures, loops, retries, churn.',
  input: z.strictObject({
    session_id: sessionId,
    include_failures: z.boolean().optional(),
    include_loops: z.boolean().optional(),
  }),
  unlisted: ['include_failures', 'include_loops', 'limit'],
  limit: { default: 1000, max: 1000 },
  rows: 'insights',
  columns: ['turn_index', 'step_index', 'event_index', 'severity', 'lens', 'message'],
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/analysis',
  command: {
    words: 'sessions analyze',
    positional: ['session_id'],
    examples: ['pinhole sessions analyze fb3cff44'],
  },

  async run({ session_id, include_failures, include_loops }, { sessions, after, caller, url }) {
    const meta = await freshness(sessions);
    const session = await sessions.list.find(session_id);
    const id = await sessions.list.shortId(session.id);
    const { analysis, figures } = await sessions.analysis.of(session, {
      failures: include_failures !== false,
      loops: include_loops !== false,
    });
    const { score, penalties } = analysis;
    const insights = analysis.insights.map((insight, number) => ({ number, insight }));
    const start = typeof after === 'number' ? after + 1 : 0;
    const worst = analysis.insights[0];
    return page<Numbered, SessionAnalysis>({
      rows: insights.slice(start),
      position: ({ number }) => number,
      total: insights.length,
      budget: roomy(caller) ? undefined : Math.min(caller.budget, GLANCE_BYTES),
      shape: (shown) => ({
        session_id: id,
        score,
        penalties,
        insights: shown.map(({ insight }) => ({ ...insight, message: snip(insight.message, MESSAGE) })),
        more_insights: countByLens(insights.slice(start + shown.length)),
        event_counts: figures.counts,
      }),
      next: worst && [lookAt(id, worst)],
      link: url(pageLinks.session(id, { side: 'findings' })),
      meta,
    });
  },

  text: (data) => {
    const penalties = data.penalties.map((penalty) => `-${penalty.points} ${penalty.reason}`).join(', ');
    const lines = data.insights.map((insight) => {
      const step = insight.step_index === undefined ? '' : `.${insight.step_index}`;
      const event = insight.event_index === undefined ? '' : ` e${insight.event_index}`;
      return `${insight.severity.padEnd(8)} ${insight.lens.padEnd(13)} t${insight.turn_index}${step}${event}  ${insight.message}`;
    });
    const more = Object.entries(data.more_insights ?? {}).map(([lens, times]) => `${times} more ${lens}`);
    const counts = Object.entries(data.event_counts).map(([name, times]) => `${name} ${times}`);
    return [
      `${data.session_id}  score ${data.score}${penalties === '' ? '' : `  (100 ${penalties})`}`,
      ...lines,
      ...(more.length > 0 ? [more.join(', ')] : []),
      counts.join(', '),
    ].join('\n');
  },
});

interface Numbered {
  readonly number: number;
  readonly insight: Insight;
}

/** A failure is told by its result alone; anything else by the steps around it. */
function lookAt(id: string, { lens, turn_index, event_index }: Insight): NextCall {
  return lens === 'failures' && event_index !== undefined
    ? callEventDetails({ session_id: id, event_index })
    : callTurnSteps({ session_id: id, turn_index: Math.max(0, turn_index) });
}

/** What is left for the next pages. */
function countByLens(left: readonly Numbered[]): Readonly<Record<string, number>> | undefined {
  if (left.length === 0) return undefined;
  const counts: Record<string, number> = {};
  for (const { insight } of left) counts[insight.lens] = (counts[insight.lens] ?? 0) + 1;
  return counts;
}
