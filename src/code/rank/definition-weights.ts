/** What a definition is judged by. */
export const DEFINITION_SIGNALS = [
  'file',
  'chunk',
  'words',
  'coverage',
  'name',
  'exact',
  'head',
  'text',
  'test',
  'prototype',
  'tiny',
  'long',
  'container',
  'value',
  'outside',
] as const;

export type DefinitionSignal = (typeof DEFINITION_SIGNALS)[number];
export type DefinitionWeights = Readonly<Partial<Record<DefinitionSignal, number>>>;

/** Fitted by bench/questions/fit.mjs on questions mined from comments and commits; see decision 79. */
export const DEFINITION_WEIGHTS: Readonly<Record<'hybrid' | 'semantic', DefinitionWeights>> = {
  hybrid: {
    file: 3,
    chunk: 1.5,
    words: 1.2,
    coverage: 2,
    name: 1,
    exact: 2,
    head: 1.5,
    text: 2,
    test: -4,
    prototype: -2,
    tiny: -2.5,
    container: -2.5,
    value: -2,
  },
  semantic: { file: 4, chunk: 2, head: 2, text: 2.5, test: -4, prototype: -2, tiny: -2, container: -2, value: -2 },
};
