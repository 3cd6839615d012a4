import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The npm package and the file of each grammar. */
const FILES: Readonly<Record<string, readonly [packageName: string, file: string]>> = {
  bash: vscode('bash'),
  c: ['tree-sitter-c', 'tree-sitter-c.wasm'],
  cpp: vscode('cpp'),
  csharp: vscode('c-sharp'),
  go: vscode('go'),
  java: vscode('java'),
  javascript: vscode('javascript'),
  php: vscode('php'),
  python: vscode('python'),
  ruby: vscode('ruby'),
  rust: vscode('rust'),
  tsx: vscode('tsx'),
  typescript: vscode('typescript'),
};

function vscode(name: string): readonly [string, string] {
  return ['@vscode/tree-sitter-wasm', `wasm/tree-sitter-${name}.wasm`];
}

/** The path of a grammar. */
export function grammarFile(grammar: string): string | undefined {
  const place = FILES[grammar];
  if (place === undefined) return undefined;
  const packageFile = createRequire(import.meta.url).resolve(`${place[0]}/package.json`);
  return join(dirname(packageFile), place[1]);
}
