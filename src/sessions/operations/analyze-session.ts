import { z } from 'zod';
import type { NextCall } from '../../contract/next-call.ts';
import {
  type CallContext,
  operation,
  page,
  type ReadonlyData,
  type Result,
} from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import { type Insight, LENSES, SEVERITIES } from '../analyze/analyze.ts';
import { callEventDetails, callTurnSteps } from '../calls.ts';
import type { SessionServices } from '../services.ts';
import { ACROSS_KINDS, type AcrossFinding, acrossText, findAcross, findingSchema } from './analyze-across.ts';
import { freshness } from './index-freshness.ts';
import {
  machine,
  person,
  project,
  provider,
  SESSION_ALIASES,
  session_id,
  sessionScope,
  since,
  until,
} from './session-inputs.ts';
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

const sessionAnalysisSchema = z.object({
  session_id: z.string(),
  score: z.number(),
  penalties: z.array(z.object({ lens: z.enum(LENSES), points: z.number(), reason: z.string() })),
  insights: z.array(insightSchema),
  more_insights: counts.optional().describe('how many insights of each lens are on the next pages'),
  event_counts: counts,
});

/** Without a session: findings across sessions. */
const acrossSchema = z.object({
  looked_at: z.int().describe('sessions that were looked at'),
  findings: z.array(findingSchema),
  more: counts.optional().describe('how many findings of each kind are not shown'),
});

const analysisSchema = z.object({
  ...sessionAnalysisSchema.partial().shape,
  ...acrossSchema.partial().shape,
});

type SessionAnalysis = ReadonlyData<typeof sessionAnalysisSchema>;
type Across = ReadonlyData<typeof acrossSchema>;
type Analysis = ReadonlyData<typeof analysisSchema>;

const MAX_MESSAGE_LENGTH = 160;

const input = z.strictObject({
  session_id: session_id.optional(),
  kind: z
    .preprocess(
      (given) => (typeof given === 'string' ? given.split(/[,\s]+/).filter((word) => word !== '') : given),
      z.array(z.enum(ACROSS_KINDS)).optional(),
    )
    .describe(`without session_id, only these: ${ACROSS_KINDS.join(', ')}`),
  project: project.optional(),
  provider: provider.optional(),
  machine: machine.optional(),
  person: person.optional(),
  since: since.optional(),
  until: until.optional(),
  include_failures: z.boolean().optional().describe('look for failures (default: yes)'),
  include_loops: z.boolean().optional().describe('look for loops (default: yes)'),
});

type Input = z.output<typeof input>;
type Context = CallContext & SessionServices;

const ROW_LIMIT = { default: 1000, max: 1000 } as const;

export const analyzeSession = operation<SessionServices>()({
  name: 'analyze_session',
  toolset: 'sessions',
  readOnly: true,
  summary:
    'Health of a session with evidence. Without session_id, over all: failed checks and their fixes, what fails most, errors, rejections, interruptions, loops, subagents.',
  input,
  data: analysisSchema,
  unlisted: ['provider', 'machine', 'person', 'until', 'include_failures', 'include_loops'],
  limit: ROW_LIMIT,
  glance: 3_000,
  rows: ['insights', 'findings'],
  aliases: { ...SESSION_ALIASES, kinds: 'kind' },
  http: ['GET /api/agent-sessions/{session_id}/analysis', 'GET /api/agent-analysis'],
  command: {
    words: 'sessions analyze',
    positional: ['session_id'],
    examples: ['pinhole sessions analyze fb3cff44', 'pinhole sessions analyze --kind rejected --since 30d'],
  },

  run: (given, ctx): Promise<Result<Analysis>> =>
    given.session_id === undefined ? ofMany(given, ctx) : ofOne(given.session_id, given, ctx),

  text: (data, style) =>
    data.findings === undefined
      ? sessionText(data)
      : acrossText({ looked_at: data.looked_at ?? 0, findings: data.findings, more: data.more }, style),
});

async function ofOne(
  given: string,
  { include_failures, include_loops }: Input,
  { sessions, after, url }: Context,
): Promise<Result<SessionAnalysis>> {
  const meta = await freshness(sessions);
  const session = await sessions.list.find(given);
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
      insights: shown.map(({ insight }) => ({
        ...insight,
        message: snip(insight.message, MAX_MESSAGE_LENGTH),
      })),
      more_insights: countByLens(insights.slice(start + shown.length)),
      event_counts: figures.counts,
    }),
    next: worst && [evidenceFor(id, worst)],
    link: url(pageLinks.session(id, { side: 'findings' })),
    meta,
  });
}

/** Findings of each kind that an overview shows. */
const MAX_SHOWN_PER_KIND = 3;

async function ofMany(given: Input, ctx: Context): Promise<Result<Across>> {
  const { sessions, signal, limit, limitGiven } = ctx;
  const meta = await freshness(sessions);
  const filter = sessionScope(given, ctx);
  const { looked_at, findings: all } = await findAcross(sessions, filter, given.kind ?? ACROSS_KINDS, signal);
  const overview = given.kind === undefined;
  const seen: Record<string, number> = {};
  const rows = all.filter(({ kind }) => {
    seen[kind] = (seen[kind] ?? 0) + 1;
    return !overview || (seen[kind] ?? 0) <= MAX_SHOWN_PER_KIND;
  });
  const left = Object.entries(seen).flatMap(([kind, count]) =>
    count > MAX_SHOWN_PER_KIND ? [[kind, count - MAX_SHOWN_PER_KIND] as const] : [],
  );
  const more = overview && left.length > 0 ? Object.fromEntries(left) : undefined;
  const first = rows[0];
  return page<AcrossFinding, Across>({
    rows,
    position: ({ session_id, event_index }) => [session_id, event_index],
    keep: {},
    total: rows.length,
    // Unless the caller limits them, findings may fill the answer.
    limit: limitGiven ? limit : ROW_LIMIT.max + 1,
    shape: (findings) => ({ looked_at, findings, more }),
    next: first && [callEventDetails({ session_id: first.session_id, event_index: first.event_index })],
    meta,
  });
}

function sessionText(data: Analysis): string {
  const penalties = (data.penalties ?? []).map(({ points, reason }) => `-${points} for ${reason}`).join(', ');
  const lines = (data.insights ?? []).map(
    (insight) => `${insight.severity} ${insight.lens} ${placeText(insight)}  ${insight.message}`,
  );
  const more = Object.entries(data.more_insights ?? {}).map(([lens, times]) => `${times} more ${lens}`);
  const counts = Object.entries(data.event_counts ?? {}).map(([name, times]) => `${name} ${times}`);
  return [
    `${data.session_id}  score ${data.score} of 100${penalties === '' ? '' : `: ${penalties}`}`,
    ...lines,
    ...(more.length > 0 ? [more.join(', ')] : []),
    counts.join(', '),
  ].join('\n');
}

interface Numbered {
  readonly number: number;
  readonly insight: Insight;
}

/** Failures, failed checks and rejections are explained by their result; everything else by the steps around it. */
function evidenceFor(id: string, { lens, turn_index, event_index }: Insight): NextCall {
  return ['failures', 'checks', 'rejected'].includes(lens) && event_index !== undefined
    ? callEventDetails({ session_id: id, event_index })
    : callTurnSteps({ session_id: id, turn_index: Math.max(0, turn_index) });
}

/** How many insights of each lens remain for the next pages. */
function countByLens(left: readonly Numbered[]): Readonly<Record<string, number>> | undefined {
  if (left.length === 0) return undefined;
  const counts: Record<string, number> = {};
  for (const { insight } of left) counts[insight.lens] = (counts[insight.lens] ?? 0) + 1;
  return counts;
}
