import type { fileView } from '../../../src/app/operations/file-view.ts';
import type { hybridSearch } from '../../../src/code/operations/hybrid-search.ts';
import type { codeIndexList } from '../../../src/code/operations/index-list.ts';
import type { regexSearch } from '../../../src/code/operations/regex-search.ts';
import type { DataOf } from '../data/types.ts';

export type CodeIndexPage = DataOf<typeof codeIndexList>;
export type FileView = DataOf<typeof fileView>;
export type RegexMatches = DataOf<typeof regexSearch>;
export type FileHits = NonNullable<RegexMatches['matches']>[number];
export type Hit = FileHits['hits'][number];
export type MeaningMatches = DataOf<typeof hybridSearch>;
export type MeaningMatch = MeaningMatches['matches'][number];
