import type { EmbedderChoice } from '../embed/open-embedder.ts';
import type { Frame } from '../rank/read-frames.ts';
import type { QueryKind } from '../rank/read-query.ts';
import type { RankMode, Signal } from '../rank/signal-weights.ts';

/** A question to the search thread. */
export interface SemanticQuestion {
  readonly root: string;
  readonly mode: Exclude<RankMode, 'words'>;
  /** The text to search for, or a place to find similar code to. */
  readonly text?: string | undefined;
  readonly like?: { readonly path: string; readonly line: number } | undefined;
  readonly filter: {
    readonly below: string;
    readonly globs: readonly string[];
    readonly near?: boolean | undefined;
    readonly language?: string | undefined;
  };
  readonly minScore: number;
  readonly limit: number;
  /** Whether to say what the scores are made of. */
  readonly explain?: boolean | undefined;
  readonly embedder: EmbedderChoice;
}

/** A chunk that may answer a question. */
export interface SemanticHit {
  readonly path: string;
  readonly line_start: number;
  readonly line_end: number;
  readonly kind: string;
  readonly symbol?: string | undefined;
  readonly breadcrumb: readonly string[];
  readonly language?: string | undefined;
  readonly score: number;
  /** Its worth by its own text, compared with other chunks of this answer. */
  readonly worth: number;
  /** The call of a stack trace that it is the place of. */
  readonly frame?: Frame | undefined;
  /** What each signal added to the score, if requested. */
  readonly parts?: Readonly<Partial<Record<Signal, number>>>;
  /** The file's size and time when it was indexed. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** How the answer was found. */
export interface SemanticPlan {
  readonly kind: QueryKind | 'like';
  readonly terms: readonly string[];
  readonly identifiers: readonly string[];
  readonly files: number;
  /** Why there are no hits: the question has no words, or none that the index or the model knows. */
  readonly unread?: 'no words' | 'no known word' | undefined;
  readonly chunks: number;
  readonly ms: number;
}

export interface SemanticAnswer {
  readonly hits: readonly SemanticHit[];
  readonly plan: SemanticPlan;
}
