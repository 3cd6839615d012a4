import type { EmbedderChoice } from '../embed/open-embedder.ts';
import type { QueryKind } from '../rank/read-query.ts';
import type { RankMode, Signal } from '../rank/signal-weights.ts';

/** What a search thread is asked. */
export interface SemanticQuestion {
  readonly root: string;
  readonly mode: Exclude<RankMode, 'words'>;
  /** Words to look for; or a place in the code to find the like of. */
  readonly text?: string | undefined;
  readonly like?: { readonly path: string; readonly line: number } | undefined;
  readonly filter: {
    readonly below: string;
    readonly globs: readonly string[];
    readonly language?: string | undefined;
  };
  readonly minScore: number;
  readonly limit: number;
  readonly embedder: EmbedderChoice;
}

/** A place in the code that may answer a question. */
export interface SemanticHit {
  readonly path: string;
  readonly line_start: number;
  readonly line_end: number;
  readonly kind: string;
  readonly symbol?: string | undefined;
  readonly breadcrumb: readonly string[];
  readonly language?: string | undefined;
  readonly score: number;
  /** What each signal added to the score. */
  readonly parts: Readonly<Partial<Record<Signal, number>>>;
  /** As the file was when it was read into the index. */
  readonly size: number;
  readonly mtimeMs: number;
}

/** How the answer came about. */
export interface SemanticPlan {
  readonly kind: QueryKind | 'like';
  readonly terms: readonly string[];
  readonly identifiers: readonly string[];
  readonly files: number;
  readonly chunks: number;
  readonly ms: number;
}

export interface SemanticAnswer {
  readonly hits: readonly SemanticHit[];
  readonly plan: SemanticPlan;
}
