import { endSignatures } from '../end-signatures.ts';
import type { LanguageRules } from '../language-rules.ts';
import { bash } from './bash.ts';
import { c } from './c.ts';
import { cpp } from './cpp.ts';
import { csharp } from './csharp.ts';
import { elixir } from './elixir.ts';
import { go } from './go.ts';
import { haskell } from './haskell.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import { kotlin } from './kotlin.ts';
import { lua } from './lua.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { scala } from './scala.ts';
import { swift } from './swift.ts';
import { zig } from './zig.ts';

/** The rules of each grammar. */
export const GRAMMARS: Readonly<Record<string, LanguageRules>> = {
  bash,
  c,
  cpp,
  csharp,
  elixir,
  go,
  haskell,
  java,
  javascript,
  kotlin,
  lua,
  php,
  python,
  ruby,
  rust,
  scala,
  swift,
  zig,
  tsx: javascript,
  typescript: { ...javascript, prepare: endSignatures },
};

/** Languages with several grammars, or with the grammar of another language. */
const OTHER: Readonly<Record<string, readonly string[]>> = {
  c: ['c', 'cpp'],
  cuda: ['cpp'],
  typescript: ['typescript', 'tsx'],
};

/** Syntax that no C header has outside comments. */
const CPP_HEADER =
  /^[ \t]*(?:namespace\s+\w[\w:]*\s*\{|template\s*<|class\s+\w[^;]*\{|using\s+\w+|(?:public|private|protected)\s*:|inline namespace\b)/m;

/** Languages whose symbols can be read. */
export const symbolLanguages: readonly string[] = [
  ...Object.keys(GRAMMARS).filter((name) => name !== 'tsx'),
  'cuda',
];

/** The grammars that a language may need. */
export function grammarsOf(language: string): readonly string[] {
  return OTHER[language] ?? (Object.hasOwn(GRAMMARS, language) ? [language] : []);
}

/** The grammar of a file. */
export function grammarFor(language: string, path: string, text: string): string | undefined {
  if (language === 'typescript') return /\.tsx$/i.test(path) ? 'tsx' : 'typescript';
  if (language === 'c' && /\.h$/i.test(path) && CPP_HEADER.test(text)) return 'cpp';
  return grammarsOf(language)[0];
}
