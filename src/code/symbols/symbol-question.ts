import type { FileSymbols } from './file-symbols.ts';
import type { NeededName } from './needed-files.ts';
import type { QuestionFiles } from './resolve/question-files.ts';
import type { SymbolReferences } from './resolve/symbol-references.ts';
import type { SymbolRows } from './symbol-rows.ts';

/** A file with what its syntax says, both from the same moment. */
export interface ParsedFile {
  readonly text: string;
  readonly symbols: FileSymbols;
}

/** What a question is about: a name, or files. */
export type SymbolNeed = NeededName | { readonly files: (path: string) => boolean };

/** What a question may look at. */
export interface SymbolQuestion {
  readonly rows: SymbolRows;
  readonly files: QuestionFiles;
  readonly references: SymbolReferences;
}

export interface SymbolAnswer<T> {
  readonly value: T;
  /** How many of the files that the question needs were looked at, if not all. */
  readonly indexing?: { readonly files: number; readonly of: number; readonly seconds_left?: number };
}
