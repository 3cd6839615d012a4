/** Languages by name with the file endings and whole names that belong to them. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  assembly: ['.s', '.asm'],
  bash: ['.sh', '.bash', '.zsh', '.ksh'],
  c: ['.c', '.h'],
  clojure: ['.clj', '.cljs', '.cljc', '.edn'],
  cmake: ['.cmake', 'cmakelists.txt'],
  cpp: ['.cc', '.cpp', '.cxx', '.hpp', '.hh', '.hxx', '.inl', '.ipp'],
  csharp: ['.cs', '.csx'],
  css: ['.css', '.scss', '.sass', '.less'],
  cuda: ['.cu', '.cuh'],
  dart: ['.dart'],
  docker: ['dockerfile', '.dockerfile'],
  elixir: ['.ex', '.exs'],
  erlang: ['.erl', '.hrl'],
  fsharp: ['.fs', '.fsi', '.fsx'],
  go: ['.go'],
  graphql: ['.graphql', '.gql'],
  groovy: ['.groovy', '.gradle'],
  haskell: ['.hs', '.lhs'],
  html: ['.html', '.htm', '.xhtml'],
  java: ['.java'],
  javascript: ['.js', '.jsx', '.mjs', '.cjs'],
  json: ['.json', '.jsonc', '.json5'],
  julia: ['.jl'],
  kotlin: ['.kt', '.kts'],
  lua: ['.lua'],
  make: ['makefile', 'gnumakefile', '.mk', '.mak', 'kbuild'],
  markdown: ['.md', '.markdown', '.mdx'],
  nim: ['.nim'],
  nix: ['.nix'],
  objectivec: ['.m', '.mm'],
  ocaml: ['.ml', '.mli'],
  perl: ['.pl', '.pm', '.t'],
  php: ['.php', '.phtml'],
  powershell: ['.ps1', '.psm1', '.psd1'],
  protobuf: ['.proto'],
  python: ['.py', '.pyi', '.pyx'],
  r: ['.r', '.rmd'],
  restructuredtext: ['.rst'],
  ruby: ['.rb', '.rake', '.gemspec', 'rakefile', 'gemfile'],
  rust: ['.rs'],
  scala: ['.scala', '.sc', '.sbt'],
  sql: ['.sql'],
  svelte: ['.svelte'],
  swift: ['.swift'],
  terraform: ['.tf', '.tfvars', '.hcl'],
  toml: ['.toml'],
  typescript: ['.ts', '.tsx', '.mts', '.cts'],
  vue: ['.vue'],
  xml: ['.xml', '.xsd', '.xsl', '.svg'],
  yaml: ['.yml', '.yaml'],
  zig: ['.zig'],
};

/** Other names people type, among them ripgrep's type names. */
const ALIASES: Readonly<Record<string, string>> = {
  asm: 'assembly',
  sh: 'bash',
  shell: 'bash',
  'c++': 'cpp',
  'c#': 'csharp',
  cs: 'csharp',
  dockerfile: 'docker',
  golang: 'go',
  hs: 'haskell',
  js: 'javascript',
  jsx: 'javascript',
  kt: 'kotlin',
  makefile: 'make',
  md: 'markdown',
  objc: 'objectivec',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  rst: 'restructuredtext',
  ts: 'typescript',
  tsx: 'typescript',
  tf: 'terraform',
  yml: 'yaml',
};

const byEnding = new Map<string, string>();
for (const [language, endings] of Object.entries(LANGUAGES)) {
  for (const ending of endings) if (!byEnding.has(ending)) byEnding.set(ending, language);
}

/** The language of a path by its name, or undefined if the name does not tell. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const whole = byEnding.get(name);
  if (whole !== undefined) return whole;
  const dot = name.lastIndexOf('.');
  return dot === -1 ? undefined : byEnding.get(name.slice(dot));
}

/** The canonical name of a language, or undefined if it is unknown. */
export function knownLanguage(name: string): string | undefined {
  const lower = name.toLowerCase();
  return lower in LANGUAGES ? lower : ALIASES[lower];
}
