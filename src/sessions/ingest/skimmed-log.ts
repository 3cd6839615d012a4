import type { Relation, Usage } from '../model/event.ts';
import type { TokenRow } from './token-rows.ts';

/**
 * How much of a log is read: only its tokens, without title and first prompt; only the first prompt; tokens, title and
 * first prompt; or every record, the way the index does.
 */
export type SkimDepth = 'tokens' | 'prompt' | 'texts' | 'whole';

/** What token totals need from a log: the facts of its session, and the tokens of its responses. */
export interface SkimmedLog {
  readonly path: string;
  readonly provider: string;
  readonly archived: boolean;
  readonly id: string;
  /** The id is the agent's own; otherwise it is only the file name. */
  readonly named: boolean;
  readonly cwd: string | undefined;
  readonly projectHash: string | undefined;
  readonly title: string | undefined;
  /** The beginning of the first prompt; undefined as long as it is not known. */
  readonly snippet: string | undefined;
  readonly parentId: string | undefined;
  readonly relation: Relation | undefined;
  readonly clientUsage: Readonly<Record<string, Usage>> | undefined;
  readonly startMs: number;
  readonly endMs: number;
  readonly events: number;
  /** Whether the model said anything. */
  readonly answered: boolean;
  /** Tokens of the last request; 0 if the log has none. */
  readonly contextTokens: number;
  /** Every record was read, so the end time and the number of events are exact. */
  readonly whole: boolean;
  readonly depth: SkimDepth;
  /** The session whose records this one begins with; they must be known so that none is counted twice. */
  readonly copiedFrom: string | undefined;
  readonly responses: readonly TokenRow[];
}
