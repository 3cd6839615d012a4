import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Grammar file of each language; C is read with the C++ grammar, which covers nearly all of it. */
const FILES: Readonly<Record<string, string>> = {
  bash: 'bash',
  c: 'cpp',
  cpp: 'cpp',
  cuda: 'cpp',
  csharp: 'c-sharp',
  go: 'go',
  java: 'java',
  javascript: 'javascript',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
  typescript: 'tsx',
};

/** The grammar of a language, or undefined if the package has none. */
export function grammarFile(language: string): string | undefined {
  const name = FILES[language];
  if (name === undefined) return undefined;
  const packageFile = createRequire(import.meta.url).resolve('@vscode/tree-sitter-wasm/package.json');
  return join(dirname(packageFile), 'wasm', `tree-sitter-${name}.wasm`);
}

/** Languages with a grammar. */
export const grammarLanguages: readonly string[] = Object.keys(FILES);

/** Which nodes declare a name, besides those with a `name` field. */
const EXTRA: Readonly<Record<string, string>> = {
  cpp: '(function_definition declarator: (_) @name) @node (declaration declarator: (function_declarator) @name) @node (field_declaration declarator: (function_declarator) @name) @node (preproc_function_def name: (_) @name) @node',
  rust: '(impl_item type: (_) @name) @node',
  ruby: '(assignment left: (constant) @name) @node',
};

/** The query that finds declarations in a language. */
export function declarationQuery(language: string): string {
  const extra = EXTRA[FILES[language] ?? ''] ?? '';
  return `(_ name: (_) @name) @node ${extra}`;
}
