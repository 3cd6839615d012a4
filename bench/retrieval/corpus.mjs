// The benchmark's repositories, read with the product's own file walk into the product's own index.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Finds the annotations and repositories, or says what is missing. */
export function locate() {
  const { PINHOLE_CORPUS: corpus, PINHOLE_RETRIEVAL_REPOS: repositories } = process.env;
  if (!corpus || !existsSync(join(corpus, 'data', 'retrieval', 'repos.json'))) {
    throw new Error('set PINHOLE_CORPUS to the folder that has data/retrieval/repos.json');
  }
  if (!repositories || !existsSync(repositories)) {
    throw new Error(
      'set PINHOLE_RETRIEVAL_REPOS to the folder of checked-out repositories; bench/retrieval/checkout.mjs makes it',
    );
  }
  return { annotations: join(corpus, 'data', 'retrieval'), repositories };
}

/** Every repository with its queries and the folder to search. */
export function loadBenchmark({ annotations, repositories }) {
  return JSON.parse(readFileSync(join(annotations, 'repos.json'), 'utf8')).map((one) => ({
    name: one.name,
    language: one.language,
    prefix: one.benchmark_root ? `${one.benchmark_root}/` : '',
    folder: join(repositories, one.name, one.benchmark_root ?? ''),
    queries: JSON.parse(readFileSync(join(annotations, 'annotations', `${one.name}.json`), 'utf8')),
  }));
}
