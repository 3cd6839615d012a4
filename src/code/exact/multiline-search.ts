import type { ExactQuery, ExactSearch, SearchPlan, SearchReport } from './exact-query.ts';
import { contextText, type FileHits, type Hit, type LineStyle, lineText } from './hits.ts';
import { type MatchedLines, type MultilineFile, multilineFiles } from './multiline-files.ts';
import { candidatesFrom, filesInScope, planOf, type SearchSetup, setUpSearch } from './search-setup.ts';
import { SearchTally } from './search-tally.ts';
import type { SearchTarget } from './search-target.ts';

/** Lines shown per match. */
const MAX_LINES = 100;

/** A search for matches that may span lines; each line of a match is a hit. */
export class MultilineSearch implements ExactSearch {
  readonly #query: ExactQuery;
  readonly #target: SearchTarget;
  readonly #setup: SearchSetup;
  readonly #tally: SearchTally;

  constructor(query: ExactQuery, target: SearchTarget) {
    this.#query = query;
    this.#target = target;
    this.#setup = setUpSearch(query, target);
    this.#tally = new SearchTally(target, this.#setup, query.filter);
  }

  async *hits(): AsyncGenerator<FileHits> {
    const { lines } = this.#query;
    for await (const file of this.#matches())
      yield { path: file.path, hits: file.blocks.flatMap((block) => hitsOf(file, block, lines)) };
  }

  async *counts(): AsyncGenerator<readonly [path: string, hits: number]> {
    for await (const { path, blocks } of this.#matches())
      yield [
        path,
        blocks.reduce((sum, { first, last }) => sum + Math.min(last - first + 1, MAX_LINES), 0),
      ] as const;
  }

  async *files(): AsyncGenerator<string> {
    for await (const { path } of this.#matches()) yield path;
  }

  plan(): SearchPlan {
    return planOf(this.#setup, this.#target, this.#via, this.#query);
  }

  inScope(): number {
    return filesInScope(this.#setup, this.#target, this.#tally.skipped);
  }

  get report(): SearchReport {
    return this.#tally.report(this.#via);
  }

  get #via(): SearchReport['via'] {
    return this.#setup.selective ? 'index' : 'ripgrep';
  }

  #matches(): AsyncGenerator<MultilineFile> {
    const { matcher, everything } = this.#setup;
    const { tree, signal } = this.#target;
    const { pattern } = this.#query;
    const { addSkipped: onSkipped, addSearched: onSearched } = this.#tally;
    return multilineFiles(
      { root: tree.root, pattern, matcher, everything, signal, onSkipped, onSearched },
      candidatesFrom('', this.#setup, this.#target),
    );
  }
}

function hitsOf(file: MultilineFile, { first, last, places }: MatchedLines, style: LineStyle): Hit[] {
  const hits: Hit[] = [];
  const end = Math.min(last, first + MAX_LINES - 1);
  for (let number = first; number <= end; number++) {
    const line = file.line(number);
    if (line === undefined) break;
    const { text, column } = lineText(line.bytes, places[number - first]?.[0], style);
    const before = contextOf(file, number - style.before, number - 1, style);
    const after = contextOf(file, number + 1, number + style.after, style);
    hits.push({
      line: number,
      ...(column === undefined ? {} : { column }),
      text:
        number === end && end < last
          ? `${text} …[+${last - end} ${last - end === 1 ? 'line' : 'lines'}]`
          : text,
      ...(before.length > 0 ? { before } : {}),
      ...(after.length > 0 ? { after } : {}),
      ...(line.redacted ? { redacted: true } : {}),
    });
  }
  return hits;
}

function contextOf(file: MultilineFile, from: number, to: number, style: LineStyle): string[] {
  const shown: string[] = [];
  for (let number = Math.max(1, from); number <= to; number++) {
    const line = file.line(number);
    if (line !== undefined) shown.push(contextText(line.bytes, style));
  }
  return shown;
}
