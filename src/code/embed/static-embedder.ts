import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Embedder } from './embedder.ts';
import { parseMeta, pathText, StaticModel } from './static-model.ts';

/** The folder of our own weights: `model/weights` beside the sources or the built package. */
export function weightsFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (;;) {
    const weights = join(folder, 'model', 'weights');
    if (existsSync(join(weights, 'meta.json'))) return weights;
    const parent = dirname(folder);
    if (parent === folder) throw new Error('model/weights is missing; install Pinhole again');
    folder = parent;
  }
}

/** Our own model: part of the package, no network, tens of thousands of chunks per second. */
export async function openStaticEmbedder(folder = weightsFolder()): Promise<Embedder> {
  const model = await StaticModel.load(folder);
  return {
    name: model.name,
    dimensions: model.dimensions,
    passages(path, texts) {
      const pathSum = model.pathSum(path);
      return texts.map((text) => model.embedChunk(text, pathSum));
    },
    question: (text, weigh) => model.embedQuestion(text, weigh),
    phrase: (text, weigh) => model.embedQuery(text, weigh),
    path: (path) => model.embedQuery(pathText(path)),
    tokens: model,
  };
}

/** The name of our own weights. */
export function staticModelName(folder = weightsFolder()): string {
  return parseMeta(readFileSync(join(folder, 'meta.json'), 'utf8')).name;
}
