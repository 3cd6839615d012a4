import { languageOf } from '../languages.ts';
import { GRAMMAR_FILES } from './extract/grammar-files.data.ts';

/** Languages that define nothing one would ask for by name. */
const NO_DEFINITIONS: ReadonlySet<string> = new Set([
  'cmake',
  'css',
  'docker',
  'html',
  'json',
  'make',
  'markdown',
  'restructuredtext',
  'toml',
  'xml',
  'yaml',
]);
/** It is read with the grammar of C++. */
const OTHER_GRAMMAR = 'cuda';

/** The language of a file that has definitions which Pinhole cannot read, because it has no grammar for it. */
export function unparsedLanguage(path: string): string | undefined {
  const language = languageOf(path);
  if (language === undefined || language === OTHER_GRAMMAR || NO_DEFINITIONS.has(language)) return undefined;
  return Object.hasOwn(GRAMMAR_FILES, language) ? undefined : language;
}

/** Those languages among the given files, the most frequent ones first. */
export function unparsedLanguages(paths: Iterable<string>): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = unparsedLanguage(path);
    if (language !== undefined) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_NAMED)
    .map(([language]) => language);
}

/** Languages that an answer names. */
const MAX_NAMED = 5;

/** `Files in dart and perl are not parsed; search their text.` */
export function unparsedText(languages: readonly string[]): string {
  const last = languages.at(-1) ?? '';
  const named = languages.length > 1 ? `${languages.slice(0, -1).join(', ')} and ${last}` : last;
  return `Files in ${named} are not parsed; search their text.`;
}
