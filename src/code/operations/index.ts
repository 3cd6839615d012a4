import { codeHistory } from './code-history.ts';
import { codeIndexes } from './code-indexes.ts';
import { findFiles } from './find-files.ts';
import { hybridSearch } from './hybrid-search.ts';
import { outline } from './outline.ts';
import { regexSearch } from './regex-search.ts';
import { semanticSearch } from './semantic-search.ts';
import { symbol } from './symbol.ts';

/** The code operations, in the order in which their tools are listed. */
export const CODE_OPERATIONS = [
  regexSearch,
  semanticSearch,
  hybridSearch,
  symbol,
  outline,
  findFiles,
  codeHistory,
  codeIndexes,
] as const;
