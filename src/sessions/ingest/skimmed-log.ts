import type { Relation, Usage } from '../model/event.ts';
import type { TokenRow } from './token-rows.ts';

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
  readonly snippet: string;
  readonly parentId: string | undefined;
  readonly relation: Relation | undefined;
  readonly clientUsage: Readonly<Record<string, Usage>> | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly events: number;
  /** Every record was read, so that the time of the end and the number of events are exact. */
  readonly whole: boolean;
  /** The title and the first prompt were left out. */
  readonly brief: boolean;
  /** The session whose records are at the beginning of this one; they must be known to count none of them twice. */
  readonly copiedFrom: string | undefined;
  readonly responses: readonly TokenRow[];
}
