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
  typescript: javascript,
};

/** Languages with several grammars, or with that of another. */
const OTHER: Readonly<Record<string, readonly string[]>> = {
  cuda: ['cpp'],
  typescript: ['typescript', 'tsx'],
};

/** Languages whose symbols can be read. */
export const symbolLanguages: readonly string[] = [
  ...Object.keys(GRAMMARS).filter((name) => name !== 'tsx'),
  'cuda',
];

/** The grammars of a language; for a path the one that fits. */
export function grammarsOf(language: string, path?: string): readonly string[] {
  if (language === 'typescript' && path !== undefined) return [/\.tsx$/i.test(path) ? 'tsx' : 'typescript'];
  return OTHER[language] ?? (Object.hasOwn(GRAMMARS, language) ? [language] : []);
}
