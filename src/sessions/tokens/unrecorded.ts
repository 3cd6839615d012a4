import type { SqlRow } from '../../store/database.ts';
import type { Usage } from '../model/event.ts';
import { providerWith } from '../providers/index.ts';
import { OPTIONAL_TOKENS, type OptionalTokens, type Provider } from '../providers/provider.ts';
import { int, str } from '../store/session-row.ts';

/** A kind of tokens that is missing from the sums of a group. */
export interface Unrecorded {
  readonly kind: OptionalTokens;
  /** The agents of the group that never record it. */
  readonly agents: readonly string[];
  /** No agent of the group recorded any: the sum is unknown, not 0. */
  readonly all: boolean;
}

const COLUMNS: Readonly<Record<OptionalTokens, string>> = {
  cached: 'cached',
  cacheWrite: 'cache_write',
  reasoning: 'reasoning',
};

/** What the agents of these rows do not record; the rows have a `provider` and sums of tokens. */
export function unrecordedIn(rows: readonly SqlRow[], providers: readonly Provider[]): readonly Unrecorded[] {
  return OPTIONAL_TOKENS.flatMap((kind) => {
    const sums = new Map<string, number>();
    for (const row of rows) {
      const id = str(row.provider);
      sums.set(id, (sums.get(id) ?? 0) + int(row[COLUMNS[kind]]));
    }
    const gaps = [...sums].map(([id, sum]) => ({
      id,
      gap: sum > 0 ? undefined : providerWith(providers, id)?.unrecorded?.[kind],
    }));
    const agents = gaps.filter(({ gap }) => gap === 'always').map(({ id }) => id);
    const all = gaps.length > 0 && gaps.every(({ gap }) => gap !== undefined);
    return agents.length === 0 && !all ? [] : [{ kind, agents, all }];
  });
}

/** A count of tokens, or undefined if no agent of the group records this kind. */
export function recorded(
  usage: Usage,
  unrecorded: readonly Unrecorded[],
  kind: OptionalTokens,
): number | undefined {
  return unrecorded.some((one) => one.kind === kind && one.all) ? undefined : usage[kind];
}

/** The column `u.kind` of a session `s` in SQL: NULL where the agent of the session does not record it. */
export function recordedSql(kind: OptionalTokens, providers: readonly Provider[]): string {
  const column = `u.${COLUMNS[kind]}`;
  const ids = providers
    .filter(({ unrecorded }) => unrecorded?.[kind] !== undefined)
    .map(({ id }) => `'${id}'`);
  return `CASE WHEN ${column} = 0 AND s.provider IN (${ids.join(', ')}) THEN NULL ELSE ${column} END`;
}

/** Shorter than this, a duration is shown as 0 seconds. */
const HALF_SECOND_MS = 500;

/** SQL about times of a session `s` from one column to another; NULL if its agent does not record when it answers. */
export function timedSql(sql: string, from: string, to: string, providers: readonly Provider[]): string {
  const ids = providers
    .filter(({ unrecorded }) => unrecorded?.answerTimes !== undefined)
    .map(({ id }) => `'${id}'`);
  return `CASE WHEN ${to} - ${from} < ${HALF_SECOND_MS} AND s.provider IN (${ids.join(', ')}) THEN NULL ELSE ${sql} END`;
}
