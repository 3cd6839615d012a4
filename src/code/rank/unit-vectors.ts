import type { Embedder } from '../embed/embedder.ts';
import type { DefinitionUnit } from './definition-units.ts';
import type { UnitVectors } from './rank-definitions.ts';

/** Characters of the text of a definition that go into the vector of its head, and into that of all of it. */
const [HEAD_CHARACTERS, TEXT_CHARACTERS] = [600, 8_000];

/** The vectors of definitions; undefined if the model does not make them at no cost. */
export async function unitVectors(
  units: readonly DefinitionUnit[],
  lines: readonly string[],
  model: Embedder,
): Promise<UnitVectors[] | undefined> {
  const { phrase } = model;
  if (phrase === undefined) return undefined;
  const texts = units.map(({ lead, end }) =>
    lines
      .slice(lead - 1, end)
      .join('\n')
      .slice(0, TEXT_CHARACTERS),
  );
  // The path says the same about all definitions of a file.
  const vectors = await model.passages('', texts);
  return units.map(({ name, signature, lead, from }, at) => ({
    head: phrase(
      `${name} ${signature} ${lines
        .slice(lead - 1, from - 1)
        .join('\n')
        .slice(0, HEAD_CHARACTERS)}`,
    ),
    text: vectors[at] ?? new Float32Array(model.dimensions),
  }));
}
