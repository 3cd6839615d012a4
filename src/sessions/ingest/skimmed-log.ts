import type { Relation, Usage } from '../model/event.ts';
import type { TokenRow } from './token-rows.ts';

/**
 * How much of a log is read: only its tokens, without title and first prompt; the first prompt and nothing else; tokens,
 * title and first prompt; or every record as the index reads it.
 */
export type SkimDepth = 'tokens' | 'prompt' | 'texts' | 'whole';

/** What the totals of tokens need of a log: the facts of its session, and the tokens of its responses. */
export interface SkimmedLog {
  readonly path: string;
  readonly provider: string;
  readonly archived: boolean;
  readonly id: string;
  /** The id is the agent's own; else it is only the name of the file. */
  readonly named: boolean;
  readonly cwd: string | undefined;
  readonly projectHash: string | undefined;
  readonly title: string | undefined;
  /** How the first prompt begins; undefined while that is not known. */
  readonly snippet: string | undefined;
  readonly parentId: string | undefined;
  readonly relation: Relation | undefined;
  readonly clientUsage: Readonly<Record<string, Usage>> | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly events: number;
  /** Every record was read, so that the time of the end and the number of events are exact. */
  readonly whole: boolean;
  readonly depth: SkimDepth;
  /** The session whose records are at the beginning of this one; they must be known to count none of them twice. */
  readonly copiedFrom: string | undefined;
  readonly responses: readonly TokenRow[];
}
