import type { LanguageRules } from '../language-rules.ts';
import { c } from './c.ts';
import { go } from './go.ts';
import { javascript } from './javascript.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';

/** The rules of each grammar. */
export const GRAMMARS: Readonly<Record<string, { readonly rules: LanguageRules }>> = {
  c: { rules: c },
  go: { rules: go },
  javascript: { rules: javascript },
  python: { rules: python },
  rust: { rules: rust },
  tsx: { rules: javascript },
  typescript: { rules: javascript },
};

/** Languages that are read with the grammar of another name. */
const OTHER: Readonly<Record<string, readonly string[]>> = {
  typescript: ['typescript', 'tsx'],
};

/** The grammars of a language; for a path the one that fits. */
export function grammarsOf(language: string, path?: string): readonly string[] {
  if (language === 'typescript' && path !== undefined) return [/\.tsx$/i.test(path) ? 'tsx' : 'typescript'];
  return OTHER[language] ?? (Object.hasOwn(GRAMMARS, language) ? [language] : []);
}
