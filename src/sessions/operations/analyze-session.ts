import { z } from 'zod';
import type { NextCall } from '../../contract/next-call.ts';
import { operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { type Insight, LENSES, SEVERITIES } from '../analyze/analyze.ts';
import { callEventDetails, callTurnSteps } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import { freshness } from './index-freshness.ts';
import { SESSION_ALIASES, session_id } from './session-inputs.ts';
import { placeText, snip } from './session-text.ts';

const insightSchema = z.object({
  turn_index: z.int(),
  step_index: z.int().optional(),
  event_index: z.int().optional(),
  severity: z.enum(SEVERITIES),
  lens: z.enum(LENSES),
  message: z.string(),
});

const counts = z.record(z.string(), z.int());

const analysisSchema = z.object({
  session_id: z.string(),
  score: z.number(),
  penalties: z.array(z.object({ lens: z.enum(LENSES), points: z.number(), reason: z.string() })),
  insights: z.array(insightSchema),
  more_insights: counts.optional().describe('how many insights of each lens are on the next pages'),
  event_counts: counts,
});

type SessionAnalysis = ReadonlyData<typeof analysisSchema>;

const MAX_MESSAGE = 160;

export const analyzeSession = operation<SessionServices>()({
  name: 'analyze_session',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Health score of a session with evidence: failures, loops, retries, churn.',
  input: z.strictObject({
    session_id,
    include_failures: z.boolean().optional().describe('look for failures (default: yes)'),
    include_loops: z.boolean().optional().describe('look for loops (default: yes)'),
  }),
  data: analysisSchema,
  unlisted: ['include_failures', 'include_loops', 'limit'],
  limit: { default: 1000, max: 1000 },
  glance: 3_000,
  rows: 'insights',
  aliases: SESSION_ALIASES,
  http: 'GET /api/agent-sessions/{session_id}/analysis',
  command: {
    words: 'sessions analyze',
    positional: ['session_id'],
    examples: ['pinhole sessions analyze fb3cff44'],
  },

  async run({ session_id, include_failures, include_loops }, { sessions, after, url }) {
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
      shape: (shown) => ({
        session_id: id,
        score,
        penalties,
        insights: shown.map(({ insight }) => ({ ...insight, message: snip(insight.message, MAX_MESSAGE) })),
        more_insights: countByLens(insights.slice(start + shown.length)),
        event_counts: figures.counts,
      }),
      next: worst && [evidenceFor(id, worst)],
      link: url(pageLinks.session(id, { side: 'findings' })),
      meta,
    });
  },

  text: (data) => {
    const penalties = data.penalties.map(({ points, reason }) => `-${points} for ${reason}`).join(', ');
    const lines = data.insights.map(
      (insight) =>
        `${insight.severity.padEnd(8)} ${insight.lens.padEnd(13)} ${placeText(insight)}  ${insight.message}`,
    );
    const more = Object.entries(data.more_insights ?? {}).map(([lens, times]) => `${times} more ${lens}`);
    const counts = Object.entries(data.event_counts).map(([name, times]) => `${name} ${times}`);
    return [
      `${data.session_id}  score ${data.score} of 100${penalties === '' ? '' : `: ${penalties}`}`,
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

/** Failures, failed checks and rejections are explained by their result; anything else by the steps around it. */
function evidenceFor(id: string, { lens, turn_index, event_index }: Insight): NextCall {
  return ['failures', 'checks', 'rejected'].includes(lens) && event_index !== undefined
    ? callEventDetails({ session_id: id, event_index })
    : callTurnSteps({ session_id: id, turn_index: Math.max(0, turn_index) });
}

/** How many insights of each lens are left for the next pages. */
function countByLens(left: readonly Numbered[]): Readonly<Record<string, number>> | undefined {
  if (left.length === 0) return undefined;
  const counts: Record<string, number> = {};
  for (const { insight } of left) counts[insight.lens] = (counts[insight.lens] ?? 0) + 1;
  return counts;
}
