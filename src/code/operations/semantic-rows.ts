import type { Roots } from '../../contract/roots.ts';
import type { SemanticHit } from '../semantic/semantic-answer.ts';
import type { LineSpan } from '../symbols/file-symbols.ts';
import { SNIPPET_LINES } from './best-run.ts';
import { readFileIn } from './bytes-reader.ts';
import type { DefinitionHit } from './definition-hits.ts';
import { lineBytes } from './line-bytes.ts';
import { BEST_HITS, SEMANTIC_DECLARATION, type SemanticInput, type SemanticRow } from './semantic-input.ts';
import { type AskedFor, type Place, placeInDefinition, placeOf, placeOfCall } from './semantic-place.ts';
import { type Snippet, semanticSnippet } from './semantic-snippet.ts';
import type { SyntaxSource } from './syntax-source.ts';

/**
 * Files read ahead, because read one after the other, each would wait for a busy process. At first as many as a page
 * needs, plus the row that shows that there are more and one that may be part of another row; then few, as most callers
 * read no further.
 */
const [FIRST_AHEAD, LATER_AHEAD] = [SEMANTIC_DECLARATION.limit.default + 2, 4];

type SnippetInput = Pick<SemanticInput, 'include_snippet' | 'snippet_length' | 'context_lines' | 'spans'>;

export interface SemanticRowsOptions {
  readonly root: string;
  readonly roots: Roots;
  readonly asked: AskedFor;
  readonly input: SnippetInput;
  readonly syntax: SyntaxSource;
  /** How many milliseconds the rows of a page wait for the syntax of their files. */
  readonly wait: number;
}

/** Hits as rows, with the definitions that the files have now; parts of one definition are one row. */
export async function* semanticRows(
  hits: readonly DefinitionHit[],
  { root, roots, asked, input, syntax, wait }: SemanticRowsOptions,
): AsyncGenerator<SemanticRow> {
  // Loaded with the first search, because the MCP bridge loads every operation and runs none.
  const { linesOf } = await import('../../contract/redact.ts');
  const reading: Promise<Buffer | undefined>[] = [];
  const shown = new Set<string>();
  for (const [at, hit] of hits.entries()) {
    if (reading.length === 0) {
      // The first rows share the wait of those who compared their definitions.
      if (at > 0) syntax.allow(wait);
      for (const { path } of hits.slice(at, at + (at === 0 ? FIRST_AHEAD : LATER_AHEAD))) {
        reading.push(readFileIn(root, path, roots).catch(() => undefined));
        syntax.start(path);
      }
    }
    const content = await reading.shift();
    // A file that was deleted after the search is no longer an answer.
    if (content === undefined) continue;
    const whole = content.toString('utf8');
    const last = lineCount(content);
    const called = hit.frame && (await syntax.of(hit.path))?.called(hit.frame);
    const { from: first, to: end } = called?.definition ?? {
      from: hit.definition?.lead ?? hit.line_start,
      to: hit.line_end,
    };
    const chunk = { from: first, to: Math.min(end, last) };
    // Without secrets: which line is shown would reveal whether a guess at a secret is right.
    const texts = linesOf(whole, chunk.from, chunk.to);
    const inChunk = (line: number) => texts[line - chunk.from] ?? '';
    const clean = (span: LineSpan) => {
      if (chunk.from <= span.from && span.to <= chunk.to) return inChunk;
      const others = linesOf(whole, span.from, span.to);
      return (line: number) => others[line - span.from] ?? '';
    };
    const place =
      called !== undefined
        ? placeOfCall(called, chunk, hit.frame?.line)
        : hit.definition === undefined
          ? placeOf(chunk, inChunk, await syntax.of(hit.path), asked)
          : placeInDefinition(
              hit.definition.name,
              { from: hit.line_start, to: chunk.to },
              chunk,
              inChunk,
              asked,
            );
    const { from, to } = place.range;
    const key = `${hit.path}:${from}-${to}`;
    if (shown.has(key)) continue;
    shown.add(key);
    const withText = input.include_snippet ?? shown.size <= BEST_HITS;
    const snippet = withText ? snippetOf(place, chunk, last, clean, asked, input) : undefined;
    const bytes = input.spans ? lineBytes(content)?.(from, to) : undefined;
    yield {
      path: hit.path,
      line_start: from,
      line_end: to,
      symbol: place.symbol ?? headingOf(hit),
      language: hit.language,
      score: Math.round(hit.score * 1000) / 1000,
      ...(snippet && { text: snippet.text, text_start: snippet.from }),
      ...(bytes && { bytes: [bytes[0], bytes[1]] }),
    };
  }
}

const NEWLINE = 10;

function lineCount(content: Buffer): number {
  let count = 1;
  for (let at = content.indexOf(NEWLINE); at !== -1; at = content.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** Headings of prose are not definitions, but say where a hit is. */
function headingOf({ kind, symbol, breadcrumb }: SemanticHit): string | undefined {
  if (kind !== 'section' || symbol === undefined) return undefined;
  return [...breadcrumb, symbol].join(' > ');
}

/** The lines around the best one if the caller says how many; otherwise the run of lines with the most terms. */
function snippetOf(
  { range, best }: Place,
  chunk: LineSpan,
  last: number,
  clean: (span: LineSpan) => (line: number) => string,
  { terms }: AskedFor,
  { context_lines, snippet_length }: SnippetInput,
): Snippet {
  if (context_lines !== undefined) {
    const span = { from: Math.max(1, best - context_lines), to: Math.min(last, best + context_lines) };
    return semanticSnippet(span, clean(span), { lines: 2 * context_lines + 1, characters: Infinity }, terms);
  }
  // The snippet includes the best line, which may be in the comment above a definition.
  const span = {
    from: Math.min(Math.max(range.from, chunk.from), best),
    to: Math.max(Math.min(range.to, chunk.to), best),
  };
  return semanticSnippet(span, clean(span), { lines: SNIPPET_LINES, characters: snippet_length }, terms);
}
