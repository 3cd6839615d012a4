import { z } from 'zod';
import { roomy } from '../../contract/caller.ts';
import { columns, countText } from '../../contract/format.ts';
import { operation, single } from '../../contract/operation.ts';
import { pageLinks } from '../../page/page-links.ts';
import type { SessionFigures } from '../analyze/session-figures.ts';
import type { Sessions } from '../sessions.ts';
import type { SessionRow } from '../store/session-row.ts';
import { durationSeconds, freshness, iso, type SessionServices, snip } from './shared.ts';

interface Side {
  readonly id: string;
  readonly provider: string;
  readonly model?: string | undefined;
  readonly start_time: string;
  readonly turns: number;
  readonly steps: number;
  readonly tool_calls: number;
  readonly failures: number;
  readonly tokens: number;
  readonly duration_seconds: number;
  readonly score: number;
  readonly first_prompt: string;
}

export interface Comparison {
  readonly a: Side;
  readonly b: Side;
  /** Times a tool was used, in a and in b. */
  readonly tools: Readonly<Record<string, readonly [number, number]>>;
  readonly files: {
    readonly both: readonly string[];
    readonly only_a: readonly string[];
    readonly only_b: readonly string[];
  };
  readonly failed_actions: { readonly a: readonly string[]; readonly b: readonly string[] };
  /** How many of each list are left out. */
  readonly more?: Readonly<Record<string, number>> | undefined;
  /** The first call in which they differ; absent when one is the beginning of the other. */
  readonly parts_at?:
    | { readonly call: number; readonly a?: Place | undefined; readonly b?: Place | undefined }
    | undefined;
}

interface Place {
  readonly turn_index: number;
  readonly event_index: number;
  readonly action: string;
}

const LISTED = 8;
/** So many bytes a line of a list takes, with room to spare; pages get as many as fit. */
const LINE_BYTES = 160;
const LISTS = 6;

export const compareSessions = operation<SessionServices>()({
  name: 'compare_sessions',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Two sessions side by side, and where they part.',
  input: z.strictObject({ a: z.string(), b: z.string() }),
  aliases: { id1: 'a', id2: 'b', session_a: 'a', session_b: 'b' },
  http: 'GET /api/agent-compare',
  command: {
    words: 'sessions compare',
    positional: ['a', 'b'],
    examples: ['pinhole sessions compare fb3cff44 9c01aa12'],
  },

  async run(input, { sessions, url, caller }) {
    const most = roomy(caller) ? Math.floor(caller.budget / LISTS / LINE_BYTES) : LISTED;
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
      parts_at: partingPoint(first.figures, second.figures),
    };
    return single(data, { link: url(pageLinks.comparison(data.a.id, data.b.id)), meta });
  },

  text: (data) => {
    const { a, b } = data;
    const row = (name: string, pick: (side: Side) => string | number) => [
      name,
      String(pick(a)),
      String(pick(b)),
    ];
    const table = columns([
      ['', a.id, b.id],
      row('client', (side) => `${side.provider} ${side.model ?? ''}`),
      row('start', (side) => side.start_time),
      row('turns', (side) => side.turns),
      row('steps', (side) => side.steps),
      row('calls', (side) => `${side.tool_calls} (${side.failures} failed)`),
      row('tokens', (side) => countText(side.tokens)),
      row('seconds', (side) => side.duration_seconds),
      row('score', (side) => side.score),
      ...Object.entries(data.tools).map(([name, [x, y]]) => [`  ${name}`, String(x), String(y)]),
    ]);
    const { both, only_a, only_b } = data.files;
    const parts = data.parts_at;
    return [
      table,
      `files in both: ${both.join(', ') || 'none'}`,
      `only in ${a.id}: ${only_a.join(', ') || 'none'}`,
      `only in ${b.id}: ${only_b.join(', ') || 'none'}`,
      parts === undefined
        ? a.tool_calls === b.tool_calls
          ? 'the same calls in the same order'
          : 'one is the beginning of the other'
        : `they part at call ${parts.call}: ${parts.a?.action ?? '(end)'} (e${parts.a?.event_index ?? '-'}) / ${parts.b?.action ?? '(end)'} (e${parts.b?.event_index ?? '-'})`,
    ].join('\n');
  },
});

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
      tokens: session.totalTokens,
      duration_seconds: durationSeconds(session),
      score: analysis.score,
      first_prompt: snip(session.snippet, 120),
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

/** What a file is called, also in another worktree of the same project. */
function namesOf(path: string, own: SessionRow, other: SessionRow): readonly string[] {
  if (own.projectHash === undefined || own.projectHash !== other.projectHash) return [path];
  const roots = [own.cwd, own.projectPath].flatMap((root) => (root === undefined ? [] : `${root}/`));
  return [path, ...roots.filter((root) => path.startsWith(root)).map((root) => path.slice(root.length))];
}

function failedActions(figures: SessionFigures): readonly string[] {
  const failed = figures.calls.filter((call) => call.status === 'failed').map((call) => call.action);
  return [...new Set(failed)];
}

function partingPoint(a: SessionFigures, b: SessionFigures): Comparison['parts_at'] {
  const length = Math.min(a.calls.length, b.calls.length);
  let call = 0;
  while (call < length && a.calls[call]?.digest === b.calls[call]?.digest) call++;
  if (call === a.calls.length || call === b.calls.length) return undefined;
  const place = (figures: SessionFigures): Place | undefined => {
    const made = figures.calls[call];
    return made === undefined
      ? undefined
      : { turn_index: made.turn, event_index: made.call, action: made.action };
  };
  return { call, a: place(a), b: place(b) };
}
