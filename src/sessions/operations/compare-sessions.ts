import { z } from 'zod';
import { roomy } from '../../contract/caller.ts';
import { columns, countText, durationText } from '../../contract/format.ts';
import { operation, type ReadonlyData, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { SessionFigures } from '../analyze/session-figures.ts';
import type { SessionServices } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { freshness } from './index-freshness.ts';
import { DURATION, durationSeconds } from './recorded-times.ts';
import { roomFor } from './room.ts';
import { session_id } from './session-inputs.ts';
import { clock, countedTokens, failedText, iso, snip } from './session-text.ts';

const sideSchema = z.object({
  id: z.string(),
  provider: z.string(),
  model: z.string().optional(),
  start_time: z.string(),
  turns: z.int(),
  steps: z.int(),
  tool_calls: z.int(),
  failures: z.int(),
  tokens: z.int().optional(),
  duration_seconds: DURATION,
  score: z.number(),
  first_prompt: z.string(),
});

const callPlace = z.object({ turn_index: z.int(), event_index: z.int(), action: z.string() });
const paths = z.array(z.string());

const comparisonSchema = z.object({
  a: sideSchema,
  b: sideSchema,
  tools: z.record(z.string(), z.tuple([z.int(), z.int()])).describe('calls of each tool in a and in b'),
  files: z.object({ both: paths, only_a: paths, only_b: paths }),
  failed_actions: z.object({ a: z.array(z.string()), b: z.array(z.string()) }),
  more: z.record(z.string(), z.int()).optional().describe('how many entries of each list are left out'),
  diverge_at: z
    .object({ call: z.int(), a: callPlace.optional(), b: callPlace.optional() })
    .optional()
    .describe('the first call that differs; absent if one session is the beginning of the other'),
});

type Side = ReadonlyData<typeof sideSchema>;
type CallPlace = ReadonlyData<typeof callPlace>;
type Comparison = ReadonlyData<typeof comparisonSchema>;

/** Entries per list in a small answer. */
const MAX_LIST_ENTRIES = 8;
/** A larger answer divides its room among this many lists. */
const LIST_COUNT = 6;
const LINE_BYTES = 160;
const MAX_PROMPT_LENGTH = 120;

export const compareSessions = operation<SessionServices>()({
  name: 'compare_sessions',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Two sessions side by side, and where they diverge.',
  input: z.strictObject({
    a: session_id.describe('the first session: its id, or the first characters of it'),
    b: session_id.describe('the second session: its id, or the first characters of it'),
  }),
  data: comparisonSchema,
  aliases: { id1: 'a', id2: 'b', session_a: 'a', session_b: 'b' },
  http: 'GET /api/agent-compare',
  command: {
    words: 'sessions compare',
    positional: ['a', 'b'],
    examples: ['pinhole sessions compare fb3cff44 9c01aa12'],
  },

  async run(input, { sessions, url, caller, budget }) {
    const most = roomy(caller)
      ? Math.floor(roomFor(caller, budget) / LIST_COUNT / LINE_BYTES)
      : MAX_LIST_ENTRIES;
    const meta = await freshness(sessions);
    const [a, b] = await Promise.all([sessions.list.find(input.a), sessions.list.find(input.b)]);
    const [first, second] = await Promise.all([side(sessions, a), side(sessions, b)]);
    const lists = {
      ...files(first.figures, second.figures),
      failed_a: failedActions(first.figures),
      failed_b: failedActions(second.figures),
    };
    const more = Object.entries(lists).flatMap(([name, list]) =>
      list.length > most ? [[name, list.length - most] as const] : [],
    );
    const { both, only_a, only_b, failed_a, failed_b } = lists;
    const data: Comparison = {
      a: first.side,
      b: second.side,
      tools: toolCounts(first.figures, second.figures, most),
      files: { both: both.slice(0, most), only_a: only_a.slice(0, most), only_b: only_b.slice(0, most) },
      failed_actions: { a: failed_a.slice(0, most), b: failed_b.slice(0, most) },
      more: more.length === 0 ? undefined : Object.fromEntries(more),
      diverge_at: divergence(first.figures, second.figures),
    };
    return single(data, { link: url(pageLinks.comparison(data.a.id, data.b.id)), meta });
  },

  text: (data, style) => {
    const { a, b } = data;
    const row = (name: string, pick: (side: Side) => string | number) => [
      name,
      String(pick(a)),
      String(pick(b)),
    ];
    const table = columns([
      ['', a.id, b.id],
      row('agent', ({ provider, model }) => (model === undefined ? provider : `${provider} ${model}`)),
      row('start', (side) => clock(side.start_time, style)),
      row('turns', (side) => side.turns),
      row('steps', (side) => side.steps),
      row('calls', (side) => `${side.tool_calls}${failedText(side.failures)}`),
      row('tokens', (side) => (side.tokens === undefined ? '-' : countText(side.tokens))),
      row('duration', (side) =>
        side.duration_seconds === undefined ? '-' : durationText(side.duration_seconds),
      ),
      row('score', (side) => side.score),
      ...Object.entries(data.tools).map(([name, [x, y]]) => [`  ${name}`, String(x), String(y)]),
    ]);
    const { both, only_a, only_b } = data.files;
    return [
      table,
      `files in both: ${both.join(', ') || 'none'}`,
      `only in ${a.id}: ${only_a.join(', ') || 'none'}`,
      `only in ${b.id}: ${only_b.join(', ') || 'none'}`,
      divergenceText(data),
    ].join('\n');
  },
});

function divergenceText({ a, b, diverge_at: at }: Comparison): string {
  if (at !== undefined)
    return `they diverge at call ${at.call}: ${callPlaceText(at.a)} / ${callPlaceText(at.b)}`;
  return a.tool_calls === b.tool_calls
    ? 'the same calls in the same order'
    : 'one session is the beginning of the other';
}

function callPlaceText(place: CallPlace | undefined): string {
  return place === undefined ? '(end)' : `${place.action} (e${place.event_index})`;
}

async function side(
  sessions: Sessions,
  session: SessionRow,
): Promise<{ side: Side; figures: SessionFigures }> {
  const { analysis, figures } = await sessions.analysis.of(session, { failures: true, loops: true });
  return {
    figures,
    side: {
      id: await sessions.list.shortId(session.id),
      provider: session.provider,
      model: session.model,
      start_time: iso(session.startMs),
      turns: session.turns,
      steps: session.steps,
      tool_calls: session.toolCalls,
      failures: session.failures,
      tokens: countedTokens(session, session.totalTokens),
      duration_seconds: durationSeconds(session, sessions, session),
      score: analysis.score,
      first_prompt: snip(session.snippet, MAX_PROMPT_LENGTH),
    },
  };
}

function toolCounts(a: SessionFigures, b: SessionFigures, most: number): Comparison['tools'] {
  const counts = new Map<string, [number, number]>();
  for (const [index, figures] of [a, b].entries()) {
    for (const { name } of figures.calls) {
      const pair = counts.get(name) ?? [0, 0];
      counts.set(name, pair);
      if (index === 0) pair[0]++;
      else pair[1]++;
    }
  }
  const sorted = [...counts].sort(([, x], [, y]) => y[0] + y[1] - x[0] - x[1]);
  return Object.fromEntries(sorted.slice(0, most));
}

function files(a: SessionFigures, b: SessionFigures): Comparison['files'] {
  const inA = new Set(a.edits.map((edit) => edit.path));
  const inB = new Set(b.edits.map((edit) => edit.path));
  const namesA = new Set([...inA].flatMap((path) => namesOf(path, a.session, b.session)));
  const namesB = new Set([...inB].flatMap((path) => namesOf(path, b.session, a.session)));
  const isInA = (path: string) => namesOf(path, b.session, a.session).some((name) => namesA.has(name));
  const isInB = (path: string) => namesOf(path, a.session, b.session).some((name) => namesB.has(name));
  return {
    both: [...inA].filter(isInB),
    only_a: [...inA].filter((path) => !isInB(path)),
    only_b: [...inB].filter((path) => !isInA(path)),
  };
}

/** All names of a file: its path, and its path inside the project, which is the same in other worktrees. */
function namesOf(path: string, own: SessionRow, other: SessionRow): readonly string[] {
  if (own.projectHash === undefined || own.projectHash !== other.projectHash) return [path];
  const roots = [own.cwd, own.projectPath].flatMap((root) => (root === undefined ? [] : `${root}/`));
  return [path, ...roots.filter((root) => path.startsWith(root)).map((root) => path.slice(root.length))];
}

function failedActions(figures: SessionFigures): readonly string[] {
  const failed = figures.calls.filter((call) => call.status === 'failed').map((call) => call.action);
  return [...new Set(failed)];
}

function divergence(a: SessionFigures, b: SessionFigures): Comparison['diverge_at'] {
  const length = Math.min(a.calls.length, b.calls.length);
  let call = 0;
  while (call < length && a.calls[call]?.digest === b.calls[call]?.digest) call++;
  if (call === a.calls.length || call === b.calls.length) return undefined;
  const place = (figures: SessionFigures): CallPlace | undefined => {
    const made = figures.calls[call];
    return made === undefined
      ? undefined
      : { turn_index: made.turn, event_index: made.call, action: made.action };
  };
  return { call, a: place(a), b: place(b) };
}
