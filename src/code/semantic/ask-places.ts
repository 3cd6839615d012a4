import type { DefinitionUnit } from '../rank/definition-units.ts';
import type { NumberedFile, PlacesAnswer, PlacesQuestion } from './semantic-places.ts';

/** One of the best files, with the chunks that were found in it, best first, and the definitions it has now. */
export interface PlacesFile extends Pick<NumberedFile, 'path' | 'score' | 'chunks'> {
  readonly size: number;
  readonly mtimeMs: number;
  readonly units: readonly DefinitionUnit[];
}

/** A definition, or the best chunk of a file if that is outside its definitions. */
export interface FoundPlace {
  readonly path: string;
  readonly definition?: DefinitionUnit | undefined;
  /** Only compared with other places of the same answer. */
  readonly score: number;
}

/**
 * Asks the search thread for places. It keeps the definitions of files, because copying hundreds of them into a thread
 * and back costs more than ranking them; they are only sent if it says that they are missing.
 */
export async function askPlaces(
  question: Omit<PlacesQuestion, 'files'> & { readonly files: readonly PlacesFile[] },
  ask: (question: PlacesQuestion) => Promise<PlacesAnswer>,
): Promise<FoundPlace[]> {
  const { files } = question;
  const numbered = files.map((file): NumberedFile => {
    const { path, score, chunks } = file;
    return { path, score, chunks, version: versionOf(file) };
  });
  let answer = await ask({ ...question, files: numbered });
  if (answer.missing.length > 0) {
    const missing = new Set(answer.missing);
    const sent = numbered.map((file, at) => (missing.has(at) ? { ...file, units: files[at]?.units } : file));
    answer = await ask({ ...question, files: sent });
  }
  return answer.places.map(({ file, unit, score }) => ({
    path: files[file]?.path ?? '',
    definition: unit === undefined ? undefined : files[file]?.units[unit],
    score,
  }));
}

/** A file that was parsed again has other objects for the same definitions, so its stamp says whether they changed. */
function versionOf({ size, mtimeMs, units }: PlacesFile): string | undefined {
  return units.length === 0 ? undefined : `${size} ${mtimeMs} ${units.length}`;
}
