import { codeIndexes } from './code-indexes.ts';
import { hybridSearch } from './hybrid-search.ts';
import { regexSearch } from './regex-search.ts';
import { semanticSearch } from './semantic-search.ts';

/** The code operations, in the order in which their tools are listed. */
export const CODE_OPERATIONS = [regexSearch, semanticSearch, hybridSearch, codeIndexes] as const;
