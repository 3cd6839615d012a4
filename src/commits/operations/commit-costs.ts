import { z } from 'zod';
import { shortCount } from '../../contract/format.ts';
import type { ReadonlyData } from '../../contract/operation.ts';
import { type Charge, type Sum, sumOf } from '../charge.ts';
import type { LinkedCommit } from '../commit-store.ts';
import { isSameFile } from '../link-commit.ts';
import type { CommitServices } from '../services.ts';
import { visibleSession } from './visible-session.ts';

export const wastedSchema = z.object({
  share: z.number().describe('of the cost, or of the tokens if the model has no price'),
  failed: z.int().optional().describe('tokens of responses whose calls all failed'),
  reverted: z.int().optional().describe('tokens that led to edits which the session undid'),
  lost: z.int().optional().describe('tokens that led to edits without which their file was committed'),
});

export const sumSchema = z.object({
  tokens: z.int(),
  cost: z.number().optional().describe('estimated dollars; absent if the model has no price'),
  wasted: wastedSchema.optional(),
});

type ShownSum = ReadonlyData<typeof sumSchema>;

export interface CommitSums {
  readonly not_committed?: ShownSum | undefined;
  readonly other_commits?: ShownSum | undefined;
  readonly total: ShownSum;
}

export type CommitCosts = ReturnType<typeof commitCosts>;

/** What commits cost, counting only sessions the caller may see; given a file, what was spent on that file. */
export function commitCosts({ commits, sessions }: CommitServices, file: string | undefined) {
  // Cached, because a session often has many commits.
  const known = new Map<string, readonly Charge[]>();
  async function chargesOf(session: string): Promise<readonly Charge[]> {
    const there =
      known.get(session) ??
      ((await visibleSession(session, { sessions })) ? await commits.charges(session) : []);
    known.set(session, there);
    return file === undefined
      ? there
      : there.filter(({ path }) => path !== undefined && isSameFile(path, file));
  }

  async function chargesFor({ ids }: LinkedCommit): Promise<readonly Charge[]> {
    const all: Charge[] = [];
    for (const session of await commits.sessionsIn(ids))
      all.push(
        ...(await chargesOf(session)).filter(({ commit }) => commit !== undefined && ids.includes(commit)),
      );
    return all;
  }

  function sums(charges: readonly Charge[], found: readonly LinkedCommit[]): CommitSums {
    const listed = new Set(found.flatMap(({ ids }) => ids));
    const none = charges.filter(({ commit }) => commit === undefined);
    const other = charges.filter(({ commit }) => commit !== undefined && !listed.has(commit));
    return {
      not_committed: none.length === 0 ? undefined : shownSum(sumOf(none)),
      other_commits: other.length === 0 ? undefined : shownSum(sumOf(other)),
      total: shownSum(sumOf(charges)),
    };
  }

  return {
    /** What a commit cost; undefined if no session is known to have worked on it. */
    async of(commit: LinkedCommit): Promise<ShownSum | undefined> {
      const charges = await chargesFor(commit);
      return charges.length === 0 ? undefined : shownSum(sumOf(charges));
    },

    async ofSession(session: string, found: readonly LinkedCommit[]): Promise<CommitSums> {
      return sums(await chargesOf(session), found);
    },

    /** Everything that was spent on the given file. */
    async ofFile(found: readonly LinkedCommit[]): Promise<CommitSums> {
      const edits = file === undefined ? [] : await commits.editsOfFile(file);
      const all: Charge[] = [];
      for (const session of new Set(edits.map((edit) => edit.session)))
        all.push(...(await chargesOf(session)));
      return sums(all, found);
    },

    /** What commits cost together; copies of a commit count once. */
    async ofCommits(found: readonly LinkedCommit[]): Promise<CommitSums> {
      const distinct = new Map(found.map((commit) => [commit.ids.join(), commit]));
      const all: Charge[] = [];
      for (const commit of distinct.values()) all.push(...(await chargesFor(commit)));
      return { total: shownSum(sumOf(all)) };
    },
  };
}

function shownSum({ tokens, cost, wasted: { failed, reverted, lost } }: Sum): ShownSum {
  const part = (of: 'tokens' | 'cost') => (failed[of] ?? 0) + (reverted[of] ?? 0) + (lost[of] ?? 0);
  const share = cost ? part('cost') / cost : part('tokens') / Math.max(1, tokens);
  return {
    tokens,
    cost: cost === undefined ? undefined : Math.round(cost * 10_000) / 10_000,
    wasted:
      part('tokens') === 0
        ? undefined
        : {
            share: Math.round(share * 1_000) / 1_000,
            failed: failed.tokens || undefined,
            reverted: reverted.tokens || undefined,
            lost: lost.tokens || undefined,
          },
  };
}

export function sumText({ tokens, cost, wasted }: ShownSum): string {
  const { share, ...parts } = wasted ?? {};
  const kinds = Object.entries(parts).flatMap(([kind, count]) =>
    count === undefined ? [] : [`${kind} ${shortCount(count)}`],
  );
  const waste = share === undefined ? '' : ` (${Math.round(share * 100)} % wasted: ${kinds.join(', ')})`;
  const dollars = cost === undefined ? '' : ` $${cost.toFixed(2)}`;
  return `${shortCount(tokens)} tok${dollars}${waste}`;
}
