/** Everything that a file is judged by, in the order of explanations. */
export const SIGNALS = [
  'semantic',
  'semanticTop3',
  'semanticFile',
  'semanticPath',
  'semanticSymbol',
  'semanticAlike',
  'words',
  'wordsTop3',
  'wordsHead',
  'alike',
  'alikeTop3',
  'stem',
  'folder',
  'defines',
  'definesAsked',
  'definesPart',
  'definesFirst',
  'test',
  'aside',
  'generated',
  'prose',
  'size',
  'references',
  'depth',
  'otherSystem',
  'titleSemantic',
  'named',
  'namedInTrace',
  'trace',
  'pathNamed',
] as const;

export type Signal = (typeof SIGNALS)[number];
export type SignalValues = Readonly<Record<Signal, number>>;

/** The signals that only an issue, a stack trace or similar gives, for questions that are none of these. */
export const NO_REPORT = {
  titleSemantic: 0,
  named: 0,
  namedInTrace: 0,
  trace: 0,
  pathNamed: 0,
} as const satisfies Partial<SignalValues>;

export type ReportSignals = Pick<SignalValues, keyof typeof NO_REPORT>;

/** Which evidence counts: all, only vectors, or only words and names. */
export type RankMode = 'hybrid' | 'semantic' | 'words';

/** Signals that come from vectors, and from the words of a question. */
export const SEMANTIC_SIGNALS: ReadonlySet<Signal> = new Set([
  'semantic',
  'semanticTop3',
  'semanticFile',
  'semanticPath',
  'semanticSymbol',
  'semanticAlike',
  'titleSemantic',
]);
export const WORD_SIGNALS: ReadonlySet<Signal> = new Set([
  'words',
  'wordsTop3',
  'wordsHead',
  'alike',
  'alikeTop3',
  'stem',
  'folder',
  'defines',
  'definesAsked',
  'definesPart',
  'definesFirst',
  'named',
  'namedInTrace',
  'trace',
  'pathNamed',
]);

/** What counts where neither vectors nor the thesaurus do; fitted as below. */
const WORDS_ALONE: Readonly<Partial<Record<Signal, number>>> = {
  words: 1.2,
  wordsTop3: 3.4,
  wordsHead: 1.2,
  stem: 5,
  folder: 2,
  defines: 1.2,
  definesAsked: 1.6,
  definesPart: 2.2,
  definesFirst: 1.5,
  test: -2.2,
  aside: -1.5,
  generated: -1,
  prose: -2.3,
  size: 1.5,
  references: 2.1,
  depth: -2.2,
  otherSystem: -1.5,
};

/**
 * Fitted over the development half of the retrieval benchmark and rounded; `npm run bench -- retrieval` shows what each
 * adds. Set by hand: `definesAsked` of hybrid (fitted 1.9), because someone who types a name wants its definition
 * first. `definesFirst`, `depth` and `otherSystem` were fitted later, beside the others. The thesaurus came last:
 * `semanticAlike`, `alike` and `alikeTop3` were chosen with the others as they were, on 1,580 questions of other
 * repositories (decision 96).
 */
export const WEIGHTS: Readonly<Record<RankMode, Readonly<Partial<Record<Signal, number>>>>> = {
  hybrid: {
    semantic: 2.3,
    semanticTop3: 1.4,
    semanticFile: 1.3,
    semanticPath: 0.8,
    semanticAlike: 0.8,
    words: 0.8,
    wordsTop3: 1.8,
    wordsHead: 0.5,
    alikeTop3: 0.8,
    stem: 1.5,
    folder: 0.1,
    defines: 0.8,
    definesAsked: 4,
    definesPart: 1.7,
    definesFirst: 1.5,
    test: -2.2,
    aside: -1.5,
    generated: -0.9,
    prose: -2.2,
    size: 1.9,
    references: 2.1,
    depth: -2.2,
    otherSystem: -1.5,
  },
  semantic: {
    semantic: 3.9,
    semanticTop3: 2.6,
    semanticFile: 1.9,
    semanticPath: 0.7,
    semanticSymbol: 3,
    semanticAlike: 1.5,
    test: -2.6,
    aside: -1.8,
    generated: -0.9,
    prose: -2.2,
    size: 3.3,
    references: 2,
    depth: -2.2,
    otherSystem: -1.5,
  },
  words: { ...WORDS_ALONE, alikeTop3: 1.5 },
};

/**
 * The same for descriptions. Fitted on 632 questions whose function is known, and rounded; in them the size of a file and
 * its depth say nothing, and what its chunks say, in the words of the question or of the thesaurus, is worth more. Set by
 * hand, because hardly any of these questions has a name: `stem`, `defines`, `definesPart` and `otherSystem`.
 */
export const DESCRIPTION_WEIGHTS: typeof WEIGHTS = {
  hybrid: {
    semantic: 2.6,
    semanticTop3: 0.5,
    semanticFile: 1.5,
    semanticAlike: 1.7,
    words: 1.7,
    wordsTop3: 1.6,
    alike: 0.6,
    alikeTop3: 2,
    stem: 0.5,
    defines: 0.8,
    definesPart: 1.2,
    test: -3.2,
    aside: -0.9,
    generated: -0.8,
    prose: -3.9,
    references: 0.4,
    otherSystem: -1.5,
  },
  semantic: {
    semantic: 3.4,
    semanticTop3: 1,
    semanticFile: 1.9,
    semanticSymbol: 3.3,
    semanticAlike: 2.8,
    test: -3.5,
    aside: -1,
    generated: -1,
    prose: -3.7,
    size: 1,
    references: 0.6,
    otherSystem: -1.5,
  },
  words: {
    words: 1.8,
    wordsTop3: 3.3,
    wordsHead: 0.2,
    alike: 1.7,
    alikeTop3: 2.8,
    stem: 1,
    defines: 0.8,
    definesPart: 1.3,
    test: -3.3,
    aside: -0.8,
    generated: -0.8,
    prose: -3.6,
    references: 0.4,
    otherSystem: -1.5,
  },
};

/**
 * The same for a folder of repositories, fitted on all repositories of the benchmark in one index and rounded: there
 * words say more, and the standing of a file in its own repository says less. Left out, because their fitted weights
 * were negative: `folder` of hybrid and `semanticPath` of semantic. `definesAsked` of hybrid is set by hand, too. Words
 * alone gained nothing on unseen repositories. The thesaurus was not fitted, and would cost half of a search.
 */
export const COLLECTION_WEIGHTS: typeof WEIGHTS = {
  hybrid: {
    semantic: 2.6,
    semanticTop3: 2.2,
    semanticFile: 1.3,
    semanticPath: 0.3,
    words: 3,
    wordsTop3: 2.4,
    wordsHead: 0.6,
    stem: 1.4,
    defines: 1.2,
    definesAsked: 4,
    definesPart: 1.5,
    definesFirst: 2.1,
    test: -1.7,
    aside: -1.6,
    generated: -1,
    prose: -2.3,
    size: 0.5,
    references: 1.4,
    depth: -3.3,
    otherSystem: -1,
  },
  semantic: {
    semantic: 5.8,
    semanticTop3: 3.4,
    semanticFile: 2.4,
    semanticSymbol: 4.7,
    test: -1.9,
    aside: -1.6,
    generated: -0.7,
    prose: -2.3,
    size: 1.4,
    references: 1.2,
    depth: -3.6,
    otherSystem: -1.2,
  },
  words: WORDS_ALONE,
};

/**
 * The same for reports, fitted on issues and the files that their fixes changed; `npm run bench -- localization` shows
 * what each adds.
 */
export const REPORT_WEIGHTS: typeof WEIGHTS = {
  hybrid: {
    semantic: 0.6,
    words: 4.7,
    wordsTop3: 2.8,
    defines: 0.7,
    test: -2.2,
    generated: -1.3,
    prose: -2.2,
    size: 1.8,
    titleSemantic: 0.6,
    named: 0.8,
    namedInTrace: 1.8,
    trace: 4,
    pathNamed: 2.7,
  },
  semantic: {
    semantic: 2.2,
    semanticTop3: 2,
    test: -2.2,
    generated: -0.9,
    prose: -2.2,
    size: 2,
    titleSemantic: 1.2,
  },
  words: {
    words: 2.7,
    wordsTop3: 1.8,
    defines: 0.7,
    test: -2.2,
    generated: -1.3,
    prose: -2.2,
    size: 1.8,
    named: 0.3,
    namedInTrace: 1.8,
    trace: 4,
    pathNamed: 2.7,
  },
};
