import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { type CallContext, operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import { cut, placeNumber } from '../../sessions/operations/session-text.ts';
import type { FileEdit, LinkedCommit } from '../commit-store.ts';
import { type BlamedLines, blameLines } from '../git/blame-lines.ts';
import { isShallow } from '../git/work-tree.ts';
import { lineHash } from '../line-hashes.ts';
import { SLACK_MS } from '../link-commit.ts';
import type { CommitServices } from '../services.ts';
import { readTraces } from '../trace/read-traces.ts';
import { type AskedRepository, repositoryAround, upToDate } from './repository.ts';
import { visibleSession } from './visible-session.ts';

const blamedSchema = z.object({
  lines: z.string().describe('12 or 12-40'),
  text: z.string().optional().describe('of the line that was asked for'),
  commit: z.string().optional().describe('absent if not committed yet'),
  authored_at: z.string().optional(),
  author: z.string().optional(),
  subject: z.string().optional(),
  session_id: z.string().optional().describe('absent if no session is known'),
  certainty: z.enum(['certain', 'likely', 'uncertain']).optional(),
  reasons: z.array(z.string()).optional(),
  turn_index: z.int().optional(),
  event_index: z.int().optional().describe('the edit that wrote the line'),
  prompt: z.string().optional().describe('what asked for it'),
  reasoning: z.string().optional().describe('what the agent thought or said before the edit'),
  diff: z.string().optional(),
});

const blameSchema = z.object({
  path: z.string(),
  note: z.string().optional().describe('what this clone cannot know'),
  lines: z.array(blamedSchema),
});

type Blame = ReadonlyData<typeof blameSchema>;
type Blamed = ReadonlyData<typeof blamedSchema>;

const blameInput = z.strictObject({
  path: z.string().min(1).max(4096).describe('FILE or FILE:LINE'),
  line: z.int().min(1).optional().describe('the line, if path does not have it'),
});

const MAX_PROMPT_LENGTH = 400;
const MAX_REASONING_LENGTH = 400;
const DIFF_LINES = 16;

export const blame = operation<CommitServices>()({
  name: 'blame',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Why a line is there: its commit, the session and prompt behind it, the reasoning and the diff.',
  input: blameInput,
  data: blameSchema,
  limit: { default: 100, max: 1_000 },
  rows: 'lines',
  unlisted: ['line'],
  aliases: { file: 'path', file_path: 'path', place: 'path' },
  http: 'GET /api/blame',
  command: {
    words: 'blame',
    positional: ['path'],
    examples: ['pinhole blame src/pool.ts:40', 'pinhole blame src/pool.ts'],
  },

  async run(input, ctx) {
    const [, file = input.path, place] = /^(.+?):(\d+)(?:[-:]\d+)?$/.exec(input.path) ?? [];
    const line = input.line ?? (place === undefined ? undefined : Number(place));
    const { root, below } = await repositoryAround(file, false, ctx);
    const found = await blameLines(root, below, line, ctx.signal);
    if (found === undefined)
      fail('not_found', `git knows no ${line === undefined ? '' : `line ${line} of `}'${below}'.`);
    const repository = await upToDate(root, ctx);
    return page<Blamed, Blame>({
      rows: rows(found, repository, line !== undefined, ctx),
      position: ({ lines }) => lines,
      keep: {},
      total: found.length,
      shape: (lines) => ({ path: below, note: shallowNote(found, root), lines }),
    });
  },

  text: ({ note, lines }) =>
    [...(note === undefined ? [] : [note]), ...lines.map(blamedText)].join('\n') || 'The file is empty.',
});

type Context = CallContext & CommitServices;

/** In a shallow clone, git blames the oldest commit for everything before it. */
function shallowNote(found: readonly BlamedLines[], root: string): string | undefined {
  const oldest = found.find(({ oldest }) => oldest)?.hash;
  if (oldest === undefined || !isShallow(root)) return undefined;
  return `This clone is shallow: lines of ${oldest.slice(0, 10)} may be older. For the whole history: git fetch --unshallow`;
}

async function* rows(
  found: readonly BlamedLines[],
  { id, root }: AskedRepository,
  whole: boolean,
  ctx: Context,
): AsyncGenerator<Blamed> {
  // The file may have had other names before.
  const edits = new Map<string, readonly FileEdit[]>();
  for (const group of found) {
    const [commit] = group.hash === undefined ? [] : await ctx.commits.withHashes(id, [group.hash]);
    const main = whole ? commit?.link?.session : undefined;
    const there = edits.get(group.path) ?? (await ctx.commits.editsOfFile(group.path, main));
    edits.set(group.path, there);
    const written = editBehind(group, commit, there);
    const edit = written && (await visibleSession(written.session, ctx)) ? written : undefined;
    const linked = commit?.link && (await visibleSession(commit.link.session, ctx)) ? commit : undefined;
    const session = linked?.link?.session ?? edit?.main;
    yield {
      lines: group.first === group.last ? `${group.first}` : `${group.first}-${group.last}`,
      text: whole ? group.text : undefined,
      commit: group.hash?.slice(0, 10),
      authored_at: group.hash === undefined ? undefined : isoTime(group.authoredMs),
      author: group.hash === undefined ? undefined : group.author,
      subject: group.hash === undefined ? undefined : group.subject,
      session_id: session === undefined ? undefined : await ctx.sessions.list.shortId(session),
      certainty: session === undefined ? undefined : (linked?.link?.certainty ?? 'uncertain'),
      reasons: whole
        ? reasonsOf(linked, edit, [...(commit?.notes ?? []), ...tracedBy(group, root)])
        : undefined,
      turn_index: edit && placeNumber(edit.turn),
      event_index: edit?.event,
      ...(whole && edit !== undefined ? await conversation(edit, ctx) : {}),
    };
  }
}

/** The last edit that wrote a line: by the session that made its commit, or by any session before that. */
function editBehind(
  { text, hash, authoredMs }: BlamedLines,
  commit: LinkedCommit | undefined,
  edits: readonly FileEdit[],
): FileEdit | undefined {
  const wanted = lineHash(text);
  if (wanted === undefined) return undefined;
  const { link } = commit ?? {};
  const isCandidate =
    link !== undefined
      ? ({ main }: FileEdit) => main === link.session
      : ({ ms }: FileEdit) => hash === undefined || ms <= authoredMs + SLACK_MS;
  return edits.find((edit) => isCandidate(edit) && edit.added.includes(wanted));
}

/** What Agent Trace records about a line. */
function tracedBy({ hash, path, origin }: BlamedLines, root: string): readonly string[] {
  return hash === undefined ? [] : readTraces(root).ofLine(hash, path, origin);
}

function reasonsOf(
  commit: LinkedCommit | undefined,
  edit: FileEdit | undefined,
  notes: readonly string[],
): string[] | undefined {
  const { link } = commit ?? {};
  // A note that is already a reason for the link is not repeated.
  if (link !== undefined)
    return [...link.reasons, ...notes.filter((note) => !link.reasons.some((one) => one.startsWith(note)))];
  const own = edit === undefined ? [] : ['an edit of this file wrote the same line before'];
  return own.length + notes.length === 0 ? undefined : [...own, ...notes];
}

/** What led to an edit. */
async function conversation(
  { session: id, path, event, turn: index, step: at }: FileEdit,
  { sessions }: Context,
) {
  const session = await sessions.list.find(id);
  const diff = await sessions.files.changes.diffAt(session, event, path, DIFF_LINES);
  // There is no turn before the first prompt.
  if (placeNumber(index) === undefined) return { diff };
  const turn = await sessions.turns.at(session, index);
  const [step] = await sessions.turns.steps(session, turn, at - 1, 1);
  return {
    prompt: cut(turn.prompt.trim(), MAX_PROMPT_LENGTH) || undefined,
    reasoning: cut((step?.reasoning ?? step?.message ?? '').trim(), MAX_REASONING_LENGTH) || undefined,
    diff,
  };
}

function blamedText(row: Blamed): string {
  const what =
    row.commit === undefined
      ? 'not committed yet'
      : `${row.commit} ${row.authored_at?.slice(0, 10)} ${row.author}: ${row.subject}`;
  const place = row.event_index === undefined ? '' : ` turn ${row.turn_index} event ${row.event_index}`;
  const from =
    row.session_id === undefined
      ? 'no session known'
      : `session ${row.session_id}${place} (${row.certainty})`;
  if (row.text === undefined) return `${row.lines}  ${what}  ${from}`;
  const parts = [
    `${row.lines}: ${row.text.trim()}`,
    what,
    from,
    ...(row.reasons ?? []).map((reason) => `  ${reason}`),
  ];
  if (row.prompt !== undefined) parts.push(`prompt: ${row.prompt}`);
  if (row.reasoning !== undefined) parts.push(`before it: ${row.reasoning}`);
  if (row.diff !== undefined) parts.push(row.diff);
  return parts.join('\n');
}
