import type { SemanticHit, SemanticPlan } from '../../../src/code/semantic/semantic-answer.ts';
import type { DataOf } from '../data/operations.ts';

export type FileView = DataOf<'file_view'>;
export type FileHits = NonNullable<DataOf<'regex_search'>['matches']>[number];
export type RankedMatch = DataOf<'hybrid_search'>['matches'][number];
export type Hit = FileHits['hits'][number];

/** How a ranked search was understood, and the parts of each score. */
export interface RankingPlan extends Partial<SemanticPlan> {
  readonly hits: readonly Pick<SemanticHit, 'path' | 'line_start' | 'score' | 'parts'>[];
}

export type SymbolUse = NonNullable<DataOf<'symbol'>['callers']>[number];
export type BlamedLines = DataOf<'blame'>['lines'][number];
