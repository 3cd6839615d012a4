/** What a definition is judged by. */
export type DefinitionSignal =
  | 'file'
  | 'chunk'
  | 'words'
  | 'coverage'
  | 'alike'
  | 'name'
  | 'exact'
  | 'head'
  | 'text'
  | 'alikeText'
  | 'test'
  | 'prototype'
  | 'tiny'
  | 'container'
  | 'value';
export type DefinitionWeights = Readonly<Partial<Record<DefinitionSignal, number>>>;

/**
 * Fitted on questions mined from comments and commits, names by hand; see decision 79. Those of descriptions were
 * fitted on questions in people's own words; see decisions 90 and 96.
 */
export const DEFINITION_WEIGHTS: Readonly<Record<'hybrid' | 'description' | 'semantic', DefinitionWeights>> =
  {
    hybrid: {
      file: 3.5,
      chunk: 1.5,
      words: 1.5,
      coverage: 2.8,
      name: 1,
      exact: 1.5,
      head: 1.4,
      text: 2.4,
      test: -4.5,
      prototype: -2.3,
      tiny: -2.9,
      container: -3,
      value: -2.4,
    },
    description: {
      file: 4.5,
      chunk: 1.4,
      words: 0.5,
      coverage: 2.8,
      alike: 1.8,
      name: 1,
      exact: 1.5,
      head: 1,
      text: 2.4,
      alikeText: 1.8,
      test: -4,
      prototype: -2.4,
      tiny: -3,
      container: -3.5,
      value: -2.6,
    },
    // Without what words say; the file and the chunk stand for them.
    semantic: {
      file: 4,
      chunk: 2,
      head: 2,
      text: 3,
      test: -4.5,
      prototype: -2.3,
      tiny: -2.9,
      container: -3,
      value: -2.4,
    },
  };
