import { existsSync } from 'node:fs';
import { z } from 'zod';
import { fail } from '../../contract/errors.ts';
import { countOf, shortCount } from '../../contract/format.ts';
import { type CallContext, operation, page, type ReadonlyData } from '../../contract/operation.ts';
import { isoTime } from '../../contract/time.ts';
import type { Sum } from '../charge.ts';
import type { LinkedCommit } from '../commit-store.ts';
import { gitOutput } from '../git/run-git.ts';
import type { CommitServices } from '../services.ts';
import { type AskedRepository, repositoryAround, upToDate } from './repository.ts';
import { visibleSession } from './visible-session.ts';

const sumSchema = z.object({ tokens: z.int(), cost: z.number().describe('estimated dollars') });

const commitSchema = z.object({
  commit: z.string(),
  authored_at: z.string(),
  author: z.string(),
  subject: z.string(),
  session_id: z.string().optional().describe('absent if no session is known'),
  certainty: z.enum(['certain', 'likely', 'uncertain']).optional(),
  reasons: z.array(z.string()).optional(),
  tokens: z.int().optional().describe('spent on what was committed'),
  cost: z.number().optional().describe('estimated dollars'),
});

const commitsSchema = z.object({
  root: z.string(),
  commits: z.array(commitSchema),
  not_committed: sumSchema.optional().describe('what the session spent on nothing that was committed'),
  unread: z.int().optional().describe('commits from before the first session, which were not looked at'),
});

type CommitsData = ReadonlyData<typeof commitsSchema>;
type CommitRow = ReadonlyData<typeof commitSchema>;

export const commitSessionsInput = z.strictObject({
  of: z
    .string()
    .min(1)
    .max(300)
    .optional()
    .describe('a session, a commit, or a range A..B; without it: the newest commits'),
  path: z.string().min(1).max(4096).optional().describe('folder of the repository'),
});

const NEWEST = 50;
const MAX_RANGE = 2_000;
const RANGE = /^[^\s-][^\s]*\.\.\.?[^\s]*$/;

export const commitSessions = operation<CommitServices>()({
  name: 'commit_sessions',
  toolset: 'sessions',
  readOnly: true,
  summary: 'Which session made a commit, the commits of a session, and what each cost.',
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
        : { found: await ctx.commits.ofSession(repository.id, session.id), unread: 0 };
    const left = session && (await ctx.commits.charges(session.id)).get(undefined);
    return page<CommitRow, CommitsData>({
      rows: rows(wanted.found, ctx),
      position: ({ commit }) => commit,
      keep: {},
      total: wanted.found.length,
      shape: (shown) => ({
        root,
        commits: shown,
        not_committed: left && rounded(left),
        unread: wanted.unread || undefined,
      }),
    });
  },

  text({ commits: shown, not_committed, unread }) {
    const lines = shown.map(commitLine);
    if (shown.length === 0) lines.push('No commits.');
    if (not_committed !== undefined) lines.push(`not committed: ${sumText(not_committed)}`);
    if (unread !== undefined)
      lines.push(`${countOf(unread, 'commit')} from before the first session not looked at`);
    return lines.join('\n');
  },
});

/** The session that is meant, with the folder of its repository; undefined if a commit is meant. */
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

async function commitsOf(
  of: string | undefined,
  { root, id }: AskedRepository,
  { commits: index, signal }: CallContext & CommitServices,
): Promise<{ readonly found: readonly LinkedCommit[]; readonly unread: number }> {
  // A name that began with a dash would be an option to git.
  if (of?.startsWith('-')) fail('invalid_parameter', `'${of}' is neither a session nor a commit.`);
  const which =
    of === undefined ? [`--max-count=${NEWEST}`, 'HEAD'] : RANGE.test(of) ? [of] : ['--max-count=1', of];
  const text = await gitOutput(
    root,
    ['rev-list', '--no-merges', `--max-count=${MAX_RANGE}`, ...which, '--'],
    signal,
  );
  if (text === undefined) fail('not_found', `'${of}' is neither a session nor a commit or range of ${root}.`);
  const hashes = text.split('\n').filter(Boolean);
  const found = await index.withHashes(id, hashes);
  return { found, unread: hashes.length - found.length };
}

async function* rows(
  found: readonly LinkedCommit[],
  { commits: index, sessions }: CommitServices,
): AsyncGenerator<CommitRow> {
  // A session often has many commits.
  const charges = new Map<string, ReadonlyMap<number | undefined, Sum>>();
  const chargesOf = async (session: string) => {
    const known =
      charges.get(session) ??
      ((await visibleSession(session, { sessions }))
        ? await index.charges(session)
        : new Map<undefined, Sum>());
    charges.set(session, known);
    return known;
  };
  for (const { id, hash, author, authoredMs, subject, notes, link: known } of found) {
    const link = known && (await visibleSession(known.session, { sessions })) ? known : undefined;
    let sum: Sum | undefined;
    for (const session of await index.sessionsIn(id)) {
      const part = (await chargesOf(session)).get(id);
      if (part !== undefined)
        sum = { tokens: (sum?.tokens ?? 0) + part.tokens, cost: (sum?.cost ?? 0) + part.cost };
    }
    yield {
      commit: hash.slice(0, 10),
      authored_at: isoTime(authoredMs),
      author,
      subject,
      session_id: link && (await sessions.list.shortId(link.session)),
      certainty: link?.certainty,
      reasons: link || notes.length > 0 ? [...(link?.reasons ?? []), ...notes] : undefined,
      ...(sum && rounded(sum)),
    };
  }
}

function rounded({ tokens, cost }: Sum): Sum {
  return { tokens, cost: Math.round(cost * 10_000) / 10_000 };
}

function sumText({ tokens, cost }: Sum): string {
  return `${shortCount(tokens)} tok $${cost.toFixed(2)}`;
}

function commitLine(row: CommitRow): string {
  const { session_id, certainty, tokens, cost } = row;
  const from = session_id === undefined ? 'no session known' : `${session_id} ${certainty}`;
  const spent = tokens === undefined || cost === undefined ? '' : `  ${sumText({ tokens, cost })}`;
  return `${row.commit} ${row.authored_at.slice(0, 10)} ${row.subject}  ${from}${spent}`;
}
