// The words of the model for mining and encoding: the runtime's own, so that both sides cannot differ.
import { loadSources } from '../../bench/source.mjs';

const { createVocabulary, foldDiacritics, SKIPPED, splitWords } = await loadSources('model-words', [
  'src/code/words/split-words',
  'src/code/embed/vocabulary',
]);

export { createVocabulary };

/** The words of a text that the model learns from. */
export function words(text) {
  return splitWords(foldDiacritics(text)).filter((word) => !SKIPPED.has(word));
}
