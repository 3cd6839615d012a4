/** The npm package and the file of each grammar. */
export const GRAMMAR_FILES: Readonly<Record<string, readonly [packageName: string, file: string]>> = {
  bash: vscode('bash'),
  c: own('tree-sitter-c', 'c'),
  cpp: vscode('cpp'),
  csharp: vscode('c-sharp'),
  elixir: own('tree-sitter-elixir', 'elixir'),
  go: vscode('go'),
  haskell: own('tree-sitter-haskell', 'haskell'),
  java: vscode('java'),
  javascript: vscode('javascript'),
  kotlin: own('@tree-sitter-grammars/tree-sitter-kotlin', 'kotlin'),
  lua: own('@tree-sitter-grammars/tree-sitter-lua', 'lua'),
  php: vscode('php'),
  python: vscode('python'),
  ruby: vscode('ruby'),
  rust: vscode('rust'),
  scala: own('tree-sitter-scala', 'scala'),
  swift: ['@cursorless/tree-sitter-wasms', 'out/tree-sitter-swift.wasm'],
  tsx: vscode('tsx'),
  typescript: vscode('typescript'),
  zig: own('@tree-sitter-grammars/tree-sitter-zig', 'zig'),
};

function vscode(name: string): readonly [string, string] {
  return ['@vscode/tree-sitter-wasm', `wasm/tree-sitter-${name}.wasm`];
}

function own(packageName: string, name: string): readonly [string, string] {
  return [packageName, `tree-sitter-${name}.wasm`];
}
