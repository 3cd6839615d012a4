import type { PatternOptions } from '../../regex/matcher.ts';
import type { SkipCounts } from '../files/source-tree.ts';
import type { FileFilter } from './file-filter.ts';
import type { FileHits, LineStyle } from './hits.ts';

/** What an exact search looks for. */
export interface ExactQuery {
  readonly pattern: PatternOptions;
  readonly filter: FileFilter;
  readonly lines: LineStyle;
}

/** A prepared search, which reads only as far as its results are pulled. */
export interface ExactSearch {
  /** Hits grouped by file, in path and line order. A file may come in several pieces. */
  hits(): AsyncGenerator<FileHits>;
  /** The number of matching lines per file, in path order. With `urgent` false it runs behind other searches. */
  counts(urgent?: boolean): AsyncGenerator<readonly [path: string, hits: number]>;
  /** How many files are searched, without those that are left out. */
  inScope(): number;
  /** What has been searched so far, and whether the answer can be trusted. */
  readonly report: SearchReport;
  /**
   * The files with a match, in no particular order. Includes files whose only match is in a secret, so never show them.
   */
  files(): AsyncGenerator<string>;
  /** The text of the file whose hits came last, if it is not the text on disk. */
  readonly textOf?: ((path: string) => string | undefined) | undefined;
  /** How the answer is found, to be shown to people. */
  plan(): SearchPlan;
}

export interface SearchPlan {
  readonly via: SearchReport['via'];
  /** What every matching line must contain; absent if nothing is known. */
  readonly requires?: string | undefined;
  /** What is left to search after the index has ruled out the rest. */
  readonly candidates: { readonly files: number; readonly bytes: number };
  readonly index: {
    readonly files: number;
    readonly pending: number;
    readonly segments: number;
    readonly bytes: number;
  };
  readonly insensitive: boolean;
}

export interface SearchReport {
  /** `git`: the files of a commit. */
  readonly via: 'index' | 'ripgrep' | 'git';
  /** Files of the tree, searched or not. */
  readonly files: number;
  /** False if a match may be missing, for the reason in `doubt`. */
  readonly fresh: boolean;
  readonly doubt?: string | undefined;
  readonly indexed: boolean;
  /** Files searched so far. */
  readonly searched: number;
  /** Files not searched, by reason. */
  readonly skipped: SkipCounts;
}
