import { existsSync } from 'node:fs';
import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { countOf } from '../../contract/format.ts';
import { type CallContext, operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { gitOutput } from '../../contract/run-git.ts';
import { isoTime } from '../../contract/time.ts';
import type { LinkedCommit } from '../commit-store.ts';
import type { CommitServices } from '../services.ts';
import { type CommitCosts, commitCosts, sumSchema, sumText, wastedSchema } from './commit-costs.ts';
import { type AskedRepository, repositoryAround, upToDate } from './repository.ts';
import { visibleSession } from './visible-session.ts';

const commitSchema = z.object({
  commit: z.string(),
  authored_at: z.string(),
  author: z.string(),
  subject: z.string(),
  session_id: z.string().optional().describe('absent if no session is known'),
  certainty: z.enum(['certain', 'likely', 'uncertain']).optional(),
  reasons: z.array(z.string()).optional(),
  agent_share: z
    .number()
    .optional()
    .describe(
      'of the added lines, those that the session wrote in the same file; lines like `}` do not count',
    ),
  tokens: z.int().optional().describe('spent on what was committed'),
  cost: z.number().optional().describe('estimated dollars; absent if the model has no price'),
  wasted: wastedSchema.optional(),
});

const commitsSchema = z.object({
  root: z.string(),
  commits: z.array(commitSchema),
  not_committed: sumSchema.optional().describe('spent on nothing that was committed'),
  other_commits: sumSchema
    .optional()
    .describe('spent on commits that are not listed, as in other repositories'),
  total: sumSchema.optional().describe('what a session, range or file cost: the commits and the two above'),
  unread: z.int().optional().describe('commits from before the first session, which were not looked at'),
});

type CommitsData = ReadonlyData<typeof commitsSchema>;
type CommitRow = ReadonlyData<typeof commitSchema>;

const commitSessionsInput = z.strictObject({
  of: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('a session, a commit, a merge, a range A..B, or a file; without it: the newest commits'),
  path: z.string().min(1).max(4096).optional().describe('folder of the repository'),
});

const NEWEST_COMMITS = 50;
const MAX_COMMITS_IN_RANGE = 2_000;
const RANGE = /^[^\s-][^\s]*\.\.\.?[^\s]*$/;

export const commitSessions = operation<CommitServices>()({
  name: 'commit_sessions',
  toolset: 'sessions',
  readOnly: true,
  summary:
    'Which session made a commit, the commits of a session or file, what each cost, and how much was wasted.',
  input: commitSessionsInput,
  data: commitsSchema,
  limit: { default: 50, max: 500 },
  rows: 'commits',
  aliases: { session_id: 'of', commit: 'of', range: 'of', root: 'path' },
  http: 'GET /api/commits',
  command: {
    words: 'sessions of',
    positional: ['of'],
    examples: [
      'pinhole sessions of HEAD',
      'pinhole sessions of main..my-branch',
      'pinhole sessions of src/pool.ts',
      'pinhole sessions of 5e55a001',
    ],
  },

  async run({ of, path }, ctx) {
    const session = of === undefined ? undefined : await sessionOf(of, path, ctx);
    const { root } = await repositoryAround(session?.project ?? path ?? '.', true, ctx);
    const repository = await upToDate(root, ctx);
    const wanted =
      session === undefined
        ? await commitsOf(of, repository, ctx)
        : { found: await ctx.commits.ofSession(repository.id, session.id), unread: 0, file: undefined };
    const costs = commitCosts(ctx, wanted.file);
    const sums =
      session !== undefined
        ? await costs.ofSession(session.id, wanted.found)
        : wanted.file !== undefined
          ? await costs.ofFile(wanted.found)
          : of !== undefined && RANGE.test(of)
            ? await costs.ofCommits(wanted.found)
            : undefined;
    return page<CommitRow, CommitsData>({
      rows: rows(wanted.found, costs, ctx),
      position: ({ commit }) => commit,
      keep: {},
      total: wanted.found.length,
      shape: (shown) => ({ root, commits: shown, ...sums, unread: wanted.unread || undefined }),
    });
  },

  text({ commits: shown, not_committed, other_commits, total, unread }) {
    const lines = shown.map(commitLine);
    if (shown.length === 0) lines.push('No commits.');
    if (other_commits !== undefined) lines.push(`other commits: ${sumText(other_commits)}`);
    if (not_committed !== undefined) lines.push(`not committed: ${sumText(not_committed)}`);
    if (total !== undefined) lines.push(`total: ${sumText(total)}`);
    if (unread !== undefined)
      lines.push(`${countOf(unread, 'commit')} from before the first session not looked at`);
    return lines.join('\n');
  },
});

/** The session that `of` names, with the folder of its repository; undefined if it names a commit. */
async function sessionOf(
  of: string,
  path: string | undefined,
  { sessions }: CommitServices,
): Promise<{ readonly id: string; readonly project: string } | undefined> {
  if (RANGE.test(of) || !/^[\w-]{6,}$/.test(of)) return undefined;
  const found = await visibleSession(of, { sessions });
  if (found === undefined) return undefined;
  // The log may come from another machine, where the repository was elsewhere.
  const there = found.projectPath ?? found.cwd;
  const project = path ?? (there !== undefined && existsSync(there) ? there : '.');
  return { id: found.id, project };
}

interface WantedCommits {
  readonly found: readonly LinkedCommit[];
  readonly unread: number;
  /** The file, as a path in its repository. */
  readonly file?: string;
}

/** The commits that a commit, a range or a file stands for; without any, the newest ones. */
export async function commitsOf(
  of: string | undefined,
  { root, id }: AskedRepository,
  ctx: CallContext & CommitServices,
): Promise<WantedCommits> {
  const { commits: index, signal } = ctx;
  // Git would take a name that begins with a dash for an option.
  if (of?.startsWith('-')) fail('invalid_parameter', `'${of}' is neither a session nor a commit.`);
  const which =
    of === undefined
      ? [`--max-count=${NEWEST_COMMITS}`, 'HEAD']
      : RANGE.test(of)
        ? [of]
        : await broughtBy(of, root, signal);
  const text = await gitOutput(
    root,
    ['rev-list', '--no-merges', `--max-count=${MAX_COMMITS_IN_RANGE}`, ...which, '--'],
    signal,
  );
  // The repository has no commit yet.
  if (text === undefined && of === undefined) return { found: [], unread: 0 };
  if (text === undefined && of !== undefined) {
    const file = await repositoryAround(of, false, ctx).catch(() => undefined);
    const found = file?.root === root ? await index.ofFile(id, file.below) : [];
    if (file !== undefined && found.length > 0) return { found, unread: 0, file: file.below };
  }
  if (text === undefined)
    fail(
      'not_found',
      `'${of}' is neither a session, nor a commit or range of ${root}, nor a file in its commits.`,
    );
  const hashes = text.split('\n').filter(Boolean);
  const found = await index.withHashes(id, hashes);
  return { found, unread: hashes.length - found.length };
}

/** A commit, or for a merge the commits that it brought in from other branches. */
async function broughtBy(of: string, root: string, signal: AbortSignal): Promise<readonly string[]> {
  const text = await gitOutput(root, ['rev-list', '--max-count=1', '--parents', of, '--'], signal);
  const [hash, main, other] = text?.trim().split(' ') ?? [];
  return hash !== undefined && other !== undefined ? [hash, `^${main}`] : ['--max-count=1', of];
}

async function* rows(
  found: readonly LinkedCommit[],
  costs: CommitCosts,
  { sessions }: CommitServices,
): AsyncGenerator<CommitRow> {
  for (const commit of found) {
    const { hash, author, authoredMs, subject, notes, link: known } = commit;
    const link = known && (await visibleSession(known.session, { sessions })) ? known : undefined;
    yield {
      commit: hash.slice(0, 10),
      authored_at: isoTime(authoredMs),
      author,
      subject,
      session_id: link && (await sessions.list.shortId(link.session)),
      certainty: link?.certainty,
      agent_share: link && link.ofWritten > 0 ? rounded(link.written / link.ofWritten) : undefined,
      reasons: link || notes.length > 0 ? [...(link?.reasons ?? []), ...notes] : undefined,
      ...(await costs.of(commit)),
    };
  }
}

const rounded = (share: number) => Math.round(share * 1_000) / 1_000;

function commitLine(row: CommitRow): string {
  const { session_id, certainty, agent_share, tokens, cost, wasted } = row;
  const share =
    agent_share === undefined
      ? ''
      : agent_share === 0
        ? ' edited the same files'
        : ` wrote ${Math.ceil(agent_share * 100)} %`;
  const from = session_id === undefined ? 'no session known' : `${session_id} ${certainty}${share}`;
  const spent = tokens === undefined ? '' : `  ${sumText({ tokens, cost, wasted })}`;
  return `${row.commit} ${row.authored_at.slice(0, 10)} ${row.subject}  ${from}${spent}`;
}
