import type { DefinitionUnit } from '../rank/definition-units.ts';
import type { FoundPlace, PlacesFile } from '../semantic/ask-places.ts';
import type { SemanticHit } from '../semantic/semantic-answer.ts';
import type { SyntaxSource } from './syntax-source.ts';

/** A hit, and the definition to show for it if it is known already. */
export interface DefinitionHit extends SemanticHit {
  readonly definition?: DefinitionUnit | undefined;
}

/** Files whose definitions are compared; the others are too far behind. */
export const COMPARED_FILES = 12;
/** A difference of this much between two places divides the shown score by e. */
const SCORE_SPAN = 6;

/**
 * Hits with the best definitions of the best files first, up to three of a file; then the other hits. Which file is
 * right says little about which of its functions is, and a second function of the best file is often a better answer
 * than the fifth file.
 */
export async function definitionHits(
  hits: readonly SemanticHit[],
  syntax: SyntaxSource,
  rank: (files: readonly PlacesFile[]) => Promise<readonly FoundPlace[]>,
): Promise<readonly DefinitionHit[]> {
  const byFile = bestFiles(hits);
  for (const path of byFile.keys()) syntax.start(path);
  const files: PlacesFile[] = [];
  for (const [path, own] of byFile) {
    const known = await syntax.inTime(path);
    files.push({
      path,
      score: own[0]?.score ?? 0,
      size: own[0]?.size ?? 0,
      mtimeMs: own[0]?.mtimeMs ?? 0,
      chunks: own.map(({ line_start, line_end, worth }) => ({ from: line_start, to: line_end, worth })),
      units: known === undefined || known === 'late' ? [] : known.units,
    });
  }
  if (files.every(({ units }) => units.length === 0)) return hits;
  const places = await rank(files);
  if (places.length === 0) return hits;
  const [top = 0, best = 0] = [places[0]?.score, hits[0]?.score];
  const found = places.flatMap(({ path, definition, score }): DefinitionHit[] => {
    const [hit] = byFile.get(path) ?? [];
    if (hit === undefined) return [];
    const shown = best * Math.exp((score - top) / SCORE_SPAN);
    return [definition === undefined ? { ...hit, score: shown } : atDefinition(hit, definition, shown)];
  });
  const least = found.at(-1)?.score ?? 0;
  const others = hits.filter((hit) => !found.some((one) => overlap(one, hit)));
  return [...found, ...others.map((hit) => ({ ...hit, score: Math.min(hit.score, least) }))];
}

/** A chunk around a definition that is shown would be the same lines again. */
function overlap(a: SemanticHit, b: SemanticHit): boolean {
  return a.path === b.path && a.line_start <= b.line_end && b.line_start <= a.line_end;
}

function bestFiles(hits: readonly SemanticHit[]): Map<string, SemanticHit[]> {
  const byFile = new Map<string, SemanticHit[]>();
  for (const hit of hits) {
    const own = byFile.get(hit.path);
    if (own !== undefined) own.push(hit);
    else if (byFile.size < COMPARED_FILES) byFile.set(hit.path, [hit]);
  }
  return byFile;
}

function atDefinition(hit: SemanticHit, definition: DefinitionUnit, score: number): DefinitionHit {
  const { from, to, end, kind } = definition;
  return { ...hit, line_start: from, line_end: kind === 'container' ? end : to, score, definition };
}
